"""Rules about everything on Google Cloud."""
