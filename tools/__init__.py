"""What a maintainer runs; nothing here is shipped."""
