"""Constructs of `kind: ray`."""
