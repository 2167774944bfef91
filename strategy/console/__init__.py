"""What is installed beside the packages."""
