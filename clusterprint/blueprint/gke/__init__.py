"""`kind: gke`, and what every kind has that stands on a GKE cluster."""
