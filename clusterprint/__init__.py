"""Declarative accelerator clusters: from a blueprint to Terraform JSON."""

__version__ = "0.1.0"
