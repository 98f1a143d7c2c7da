"""Reports made by hand, with everything that a report can hold."""

from typing import Any

from clusterprint.review import model as m

PLACE = m.Place(file="blueprints/h200-train.yaml", line=14, column=10, key="nodes.count")
FORCED = m.Forcing(path="machine_type", source="terraform-provider-google 6.50.0: ForceNew")


def known(text: str) -> m.Value:
    """A value that is known."""
    return m.Value(state="known", text=text)


ABSENT, UNKNOWN, SENSITIVE = (m.Value(state=each) for each in ("absent", "unknown", "sensitive"))


def box(id: str, sort: Any, title: str, *lines: str, status: Any = "unchanged", inside: str = "") -> m.Box:
    """A box of a diagram."""
    return m.Box(id=id, sort=sort, title=title, lines=lines, status=status, inside=inside)


def link(start: str, end: str, text: str, status: Any = "unchanged") -> m.Link:
    """A line of a diagram."""
    return m.Link(start=start, end=end, text=text, status=status)


DIAGRAM = m.Diagram(
    boxes=(
        box("iap", "firewall", "Identity-Aware Proxy", "SSH from 35.235.240.0/20"),
        box("office", "firewall", "203.0.113.0/24", "SSH from the internet", status="added"),
        box("train", "cluster", "h200-train", "us-south1-b", "state: gs://my-terraform-state"),
        box(
            "nodes",
            "pool",
            "h200-train-nodes",
            "4 \N{RIGHTWARDS ARROW} 6 \N{MULTIPLICATION SIGN} a3-ultragpu-8g",
            "48 \N{MULTIPLICATION SIGN} H200 141GB",
            "flex-start, 3 days",
            status="changed",
            inside="train",
        ),
        box(
            "login",
            "pool",
            "h200-train-login",
            "1 \N{MULTIPLICATION SIGN} n2-standard-8",
            status="replaced",
            inside="train",
        ),
        box("net", "network", "h200-train-net", "10.16.0.0/16"),
        box("primary", "subnet", "h200-train-primary", "10.16.0.0/17, MTU 8896", inside="net"),
        box("gpu", "network", "h200-train-rdma", "RDMA, MTU 8896"),
        *(
            box(f"rdma{n}", "subnet", f"h200-train-rdma-{n}", f"10.16.{128 + n}.0/24", inside="gpu")
            for n in range(3)
        ),
        box("nat", "NAT", "Cloud NAT", "to the internet, no way in"),
        box("ckpt", "bucket", "h200-train-checkpoints", "mounted at /mnt/checkpoints"),
        box("data", "bucket", "my-shared-datasets", "mounted at /mnt/datasets, read only"),
        box("scratch", "bucket", "h200-train-scratch-of-the-old-experiments", status="removed"),
        box("home", "storage", "Filestore home", "2.5 TiB, zonal", status="added"),
    ),
    links=(
        link("iap", "login", "SSH"),
        link("office", "login", "SSH", "added"),
        link("nodes", "primary", "2 \N{MULTIPLICATION SIGN} gVNIC"),
        link("login", "primary", "gVNIC"),
        *(link("nodes", f"rdma{n}", "RDMA") for n in range(3)),
        link("primary", "nat", "egress"),
        link("nodes", "ckpt", "read, write"),
        link("nodes", "data", "read"),
        link("nodes", "scratch", "read, write", "removed"),
        link("login", "home", "NFS", "added"),
    ),
)

CLUSTER = m.Cluster(
    name="h200-train",
    kind="vm",
    status="changed",
    files=("blueprints/h200-train.yaml",),
    stacks=("h200-train",),
    counts=m.Counts(added=5, changed=2, removed=1, replaced=1, moved=1),
    causes=(
        m.Cause(place=PLACE, before="4", after="6"),
        m.Cause(
            place=m.Place(
                file="blueprints/h200-train.yaml", line=31, column=5, key="storage.volumes.scratch"
            ),
            before="there",
            after="",
        ),
        m.Cause(
            place=m.Place(file="blueprints/h200-train.yaml", line=40, column=5, key="startup_script"),
            before="",
            after="",
        ),
    ),
    groups=(
        m.Group(
            idea="storage",
            name="h200-train-scratch",
            status="removed",
            changes=(
                m.Change(
                    action="removed",
                    stack="h200-train",
                    address="google_storage_bucket.bucket_h200-train-scratch",
                    type="google_storage_bucket",
                    title="bucket h200-train-scratch",
                    instances=("google_storage_bucket.bucket_h200-train-scratch",),
                    causes=(1,),
                ),
            ),
        ),
        m.Group(
            idea="node pool",
            name="h200-train-login",
            status="replaced",
            changes=(
                m.Change(
                    action="replaced",
                    stack="h200-train",
                    address="google_compute_instance.login",
                    type="google_compute_instance",
                    title="instance h200-train-login",
                    instances=("google_compute_instance.login",),
                    values=(
                        m.ValueChange(
                            path="machine_type", before=known("n2-standard-4"), after=known("n2-standard-8")
                        ),
                        m.ValueChange(
                            path="network_interface.network_ip", before=known("10.16.0.9"), after=UNKNOWN
                        ),
                        m.ValueChange(path="metadata.token", before=SENSITIVE, after=SENSITIVE),
                    ),
                    forced_by=(FORCED,),
                    create_first=True,
                    reason="It cannot be updated in place.",
                ),
            ),
        ),
        m.Group(
            idea="node pool",
            name="h200-train-nodes",
            status="changed",
            changes=(
                m.Change(
                    action="added",
                    stack="h200-train",
                    address="google_compute_per_instance_config.nodes_config",
                    type="google_compute_per_instance_config",
                    title="nodes h200-train-4 and h200-train-5",
                    instances=(
                        'google_compute_per_instance_config.nodes_config["h200-train-4"]',
                        'google_compute_per_instance_config.nodes_config["h200-train-5"]',
                    ),
                    place=PLACE,
                    causes=(0,),
                ),
                m.Change(
                    action="changed",
                    stack="h200-train",
                    address="google_compute_instance_template.nodes_template",
                    type="google_compute_instance_template",
                    title="instance template",
                    instances=("google_compute_instance_template.nodes_template",),
                    values=(
                        m.ValueChange(
                            path="labels.team", before=known("pretraining"), after=known("posttraining")
                        ),
                        m.ValueChange(path="description", before=ABSENT, after=known("")),
                        m.ValueChange(
                            path="metadata.startup-script",
                            before=ABSENT,
                            after=ABSENT,
                            diff=(
                                m.DiffLine(sign="gap", text="12 lines that do not change"),
                                m.DiffLine(sign="same", text="set -euo pipefail"),
                                m.DiffLine(sign="removed", text="mount_bucket my-old-bucket /mnt/scratch"),
                                m.DiffLine(
                                    sign="added",
                                    text="export NCCL_DEBUG=INFO  # a comment too long for a phone",
                                ),
                                m.DiffLine(sign="added", text="export HF_TOKEN=" + "*" * 37),
                            ),
                        ),
                    ),
                    causes=(2,),
                ),
                m.Change(
                    action="moved",
                    stack="h200-train",
                    address="google_compute_firewall.ssh_iap",
                    previous_address="google_compute_firewall.ssh",
                    type="google_compute_firewall",
                    title="firewall rule",
                    instances=("google_compute_firewall.ssh_iap",),
                ),
            ),
        ),
    ),
    outputs=(
        m.OutputChange(stack="h200-train", name="nodes", before=known('["h200-train-0"]'), after=UNKNOWN),
    ),
    diagram=DIAGRAM,
    notes=("The files below ./scripts are compared by their names and sums only.",),
)

RISKS = (
    m.Risk(
        severity="critical",
        sort="data_loss",
        name="bucket_removed",
        message="Bucket h200-train-scratch is destroyed, with everything in it.",
        help="Take it out of the state first (terraform state rm), or keep it in the blueprint.",
        cluster="h200-train",
        addresses=("google_storage_bucket.bucket_h200-train-scratch",),
        place=m.Place(
            file="blueprints/h200-train.yaml", line=31, column=5, key="storage.volumes", side="base"
        ),
    ),
    m.Risk(
        severity="high",
        sort="downtime",
        name="nodes_replaced",
        message="Node h200-train-login is destroyed and recreated: who works on it is thrown off.",
        cluster="h200-train",
        addresses=("google_compute_instance.login",),
        place=PLACE,
    ),
    m.Risk(
        severity="medium",
        sort="quota",
        name="quota",
        message="16 H200 GPUs more must be within the quota of us-south1.",
        help="gcloud compute regions describe us-south1",
        cluster="h200-train",
    ),
)

REPORT = m.Report(
    verdict=m.Verdict(
        level="forbidden",
        line="Forbidden: 1 bucket is lost; 5 added, 2 changed, 1 replaced and 1 removed in 2 clusters",
        exit_code=5,
        counts=m.Counts(added=5, changed=2, removed=1, replaced=1, moved=1),
    ),
    sources=(m.Source(sort="synthesized", base="main (1f2e3d4)", head="pull/7 (9a8b7c6)"),),
    capacity=(
        m.Capacity(
            family="H200 141GB",
            unit="GPU",
            model="flex_start",
            before=m.Amount(nodes=4, most_nodes=4, accelerators=32, most_accelerators=32),
            after=m.Amount(nodes=6, most_nodes=6, accelerators=48, most_accelerators=48),
        ),
        m.Capacity(
            family="L4 24GB",
            unit="GPU",
            model="spot",
            before=m.Amount(),
            after=m.Amount(nodes=0, most_nodes=8, accelerators=0, most_accelerators=8),
        ),
        m.Capacity(
            family="CPU n2",
            unit="node",
            model="on_demand",
            before=m.Amount(nodes=1, most_nodes=1),
            after=m.Amount(nodes=1, most_nodes=1),
        ),
    ),
    cost=m.Cost(
        rows=(
            m.CostRow(
                cluster="h200-train",
                what="a3-ultragpu-8g",
                model="flex_start",
                before=None,
                after=None,
                why="the catalog has no price for flex-start",
            ),
            m.CostRow(
                cluster="l4-dev",
                what="g2-standard-8",
                model="spot",
                before=0,
                after=3.41,
                price=0.426,
                region="us-central1",
                source="Google Cloud: VM pricing",
                date="2026-08-20",
            ),
        ),
        per_hour=None,
        per_month=None,
        known_per_hour=3.41,
        note="Accelerators with their machines only; at the most that autoscaling allows.",
    ),
    risks=RISKS,
    policy=m.Policy(
        files=("clusterprint.policy.yaml",),
        version="main",
        allowed=("replacement",),
        findings=(
            m.PolicyFinding(
                file="clusterprint.policy.yaml",
                rule="data_loss",
                message="Nothing that holds data may be destroyed.",
                help="Ask the platform team to lift it: --allow data_loss",
                line=4,
                column=1,
                addresses=("google_storage_bucket.bucket_h200-train-scratch",),
            ),
            m.PolicyFinding(
                file="clusterprint.policy.yaml",
                rule="replacement",
                message="Nodes may be replaced only with a label.",
                help="",
                line=6,
                column=1,
                allowed_by="replacement",
            ),
        ),
    ),
    clusters=(
        CLUSTER,
        m.Cluster(
            name="l4-dev",
            kind="vm",
            status="added",
            files=("blueprints/l4-dev.yaml",),
            stacks=("l4-dev",),
            counts=m.Counts(added=1),
            causes=(),
            groups=(
                m.Group(
                    idea="network",
                    name="",
                    status="added",
                    changes=(
                        m.Change(
                            action="added",
                            stack="l4-dev",
                            address="google_compute_network.net",
                            type="google_compute_network",
                            title="network l4-dev",
                            instances=("google_compute_network.net",),
                        ),
                    ),
                ),
            ),
            outputs=(),
            diagram=m.Diagram(boxes=(box("c", "cluster", "l4-dev", "europe-west4-a", status="added"),)),
            previous_name="l4",
        ),
    ),
    drift=(
        m.Change(
            action="changed",
            stack="h200-train",
            address="google_compute_network.net",
            type="google_compute_network",
            title="network",
            instances=("google_compute_network.net",),
            values=(m.ValueChange(path="mtu", before=known("8896"), after=known("1460")),),
        ),
    ),
    checks=(
        m.Check(
            stack="h200-train",
            address="check.nodes",
            status="fail",
            messages=("4 nodes are ready, 6 were asked for.",),
        ),
    ),
    problems=(
        m.Problem(
            severity="warning",
            code="GCP004",
            message="a3-ultragpu-8g was not seen in us-south1-b",
            help="us-south1-c has it",
            file="blueprints/h200-train.yaml",
            line=9,
            column=7,
            side="both",
        ),
        m.Problem(
            severity="error",
            code="BP003",
            message="there is no key machine_typ",
            help="did you mean machine_type?",
            file="blueprints/new.yaml",
            line=None,
            column=None,
            side="head",
        ),
    ),
    commands=("git fetch origin pull/7/head", "clusterprint review --base main --head FETCH_HEAD blueprints"),
    notes=("Prices of flex-start capacity are not known.",),
)
