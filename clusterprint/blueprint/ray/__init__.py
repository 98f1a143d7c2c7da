"""`kind: ray`, part by part."""
