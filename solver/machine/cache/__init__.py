"""Machine code is kept, and believed only where nobody else can have written it."""
