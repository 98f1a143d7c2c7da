"""What stacks set that the bindings of the provider google do not have.

The bindings stop at 6.50.0, stacks need not: Terraform JSON is what counts. This is all that any stack sets
without them; a test holds it against what the provider says of itself.
"""

#: Arguments by type, dotted.
BEYOND: dict[str, frozenset[str]] = {
    "google_compute_disk": frozenset({"deletion_policy"}),
    "google_filestore_instance": frozenset({"deletion_policy"}),
    "google_lustre_instance": frozenset({"deletion_policy"}),
    "google_storage_bucket": frozenset({"deletion_policy"}),
}
