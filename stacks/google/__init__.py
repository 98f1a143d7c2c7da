"""Constructs that the stacks on Google Cloud share."""
