"""Plans of `kind: ray`."""
