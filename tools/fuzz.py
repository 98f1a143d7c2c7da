"""Mutants of our blueprints, and everything that reads blueprints: each failure, with a text that shows it.

`python tools/fuzz.py --count 3000` takes six minutes of processor time. A seed always makes the same ones.
With `--fields`, the mutants have each value in each field of each kind instead; `--count 20000` has them all.
"""

import argparse
import signal
import sys
import tempfile
import traceback
from collections import Counter
from itertools import chain, islice
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from readers import Readers  # noqa: E402
from spoiled import every_value, mutants  # noqa: E402

from clusterprint.blueprint import KINDS  # noqa: E402

# Processor seconds for all that reads one blueprint, which takes less than one.
_SECONDS = 60
_TELLING = 250  # as many mutants, before it says again how far it is


def main() -> None:
    """Let everything read mutants; print each failure once, with the text that shows it in a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=3000, help="the number of the last mutant")
    parser.add_argument("--skip", type=int, default=0, help="how many of them to leave out")
    parser.add_argument("--step", type=int, default=1, help="read only each so many of them")
    parser.add_argument("--seed", type=int, default=1, help="which mutants")
    parser.add_argument("--fields", action="store_true", help="each value in each field instead")
    given = parser.parse_args()
    seen: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder, Readers(Path(folder)) as readers:
        made = chain.from_iterable(map(every_value, KINDS)) if given.fields else mutants(given.seed)
        for number, mutant in islice(enumerate(made), given.skip, given.count, given.step):
            if (read := seen.total()) % _TELLING == 0:
                print(f"{read} read, {read - seen['valid'] - seen['invalid']} failed", flush=True)
            signal.setitimer(signal.ITIMER_PROF, _SECONDS)
            try:
                seen["valid" if readers.read(mutant) else "invalid"] += 1
            except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
                at = traceback.extract_tb(error.__traceback__)[-1]
                name = f"{type(error).__name__} at {at.filename}:{at.lineno}: {str(error)[:200]}"
                seen[name] += 1
                if seen[name] == 1:
                    kept = Path(tempfile.gettempdir(), f"mutant-{given.seed}-{number}.yaml")
                    kept.write_bytes(mutant.text.encode("utf-8", "surrogatepass"))
                    traceback.print_exception(error)
                    print(f"{kept}: {mutant.about} of {mutant.host}", flush=True)
    print(*(f"{number:6} {name}" for name, number in seen.most_common()), sep="\n")
    sys.exit(1 if seen.keys() - {"valid", "invalid"} else 0)


if __name__ == "__main__":
    main()
