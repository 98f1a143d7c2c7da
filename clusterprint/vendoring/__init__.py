"""Third-party files that manifests name: downloaded or rendered by one command, and committed.

They lie beside the blueprint with a checksum, and no other step uses a URL: so a review shows their changes,
and a synth depends on the repository only.
"""
