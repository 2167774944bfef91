"""How Sphinx builds these pages; ``./tools/docs`` calls it, strictly."""

from __future__ import annotations

from importlib.metadata import version as _version

project = "knuthle"
author = "the knuthle authors"
project_copyright = author
release = _version("knuthle")
version = release

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns: list[str] = []
suppress_warnings = ["misc.highlighting_failure"]  # JSON in pages has … in it
nitpicky = False
smartquotes = False  # two hyphens are an option, not a dash

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4  # every heading has the anchor that hosting sites give it
myst_links_external_new_tab = False

autodoc_typehints = "description"
autodoc_typehints_description_target = "documented_params"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
add_module_names = False
napoleon_numpy_docstring = False
napoleon_use_rtype = False
napoleon_preprocess_types = False
maximum_signature_line_length = 80

html_theme = "furo"
html_title = "knuthle"
html_static_path = ["static"]
html_css_files = ["pages.css"]
html_copy_source = False
html_show_sphinx = False
html_show_search_summary = False  # a page that was opened as a file may not read others
html_last_updated_fmt = None
pygments_style = "default"
pygments_dark_style = "monokai"
html_theme_options = {"navigation_with_keys": True}
