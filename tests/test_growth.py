"""Five times as much to check is not more than six times the work, and every problem is told once."""

from collections.abc import Callable
from pathlib import Path

import pytest
from support import effort

from clusterprint.examine import Examined, examine
from clusterprint.render import github, json, sarif, text

VM = """\
clusterprint: v1
kind: vm
name: {name}
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {{gcs: {{bucket: states{prefix}}}}}
nodes: {{machine_type: a2-highgpu-1g}}
"""
NODES = "nodes: {machine_type: a2-highgpu-1g}\n"
TIMES = 5


def fleet(folder: Path, count: int, more: str = "", prefix: str = "", names: str = "c{:04}") -> None:
    """Blueprints of one project; all of them have the default range."""
    for number in range(count):
        head = VM.format(name=names.format(number), prefix=prefix)
        (folder / f"c{number:04}.yaml").write_text(head + more)


def missing_files(folder: Path, count: int) -> None:
    """Files that do not exist, beside as many others with names like theirs."""
    (folder / "s").mkdir()
    for number in range(count):
        (folder / "s" / f"input-of-the-job-{number:04}.txt").write_text("x")
    copies = "".join(f"  - {{source: ./s/input-of-a-job-x{number:04}.txt}}\n" for number in range(count))
    (folder / "a.yaml").write_text(f"{VM.format(name='c', prefix='')}files:\n{copies}")


def ignore_comments(folder: Path, count: int) -> None:
    """Comments that silence nothing, of codes that no rule has, and as many problems."""
    comments = "".join(f"# clusterprint: ignore[VM{number:05}] x\n" for number in range(count))
    unknown = "".join(f"x{number}: 1\n" for number in range(count))
    (folder / "a.yaml").write_text(VM.format(name="c", prefix="") + unknown + comments)


def buckets(folder: Path, count: int) -> None:
    """Buckets that are mounted side by side."""
    listed = "".join(f"    - {{name: b{n}, kind: bucket, mount: /mnt/{n}}}\n" for n in range(count))
    (folder / "a.yaml").write_text(f"{VM.format(name='c', prefix='')}storage:\n  volumes:\n{listed}")


def old_buckets(folder: Path, count: int) -> None:
    """Buckets in the list that there is no more: the help shows some of them."""
    listed = "".join(f"    - {{name: bucket-{n}, mount: /mnt/{n}}}\n" for n in range(count))
    (folder / "a.yaml").write_text(f"{VM.format(name='c', prefix='')}storage:\n  buckets:\n{listed}")


def ssh_ranges(folder: Path, count: int) -> None:
    """Ranges that have nothing to do with each other."""
    listed = "".join(f"    - 35.0.{number}.0/24\n" for number in range(count))
    (folder / "a.yaml").write_text(
        f"{VM.format(name='c', prefix='')}network:\n  ssh_source_ranges:\n{listed}"
    )


def node_groups(folder: Path, count: int) -> None:
    """Groups of nodes in one blueprint."""
    listed = "".join(f"  - {{name: g{n}, machine_type: n2-standard-4}}\n" for n in range(count))
    (folder / "a.yaml").write_text(VM.format(name="c", prefix="").replace(NODES, f"node_groups:\n{listed}"))


def mpi_jobs(folder: Path, count: int) -> None:
    """MPI jobs of one pool, with launchers for which a place is looked for."""
    head = VM.format(name="c", prefix="").replace("kind: vm", "kind: gke")
    pools = "node_pools: [{name: p, machine_type: n2-standard-4, count: 1}]\nworkloads:\n  mpi:\n    jobs:\n"
    job = "      - {{name: j{}, image: 'my/a:v1', workers: 1, command: [a], launcher_cpus: 1}}\n"
    jobs = "".join(job.format(number) for number in range(count))
    (folder / "a.yaml").write_text(head.replace(NODES, pools) + jobs)


Make = Callable[[Path, int], None]


def same_bucket(folder: Path, count: int) -> None:
    """Blueprints that all create one bucket."""
    fleet(folder, count, "storage: {volumes: [{name: data, kind: bucket, bucket: data}]}\n")


def same_prefix(folder: Path, count: int) -> None:
    """Blueprints that all keep their state in one folder."""
    fleet(folder, count, prefix=", prefix: one")


def same_name(folder: Path, count: int) -> None:
    """Blueprints of one cluster."""
    fleet(folder, count, prefix=", prefix: one", names="twin")


def looked_at(folder: Path, make: Make, count: int) -> tuple[int, Examined]:
    """The work for that many, and what was found."""
    folder.mkdir()
    make(folder, count)
    found: list[Examined] = []

    def look() -> None:
        found.append(examine([folder]))
        diagnostics, sources = found[0].diagnostics, found[0].sources
        text.render(diagnostics, sources)
        github.render(diagnostics)
        json.render(diagnostics, files=count)
        sarif.render(diagnostics, sources, topics={})

    return effort(look), found[0]


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "fewer"),
    [
        (fleet, 20),
        (same_bucket, 20),
        (same_prefix, 20),
        (same_name, 20),
        (missing_files, 40),
        (ignore_comments, 200),
        (buckets, 60),
        (old_buckets, 60),
        (ssh_ranges, 50),
        (node_groups, 30),
        (mpi_jobs, 30),
    ],
)
def test_work_grows_with_the_input(make: Make, fewer: int, tmp_path: Path) -> None:
    looked_at(tmp_path / "warm", make, 1)  # imports, and what is kept
    few, _ = looked_at(tmp_path / "few", make, fewer)
    many, _ = looked_at(tmp_path / "many", make, TIMES * fewer)
    assert many < 6 * few


@pytest.mark.slow
def test_a_comment_that_silences_nothing_costs_little(tmp_path: Path) -> None:
    looked_at(tmp_path / "warm", ignore_comments, 100)  # from here on nothing is guessed any more
    few, _ = looked_at(tmp_path / "few", ignore_comments, 100)
    many, _ = looked_at(tmp_path / "many", ignore_comments, 300)
    assert many - few < 200 * 5000, "calls for each comment, and for the problem beside it"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "code", "message"),
    [
        (
            fleet,
            "FL005",
            "the networks of 30 clusters have overlapping ranges and cannot be connected with each other",
        ),
        (same_bucket, "FL003", "bucket data is also created by cluster c0000 and 28 more"),
        (
            same_prefix,
            "FL002",
            "c0001 and 28 more keep their state and files where cluster c0000 does, below gs://states/one",
        ),
        (same_name, "FL001", "29 other blueprints describe a cluster twin in project my-gpu-project"),
    ],
)
def test_what_many_clusters_share_is_one_finding(make: Make, code: str, message: str, tmp_path: Path) -> None:
    _, examined = looked_at(tmp_path / "fleet", make, 30)
    (finding,) = (each for each in examined.diagnostics if each.code == code)
    assert finding.message == message
    assert len(finding.also) == 4
    assert finding.also[-1].text.endswith(", and 25 more")


@pytest.mark.slow
def test_the_first_missing_files_still_have_a_hint(tmp_path: Path) -> None:
    _, examined = looked_at(tmp_path / "missing", missing_files, 150)
    missing = [each for each in examined.diagnostics if each.code == "BP211"]
    assert len(missing) == 150
    assert missing[0].help == "did you mean ./s/input-of-the-job-0000.txt?"
    assert missing[-1].help == "paths are relative to the blueprint's own folder"
