"""Rules about `kind: ray`."""
