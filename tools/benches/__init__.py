"""Benchmarks: one module a topic, each with ``run(bench)``; ``harness`` measures and prints."""
