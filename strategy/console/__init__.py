"""The console scripts, which are installed beside the packages."""
