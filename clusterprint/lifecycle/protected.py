"""Messages about protected data."""

#: What lets a volume go with its data (docs/storage.md).
TWO_WORDS = "deletion_protection: false in its entry of the blueprint, and its name in storage.may_lose"

#: Why a plan that deletes protected data is not applied, and what to do.
PROTECTED = (
    "protected, so nothing was applied. To keep the data, undo the change that deletes or replaces it. To "
    f"lose it, undo that too, and say {TWO_WORDS}; apply; then make the change again. If it is here only "
    "because an earlier up reported it as failed, though it exists: up --adopt keeps it."
)
