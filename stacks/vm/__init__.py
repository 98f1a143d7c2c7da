"""`kind: vm`."""
