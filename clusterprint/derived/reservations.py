"""Reservations: whose they are, and what they are called there."""


def project_and_name(text: str, project: str) -> tuple[str, str]:
    """The project and the name of a reservation, which is in `project` unless it says otherwise."""
    words = text.split("/")
    if words[0] == "projects":
        return words[1], words[3]
    return project, words[0]


def is_part(text: str) -> bool:
    """Whether only a block of a reservation is meant, or a sub-block."""
    return "/reservationBlocks/" in text
