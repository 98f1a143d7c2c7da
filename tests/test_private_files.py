"""Private files are refused in every field that would publish them."""

import gzip
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from clusterprint.diagnostic import Diagnostic
from clusterprint.examine import examine
from clusterprint.files.tree import landing
from clusterprint.rules._private import _FILES, _is_called

VM = """\
clusterprint: v1
kind: vm
name: first
project: my-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
nodes: {machine_type: n2-standard-2}
"""
GKE = """\
clusterprint: v1
kind: gke
name: first
project: my-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
node_pools: [{name: workers, machine_type: n2-standard-8, count: 3}]
"""
JOB = "{name: a, image: my/a:v1, workers: 3, command: [a], files: [{source: %s, destination: /data}]}"

# Each way in which a blueprint names a file.
WAYS = {
    "files": f"{VM}files: [{{source: %s}}]\n",
    "startup_script": f"{VM}startup_script: {{file: %s}}\n",
    "manifests": f"{GKE}workloads: {{manifests: [{{file: %s}}]}}\n",
    "job files": f"{GKE}workloads: {{mpi: {{jobs: [{JOB}]}}}}\n",
}
PRIVATE = [
    ".git/config",
    ".git/modules/a/config",
    "sub/.git",
    ".terraform/terraform.tfstate",
    "terraform.tfstate",
    "prod.tfstate.1700000000.backup",
    "terraform.tfvars",
    ".env",
    ".env.production",
    "prod.env",
    "auth.json",
    ".config/huggingface/token",
    ".envrc",
    "id_rsa",
    "ID_ED25519",
    "tls.pem",
    "server.key",
    "client.pfx",
    "kubeconfig",
    ".minikube/profiles/a/client.crt",
    ".config/hcloud/cli.toml",
    ".modal.toml",
    "http.keytab",
    ".kube/config",
    ".netrc",
    ".git-credentials",
    "application_default_credentials.json",
    *(".config/gcloud/access_tokens.db", "gha-creds-0a1b2c.json", ".docker/config.json", ".npmrc", ".boto"),
    *(".s3cfg", ".databrickscfg", ".vault-token", ".huggingface/token", "kaggle.json", ".oci/config"),
    *("store.jks", "vault.kdbx", ".my.cnf", ".htpasswd", ".bash_history", ".psql_history", ".dockercfg"),
    *("key.pem~", "my.pem.bak", ".git-credentials.bak", ".id_rsa.swp", "id_rsa.old", ".env.orig"),
    *(
        "terraform.tfstate.backup~",
        "kaggle.json.20261126",
        "putty.ppk",
        ".ngc/config",
        ".cargo/credentials.toml",
    ),
    *("prod.tfvars", "x/prod.tfvars.json", "a.tfplan", "client_secret_1.apps.googleusercontent.com.json"),
    *(".config/glab-cli/config.yml", ".codex/auth.json", ".curlrc", ".streamlit/secrets.toml"),
    *(".lambda_cloud/lambda_keys", ".runpod/config.toml", ".config/hub", "credentials.json"),
]
KEY = "-----BEGIN {}PRIVATE KEY-----\nMIIE\n"


def private(found: list[Diagnostic]) -> list[str]:
    return [each.message for each in found if each.code == "BP241"]


def examined(tmp_path: Path, text: str) -> list[Diagnostic]:
    (tmp_path / "first.yaml").write_text(text)
    return examine([tmp_path / "first.yaml"]).diagnostics


def laid(folder: Path, name: str, content: str = "x\n") -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(content)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", PRIVATE)
def test_it_is_refused_by_name(way: str, name: str, tmp_path: Path) -> None:
    laid(tmp_path, name)
    [message] = private(examined(tmp_path, WAYS[way] % name))
    assert message.startswith(f"{name} is ")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ["", "RSA ", "OPENSSH ", "ENCRYPTED ", "EC "])
def test_it_is_refused_by_what_is_in_it(way: str, kind: str, tmp_path: Path) -> None:
    laid(tmp_path, "notes.txt", f"{'.' * 100_000}\n{KEY.format(kind)}")
    assert private(examined(tmp_path, WAYS[way] % "notes.txt")) == [
        "notes.txt is a private key, and must not be uploaded"
    ]


DER = b"\x30\x82\x04\xbe\x02\x01\x00\x30\x0d\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01"
KEYS = {
    "UTF-16": KEY.format("RSA ").encode("utf-16"),
    "UTF-16 without a mark": KEY.format("").encode("utf-16-be"),
    "gzip": gzip.compress(KEY.format("OPENSSH ").encode()),
    "gzip of DER": gzip.compress(DER),
    "PKCS #8": DER,
    "PKCS #1": b"\x30\x82\x04\xa4\x02\x01\x00\x02\x82\x01\x01\x00",
    "SEC 1": b"\x30\x77\x02\x01\x01\x04\x20" + b"x" * 32,
    "PKCS #12": b"\x30\x82\x0a\x00\x02\x01\x03\x30\x82",
    "JWK": b'{"kty": "EC", "crv": "P-256", "x": "abc", "d": "' + b"x" * 43 + b'"}',
    "Java": b"\xfe\xed\xfe\xed\x00\x00\x00\x02",
}
NO_KEYS = {
    "certificate in DER": b"\x30\x82\x03\x00\x30\x82\x02\x00\xa0\x03\x02\x01\x02",
    "public JWK": b'{"kty": "EC", "crv": "P-256", "x": "' + b"x" * 43 + b'"}',
    "packed text": gzip.compress(b"nothing"),
    "broken pack": b"\x1f\x8bnothing",
    "zeros": bytes(1000),
    "digits": b"0" * 100,
}


@pytest.mark.parametrize("form", [*KEYS, *NO_KEYS])
def test_keys_are_known_in_any_encoding(form: str, tmp_path: Path) -> None:
    (tmp_path / "data.bin").write_bytes((KEYS | NO_KEYS)[form])
    assert bool(private(examined(tmp_path, WAYS["files"] % "data.bin"))) == (form in KEYS)


def test_a_repository_is_not_uploaded_with_the_folder_it_is_in(tmp_path: Path) -> None:
    for name in ("run.sh", ".git/config", ".git/HEAD", "deep/.terraform/x", "deep/id_rsa"):
        laid(tmp_path, name)
    found = examined(tmp_path, WAYS["files"] % ".")
    [message] = private(found)
    assert message.startswith(
        ". holds .git (the data of a git repository, often with a token), and 2 more such"
    )
    [diagnostic] = [each for each in found if each.code == "BP241"]
    assert diagnostic.place.span is not None
    assert diagnostic.place.span.line == 9
    assert "name a folder that holds only what the nodes need" in diagnostic.help


def test_no_comment_lets_it_pass(tmp_path: Path) -> None:
    laid(tmp_path, ".env")
    text = (WAYS["files"] % ".env").replace("files:", "# clusterprint: ignore[BP241] we know\nfiles:")
    assert private(examined(tmp_path, text))


@pytest.mark.parametrize("name", ["notes.txt", "tree/notes.txt"])
def test_a_link_is_what_it_leads_to(name: str, tmp_path: Path) -> None:
    laid(tmp_path, ".git/config")
    (tmp_path / "tree").mkdir()
    (tmp_path / name).symlink_to(tmp_path / ".git" / "config")
    assert private(examined(tmp_path, WAYS["files"] % name.partition("/")[0]))


@pytest.mark.parametrize(
    "name",
    [
        "ca.pem",
        "environment",
        "id_rsa.pub",
        "keys.txt",
        ".gitignore",
        "a.keys",
        "ca.pem.bak",
        "config.json",
        "README.md",
        "token",
        "docker/config.json",
        "history",
        "credentials.md",
        "sw.js",
        "git/config",
    ],
)
def test_what_only_sounds_like_it_goes(name: str, tmp_path: Path) -> None:
    laid(tmp_path, name, "-----BEGIN CERTIFICATE-----\nMIIB\n")
    assert examined(tmp_path, WAYS["files"] % name) == []


def test_another_secret_beside_it_is_reported_too(tmp_path: Path) -> None:
    laid(tmp_path, "tree/id_rsa", KEY.format(""))
    laid(tmp_path, "tree/run.sh", "export AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE\n")
    found = examined(tmp_path, WAYS["files"] % "tree")
    assert [each.code for each in found] == ["BP231", "BP241"]


@pytest.fixture
def deep(tmp_path: Path) -> Iterator[Path]:
    """A folder 1,500 deep in `tree`; taken away one by one, for Python's own way recurses."""
    folders = [tmp_path / "tree"]
    folders += [tmp_path.joinpath("tree", *["d"] * depth) for depth in range(1, 1500)]
    for folder in folders:
        folder.mkdir()
    yield folders[-1]
    for file in folders[-1].iterdir():
        file.unlink()
    for folder in reversed(folders):
        folder.rmdir()


@pytest.mark.slow
def test_a_very_deep_folder_is_looked_through(deep: Path, tmp_path: Path) -> None:
    (deep / "id_rsa").write_text("x")
    found = examined(tmp_path, WAYS["files"] % "tree")
    assert len(private(found)) == 1
    assert not [each for each in found if "failed" in each.message]


@pytest.mark.slow
def test_a_very_deep_folder_is_planned(deep: Path, tmp_path: Path) -> None:
    (deep / "data").write_text("x")
    assert [path for path, _ in landing(tmp_path / "tree", "/opt/", tmp_path)] == [
        "/".join(["/opt", *["d"] * 1499, "data"])
    ]


def test_a_plain_pattern_matches_as_any_other() -> None:
    names = [name.replace("*", some).replace("[0-9]", "0") for name in _FILES for some in ("", "a/b")]
    paths = [around.format(name) for name in names for around in ("{}", "a/{}", "a{}", "{}a")][::5]
    for name in _FILES:
        found = [each for each in paths if fnmatchcase(each, name) or fnmatchcase(each, f"*/{name}")]
        assert [each for each in paths if _is_called(each, name)] == found, name
