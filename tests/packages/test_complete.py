"""The wheel, installed into an empty environment far from the checkout, validates and synthesizes."""

import sys
import zipfile
from pathlib import Path

import pytest
from packages.conftest import installed as install
from packages.conftest import run
from support import BLUEPRINTS, GOLDENS, ROOT

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.xdist_group("package")]


@pytest.fixture(scope="module")
def installed(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the commands of an environment that holds the wheel and what it asks for."""
    return install(tmp_path_factory.mktemp("complete"), next(dist.glob("clusterprint-*.whl")))


def test_it_validates_the_blueprints_that_it_brings(installed: Path, tmp_path: Path) -> None:
    program = "from clusterprint import assets; print(assets.folder('blueprints'))"
    brought = Path(run(installed / "python", "-c", program, cwd=tmp_path).stdout.strip())
    assert ROOT not in brought.parents
    assert {file.name for file in brought.glob("*.yaml")} == {file.name for file in BLUEPRINTS.glob("*.yaml")}
    done = run(installed / "clusterprint", "validate", brought, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_it_synthesizes_the_same_bytes(installed: Path, tmp_path: Path, synthesized: Path) -> None:
    done = run(installed / "clusterprint", "synth", BLUEPRINTS, "--out", tmp_path / "out", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    for file in filter(Path.is_file, synthesized.rglob("*")):
        assert (tmp_path / "out/stacks" / file.relative_to(synthesized)).read_bytes() == file.read_bytes()


def test_it_brings_the_scripts_that_run_on_machines(installed: Path, tmp_path: Path) -> None:
    program = (
        "from pathlib import Path; import clusterprint.nodes as n; at = Path(n.__file__).parent; "
        "print(*sorted(f'{f.relative_to(at)}' for f in at.rglob('files/**/*') if f.is_file()), sep='\\n')"
    )
    brought = run(installed / "python", "-c", program, cwd=tmp_path).stdout.splitlines()
    here = ROOT / "clusterprint" / "nodes"
    assert brought == sorted(
        str(file.relative_to(here)) for file in here.rglob("files/**/*") if file.is_file()
    )


def test_it_puts_one_package_into_the_environment(installed: Path, tmp_path: Path) -> None:
    names = "'stacks', 'schema', 'blueprints', 'tests'"
    program = f"import importlib.util as u; print([n for n in ({names}) if u.find_spec(n)])"
    assert run(installed / "python", "-c", program, cwd=tmp_path).stdout == "[]\n"
    done = run(installed / "clusterprint", "explain", "GCP001", cwd=tmp_path)
    assert done.returncode == 0


def test_it_brings_its_workflows(installed: Path, tmp_path: Path) -> None:
    done = run(installed / "clusterprint", "init", "gitops", "--source", "team/clusterprint@v1", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / ".github/workflows/clusterprint.yaml").exists()
    helped = run(installed / "python", "-I", "-m", "clusterprint.gitops.comment", "--help", cwd=tmp_path)
    assert helped.returncode == 0


def test_its_own_bindings_make_the_same_bytes_as_complete_ones(installed: Path, tmp_path: Path) -> None:
    """Every golden, once with what the wheel brings, once with whole provider packages."""
    (packages,) = installed.parent.glob("lib/python*/site-packages")
    assert not [path.name for path in packages.glob("cdktf_cdktf_provider_*")]
    brought, whole = tmp_path / "brought", tmp_path / "whole"
    done = run(installed / "clusterprint", "synth", GOLDENS, "--out", brought, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    here = (sys.executable, "-m", "clusterprint")
    done = run(*here, "synth", GOLDENS, "--out", whole, cwd=ROOT, CLUSTERPRINT_BINDINGS="full")
    assert done.returncode == 0, done.stderr
    assert contents(brought) == contents(whole)
    assert any(file.name == "cdk.tf.json" for file in contents(whole))


def contents(folder: Path) -> dict[Path, bytes]:
    return {file.relative_to(folder): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_it_names_where_its_bindings_come_from(dist: Path) -> None:
    with zipfile.ZipFile(next(dist.glob("clusterprint-*.whl"))) as wheel:
        texts = {
            name.removeprefix("clusterprint/_assets/bindings/"): wheel.read(name).decode()
            for name in wheel.namelist()
            if "/_assets/bindings/" in name and name.endswith(("/NOTICE.md", "/LICENSE"))
        }
    providers = {name.rpartition("/")[0] for name in texts}
    assert providers == {
        f"{engine}cdktf_cdktf_provider_{each}"
        for engine in ("", "cdktn/")
        for each in ("azurerm", "google", "helm", "kubernetes")
    }
    for provider in providers:
        assert "Mozilla Public License" in texts[f"{provider}/LICENSE"]
        assert "sources: https://github.com/" in texts[f"{provider}/NOTICE.md"]
