"""Files of others that manifests name: fetched or rendered once, and kept beside the blueprint."""
