"""Rules about every blueprint."""
