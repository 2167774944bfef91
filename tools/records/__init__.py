"""Makers of what is kept in ``data``: tables, their pages, what stands behind rows."""
