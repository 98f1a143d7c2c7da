"""Text types that Kubernetes blueprints share."""

from typing import Annotated

from clusterprint.blueprint.texts import looks_like

PoolName = Annotated[
    str,
    looks_like(
        "^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$",
        "the name of a node pool: 1 to 40 lower-case letters, digits and hyphens, starting with a letter "
        "and not ending with a hyphen",
        "workers",
    ),
]

KubernetesName = Annotated[
    str,
    looks_like(
        "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$",
        "a Kubernetes name: 1 to 63 lower-case letters, digits and hyphens, starting and ending with a "
        "letter or digit",
        "trainer",
    ),
]

NodeLabelKey = Annotated[
    str,
    looks_like(
        "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
        "[A-Za-z0-9]([-_.A-Za-z0-9]{0,61}[A-Za-z0-9])?$",
        "a Kubernetes label key: a name of at most 63 letters, digits and -_., with an optional domain and "
        "slash before it",
        "team",
        "example.com/team",
    ),
]

NodeLabelValue = Annotated[
    str,
    looks_like(
        "^([A-Za-z0-9]([-_.A-Za-z0-9]{0,61}[A-Za-z0-9])?)?$",
        "a Kubernetes label value: at most 63 letters, digits and -_., starting and ending with a letter "
        "or digit",
        "research",
    ),
]

_ID = "^[-_a-zA-Z0-9]{1,255}$"
_ID_IN_WORDS = "the name of a secret: at most 255 letters, digits, hyphens and underscores"

SecretName = Annotated[str, looks_like(_ID, _ID_IN_WORDS, "my-secret")]

#: The same for whatever is either that or a map.
SECRET_FORM = {"pattern": _ID, "patternErrorMessage": _ID_IN_WORDS}
