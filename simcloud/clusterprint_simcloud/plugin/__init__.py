"""The plug-in protocol: how Terraform talks to the simulated providers."""
