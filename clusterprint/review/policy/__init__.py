"""Policies: a small file that permits or forbids changes, and its judgement of a report."""
