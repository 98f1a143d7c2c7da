"""Machines, cost and state addresses of a blueprint, without building it."""
