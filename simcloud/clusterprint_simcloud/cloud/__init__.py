"""The simulated cloud itself: what exists, how it behaves, how it fails."""
