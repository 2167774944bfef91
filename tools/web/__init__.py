"""Builds the page's folder: the kernels as WebAssembly, what describes them, the word lists."""
