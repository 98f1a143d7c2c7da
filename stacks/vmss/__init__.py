"""`kind: vmss`."""
