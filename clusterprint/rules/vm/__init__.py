"""Rules about `kind: vm`."""
