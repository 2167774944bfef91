"""Proofs of exact results: their file, their writer, and a checker of its own.

``docs/proof-format.md`` states what is proved, the lemmas and the grammar of the file.
"""
