"""The page for any browser: its folder of static files, and the server of this machine."""
