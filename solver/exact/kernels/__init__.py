"""The kernels of exact search: values of states and of guesses, and what they count."""
