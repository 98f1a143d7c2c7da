"""Two public keys in one file, as repositories hand them out, and their fingerprints."""

from pathlib import Path

KEYS = (Path(__file__).parent / "keys.asc").read_text("utf-8")
WANTED = "1775AD1C729CE94C42B123BA9939294536058BD5"
OTHER = "58EA9CCFF67BC694F2357BB2BCC1A9D2F92F4D98"
