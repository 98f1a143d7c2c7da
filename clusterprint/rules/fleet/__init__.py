"""Rules about several blueprints that are validated together."""
