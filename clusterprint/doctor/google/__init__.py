"""What a project of Google Cloud lacks: a login, billing, APIs, permissions, quota, capacity, a bucket."""
