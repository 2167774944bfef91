"""The documentation: pages that are generated, the build of the site, man pages, completions."""
