"""Software installed inside a cluster: text types, and parts that several components share."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.content import TextFile
from clusterprint.blueprint.gke.texts import KubernetesName
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Excludes, Needs, Relation, when
from clusterprint.blueprint.texts import JobName, LocalPath, looks_like

ChartVersion = Annotated[
    str,
    looks_like(
        "^v?[0-9]+\\.[0-9]+\\.[0-9]+([-+][-.+0-9A-Za-z]+)?$",
        "an exact chart version, such as 0.10.1",
        "0.10.1",
    ),
]

ChartLocation = Annotated[
    str,
    looks_like(
        "^(oci|https)://[-.:a-zA-Z0-9]+(/[-._a-zA-Z0-9]+)+$",
        "the location of a chart: oci://REGISTRY/PATH/CHART or https://REPOSITORY/CHART",
        "oci://us-docker.pkg.dev/my-project/charts/jobset",
    ),
]


class ChartValues(TextFile, frozen=True, kw_only=True):
    """Values of a Helm chart in YAML, in a file or inline: exactly one of the two.

    Do not include secrets: they would be readable in the repository and in the state.
    """

    noun = "set of values"
    descriptions = ("File beside the blueprint, with the values.", "The values themselves.")
    examples = ("./values.yaml", "replicaCount: 2\n")


ManifestUrl = Annotated[
    str,
    looks_like(
        "^https://[-.a-zA-Z0-9]+(:[0-9]{1,5})?/[-._~%!$&'()*+,;=:@/?a-zA-Z0-9]+$",
        "the https URL of a file",
        "https://example.com/objects/v1.2.0/objects.yaml",
    ),
    Meta(max_length=2048),
]

Sha256 = Annotated[
    str,
    looks_like(
        "^[0-9a-f]{64}$",
        "a SHA-256 checksum: 64 digits and letters from a to f",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    ),
]


class Chart(Part, frozen=True, kw_only=True):
    """A component that is installed with its own Helm chart."""

    version: Annotated[
        ChartVersion | UnsetType,
        Meta(description="Chart version. Left out: the version that this release of clusterprint pins."),
    ] = UNSET
    location: Annotated[
        ChartLocation | UnsetType,
        Meta(
            description="Location of the chart, for example of a mirror. Left out: where the project "
            "publishes it."
        ),
    ] = UNSET
    values: Annotated[
        ChartValues | UnsetType,
        Meta(description="Values of the chart, on top of those that clusterprint sets."),
    ] = UNSET


class HelmChart(Part, frozen=True, kw_only=True):
    """A Helm chart of your own, in exactly one version."""

    name: Annotated[JobName, Meta(description="Name of the release.", examples=["vector"])]
    namespace: Annotated[KubernetesName, Meta(description="Namespace of the release.")] = "default"
    location: Annotated[
        ChartLocation,
        Meta(
            description="Location of the chart: oci://REGISTRY/PATH/CHART or https://REPOSITORY/CHART.",
            examples=["https://helm.vector.dev/vector"],
        ),
    ]
    version: Annotated[ChartVersion, Meta(description="Exact chart version.", examples=["0.46.0"])]
    values: Annotated[
        ChartValues | UnsetType, Meta(description="Values of the chart. Left out: the chart's own.")
    ] = UNSET
    wait: Annotated[bool, Meta(description="Wait until everything in the chart is ready.")] = True


class Manifest(TextFile, frozen=True, kw_only=True):
    """Kubernetes objects in YAML, in a file or inline: exactly one of the two.

    They are applied unchanged. Do not include secrets: they would be readable in the repository and in the
    state. For a third-party file, also give `url` and `sha256`: `clusterprint vendor` fetches it, and
    it is committed beside the blueprint, so that reviews show it and nothing depends on the network.
    """

    relations: ClassVar[tuple[Relation, ...]] = (
        Needs("GKE454", when("kustomization"), when("file")),
        Excludes("GKE454", when("kustomization"), when("url")),
        *(
            Needs("GKE360", when(there), when(lacking))
            for there, lacking in (("url", "sha256"), ("sha256", "url"))
        ),
        Needs("GKE360", when("url"), when("file"), given=(when("sha256"),), words="file"),
    )

    noun = "manifest"
    descriptions = ("File beside the blueprint, with one or more objects.", "The objects themselves.")
    examples = ("./jobset.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n")

    url: Annotated[
        ManifestUrl | UnsetType,
        Meta(description="URL that `clusterprint vendor` fetches `file` from. Requires `sha256`."),
    ] = UNSET
    sha256: Annotated[
        Sha256 | UnsetType, Meta(description="Checksum that `file` must have. Requires `url`.")
    ] = UNSET
    kustomization: Annotated[
        LocalPath | UnsetType,
        Meta(
            description="Folder beside the blueprint with a kustomization that `clusterprint vendor` renders "
            "`file` from, with kubectl; nothing else does.",
            examples=["./overlays/production"],
        ),
    ] = UNSET
