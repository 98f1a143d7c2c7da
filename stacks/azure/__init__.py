"""Constructs that kinds on Azure share."""
