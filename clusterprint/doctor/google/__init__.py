"""Missing prerequisites of a Google Cloud project: login, billing, APIs, permissions, quota, bucket."""
