"""Pages of the documentation that are made from code and data, by what they are about."""
