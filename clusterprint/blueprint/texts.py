"""Text types that several parts share, each with a pattern and a description in words.

Each pattern carries `patternErrorMessage`, which editors and the validator show instead of the
pattern. It completes the sentence "<value> is not <message>".
"""

from typing import Annotated, Any

from msgspec import Meta


def looks_like(pattern: str, words: str, *examples: str, name_of: str = "") -> Meta:
    """Describe a text type: its pattern, the same in words, and examples of it.

    `name_of` says what the text is a name of, where the catalog knows such names: a function of
    `did_you_mean` then says what was meant by a text of another form.
    """
    extra = {"patternErrorMessage": words} | ({"nameOf": name_of} if name_of else {})
    return Meta(pattern=pattern, examples=list(examples), extra_json_schema=extra)


def choice(*, values: dict[str, str], **more: Any) -> Meta:
    """Describe a text of few values: what each means, as the schema tells editors; `more` is as of Meta."""
    return Meta(extra_json_schema={"enumDescriptions": values}, **more)


ClusterName = Annotated[
    str,
    looks_like(
        "^[a-z]([-a-z0-9]{0,18}[a-z0-9])?$",
        "a cluster name: 1 to 20 lower-case letters, digits and hyphens, starting with a letter and "
        "not ending with a hyphen",
        "spani",
    ),
]

ResourceName = Annotated[
    str,
    looks_like(
        "^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$",
        "a resource name: 1 to 63 lower-case letters, digits and hyphens, starting with a letter and "
        "not ending with a hyphen",
        "my-network",
    ),
]

ServiceName = Annotated[
    str,
    looks_like(
        "^[a-z][-a-z0-9]{0,62}\\.googleapis\\.com$",
        "the name of an API of Google Cloud, such as servicehealth.googleapis.com",
        "servicehealth.googleapis.com",
    ),
]

ProjectId = Annotated[
    str,
    looks_like(
        "^([a-z0-9][-a-z0-9.]*:)?[a-z][-a-z0-9]{4,28}[a-z0-9]$",
        "a project id: 6 to 30 lower-case letters, digits and hyphens, starting with a letter and not "
        "ending with a hyphen",
        "supercomputer-testing",
    ),
]

Region = Annotated[
    str,
    looks_like(
        "^[a-z]+-[a-z]+[0-9]+$",
        "the name of a Google Cloud region, such as us-central1",
        "us-central1",
        name_of="region",
    ),
]

Zone = Annotated[
    str,
    looks_like(
        "^[a-z]+-[a-z]+[0-9]+-[a-z0-9]+$",
        "the name of a Google Cloud zone, such as us-central1-f",
        "us-central1-f",
        name_of="zone",
    ),
]

BucketName = Annotated[
    str,
    looks_like(
        "^[a-z0-9][-_.a-z0-9]{1,220}[a-z0-9]$",
        "a bucket name: at least three lower-case letters, digits, hyphens, underscores and dots, "
        "starting and ending with a letter or digit, without the gs:// prefix",
        "my-bucket",
    ),
]

Moment = Annotated[
    str,
    looks_like(
        "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$",
        "a time in UTC, such as 2026-12-01T00:00:00Z",
        "2026-12-01T00:00:00Z",
    ),
]

LabelKey = Annotated[
    str,
    looks_like(
        "^[a-z][-_a-z0-9]{0,62}$",
        "a label key: 1 to 63 lower-case letters, digits, hyphens and underscores, starting with a letter",
        "team",
    ),
]

LabelValue = Annotated[
    str,
    looks_like(
        "^[-_a-z0-9]{0,63}$",
        "a label value: at most 63 lower-case letters, digits, hyphens and underscores",
        "ml",
    ),
]

HostName = Annotated[
    str,
    looks_like(
        "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$",
        "a host name, such as ray.example.internal",
        "ray.example.internal",
    ),
]

_BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"

#: An address of IPv4.
IPV4 = f"^{_BYTE}(\\.{_BYTE}){{3}}$"

Cidr = Annotated[
    str,
    looks_like(
        "^[0-9]{1,3}(\\.[0-9]{1,3}){3}/[0-9]{1,2}$",
        "an IPv4 range in CIDR notation, such as 10.0.0.0/16",
        "10.0.0.0/16",
    ),
]

Duration = Annotated[
    str,
    looks_like(
        "^[1-9][0-9]{0,8}[smhd]$",
        "a duration: a whole number followed by s, m, h or d, such as 30m or 7d",
        "90s",
        "30m",
        "7d",
    ),
]

ServiceAccountEmail = Annotated[
    str,
    looks_like(
        "^[-a-z0-9]+@[-a-z0-9.]+\\.gserviceaccount\\.com$",
        "the e-mail address of a service account",
        "trainer@my-project.iam.gserviceaccount.com",
    ),
]

IamRole = Annotated[
    str,
    looks_like(
        "^(roles/[A-Za-z0-9_.]+|projects/[-a-z0-9.:]+/roles/[A-Za-z0-9_.]+|organizations/[0-9]+/roles/[A-Za-z0-9_.]+)$",
        "the full name of an IAM role, such as roles/artifactregistry.reader",
        "roles/artifactregistry.reader",
    ),
]

# A destination on a node: absolute and without `..`, so that nothing is written in an unexpected place.
NodePath = Annotated[
    str,
    looks_like(
        "^(/(?!\\.{1,2}(/|$))[-_.+@A-Za-z0-9]+)+/?$",
        "an absolute path on the nodes: letters, digits and -_.+@ between slashes, without . or .. parts",
        "/mnt/data",
    ),
]

# A file or folder beside the blueprint. A rule checks that it stays inside the blueprint's folder.
_BESIDE = "^(?![/~])[^\\x00-\\x1f\\x7f]+$"
_BESIDE_IN_WORDS = "a path relative to the blueprint's folder (it cannot start with / or ~)"

LocalPath = Annotated[str, looks_like(_BESIDE, _BESIDE_IN_WORDS, "./scripts")]

#: The same for a part that is written as its path.
LOCAL_PATH_FORM = {"pattern": _BESIDE, "patternErrorMessage": _BESIDE_IN_WORDS}

# Everything that is made for a job has a longer name, of at most 63 characters.
JobName = Annotated[
    str,
    looks_like(
        "^[a-z]([-a-z0-9]{0,28}[a-z0-9])?$",
        "the name of a job: 1 to 30 lower-case letters, digits and hyphens, starting with a letter and not "
        "ending with a hyphen",
        "hpl",
    ),
]

#: The project of a resource, as `there`.
IN_PROJECT = r"projects/(?P<there>[^/]+)/"

#: What begins like this names no image by its digest.
NO_DIGEST = "(?!.*@sha256:)"

ContainerImage = Annotated[
    str,
    looks_like(
        "^[a-zA-Z0-9][-._a-zA-Z0-9]*(:[0-9]{1,5})?(/[a-z0-9]+([-._a-z0-9]*[a-z0-9])?)*"
        "(:[A-Za-z0-9_][-._A-Za-z0-9]{0,127})?(@sha256:[0-9a-f]{64})?$",
        "a container image, such as us-docker.pkg.dev/my-project/images/trainer:v1",
        "us-docker.pkg.dev/my-project/images/trainer:v1",
    ),
]

# Control characters cannot be carried into Kubernetes; line breaks and tabs can.
PlainText = Annotated[
    str,
    looks_like(
        "^[^\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]*$",
        "text without control characters",
        "xhpl",
    ),
]

EnvironmentName = Annotated[
    str,
    looks_like(
        "^[A-Za-z_][A-Za-z0-9_]*$",
        "the name of an environment variable: letters, digits and underscores, not starting with a digit",
        "OMP_NUM_THREADS",
    ),
]

#: The version of Ray where a blueprint names none.
RAY_VERSION = "2.55.0"

RayVersion = Annotated[
    str,
    looks_like("^[0-9]+\\.[0-9]+\\.[0-9]+$", "a Ray version, such as 2.55.0", "2.55.0"),
]

KmsKey = Annotated[
    str,
    looks_like(
        "^projects/[-a-z0-9.:]+/locations/[-a-z0-9]+/keyRings/[-_A-Za-z0-9]+/cryptoKeys/[-_A-Za-z0-9]+$",
        "the full name of a key in Cloud KMS: projects/P/locations/L/keyRings/R/cryptoKeys/K",
        "projects/my-project/locations/us-central1/keyRings/disks/cryptoKeys/boot",
    ),
]
