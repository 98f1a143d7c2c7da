"""Plans of the stacks that a GKE cluster is made of."""
