"""Proofs of exact results: their file and their writer; ``strategy.checkers.proof`` reads them.

``docs/proof-format.md`` states what is proved, the lemmas and the grammar of the file.
"""
