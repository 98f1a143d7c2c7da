"""The other actors of a cluster: users, the controllers of JobSets and Jobs, the scheduler, nodes."""

from collections.abc import Mapping
from typing import Any

from api_server import ApiServer
from container_api import ContainerApi
from patches import Object

JOBSETS, JOBS, PODS, NODES = "jobset.x-k8s.io/jobsets", "batch/jobs", "/pods", "/nodes"
UNSCHEDULED = "0/7 nodes are available: 7 node(s) didn't match"
V5P = {"cloud.google.com/gke-tpu-accelerator": "tpu-v5p-slice", "cloud.google.com/gke-tpu-topology": "2x2x2"}


class Users:
    """They act on both APIs."""

    api: ApiServer
    cloud: ContainerApi

    def jobset(self, name: str, namespace: str = "default", **given: Any) -> Object:
        """A JobSet with one job of two pods, all of which wait; `given` as `pod` takes it."""
        annotations = given.pop("annotations", {})
        jobset = self.api.put(
            JOBSETS,
            {
                "metadata": {
                    "name": name,
                    "namespace": namespace,
                    "annotations": annotations,
                    "creationTimestamp": "2026-11-22T00:00:00Z",
                },
                "spec": {"suspend": False},
                "status": {"conditions": []},
            },
        )
        self.job(f"{name}-slice-0", namespace, of=jobset, **given)
        return jobset

    def job(self, name: str, namespace: str = "default", *, of: Object | None = None, **given: Any) -> Object:
        """A job, of a JobSet or alone, and its pods."""
        count = given.pop("pods", 2)
        meta: Object = {
            "name": name,
            "namespace": namespace,
            "annotations": given.pop("annotations", {}),
            "creationTimestamp": "2026-11-22T00:00:00Z",
        }
        if of is not None:
            meta["ownerReferences"] = [_owner("JobSet", of)]
            given["jobset"] = of["metadata"]["name"]
        spec = {"parallelism": count}
        job = self.api.put(JOBS, {"kind": "Job", "metadata": meta, "spec": spec, "status": {}})
        for index in range(count):
            self.pod(f"{name}-{index}", namespace, of=job, index=index, **given)
        return job

    def pod(  # noqa: PLR0913 - what a pod may say
        self,
        name: str,
        namespace: str = "default",
        *,
        of: Object | None,
        index: int | None = 0,
        jobset: str = "",
        selector: Mapping[str, str] = V5P,
        chips: int = 4,
        resource: str = "google.com/tpu",
        labels: Mapping[str, str] | None = None,
        pod_annotations: Mapping[str, str] | None = None,
        tolerations: list[Object] | None = None,
        affinity: Object | None = None,
        requests: Mapping[str, str | int] | None = None,
        node: str = "",
    ) -> Object:
        """A pod, which waits for a node unless it has one."""
        meta: Object = {
            "name": name,
            "namespace": namespace,
            "labels": {**({"jobset.sigs.k8s.io/jobset-name": jobset} if jobset else {}), **(labels or {})},
            "annotations": {
                **({"batch.kubernetes.io/job-completion-index": str(index)} if index is not None else {}),
                **(pod_annotations or {}),
            },
        }
        if of is not None:
            meta["ownerReferences"] = [_owner(of["kind"], of)]
        return self.api.put(
            PODS,
            {
                "metadata": meta,
                "spec": {
                    "nodeSelector": dict(selector),
                    "containers": [
                        {
                            "name": "c",
                            "resources": {
                                "requests": {resource: str(chips), "cpu": "500m", **(requests or {})}
                            },
                        }
                    ],
                    "tolerations": tolerations or [],
                    **({"affinity": affinity} if affinity else {}),
                    **({"nodeName": node} if node else {}),
                },
                "status": {
                    "phase": "Running" if node else "Pending",
                    "conditions": [
                        {
                            "type": "PodScheduled",
                            "status": "True" if node else "False",
                            "reason": "Unschedulable",
                            "message": UNSCHEDULED,
                        }
                    ],
                },
            },
        )

    def schedule(self) -> None:
        """Put pods that wait on nodes with what they select, one on each."""
        pods, taken = self.api.all(PODS), set()
        for pod in pods:
            taken.add(pod["spec"].get("nodeName", ""))
        for pod in pods:
            if pod["status"]["phase"] != "Pending" or pod["spec"].get("nodeName"):
                continue
            for node in self.api.all(NODES):
                name, has = node["metadata"]["name"], node["metadata"]["labels"]
                if name not in taken and pod["spec"]["nodeSelector"].items() <= has.items():
                    taken.add(name)
                    pod["spec"]["nodeName"] = name
                    pod["status"] = {"phase": "Running", "conditions": []}
                    self.api.put(PODS, pod)
                    break

    def end(self, name: str, condition: str = "Completed", namespace: str = "default") -> None:
        """A JobSet ends, and with it its jobs and pods."""
        self._set(JOBSETS, namespace, name, condition)
        self._end_jobs(namespace, name, {"Completed": "Complete"}.get(condition, condition))

    def suspend(self, name: str, namespace: str = "default") -> None:
        """A JobSet is suspended: its jobs lose their pods."""
        self.api.change(JOBSETS, namespace, name, lambda each: each["spec"].update(suspend=True))
        for job in self._jobs_of(namespace, name):
            self.api.change(
                JOBS, namespace, job["metadata"]["name"], lambda each: each["spec"].update(suspend=True)
            )
            self._remove_pods(namespace, job)

    def delete(self, name: str, namespace: str = "default") -> None:
        """A JobSet is deleted, with everything of it."""
        for job in self._jobs_of(namespace, name):
            self._remove_pods(namespace, job)
            self.api.remove(JOBS, namespace, job["metadata"]["name"])
        self.api.remove(JOBSETS, namespace, name)

    def condition(self, name: str, namespace: str = "default") -> Object | None:
        """The events of the provisioner on a JobSet."""
        jobset = self.api.get(JOBSETS, namespace, name)
        assert jobset is not None
        return next((e for e in jobset["status"]["conditions"] if e["type"] == "SliceProvisioned"), None)

    def events(self) -> list[str]:
        """The reasons of all events, in the order in which they came."""
        events = sorted(self.api.all("/events"), key=lambda each: int(each["metadata"]["resourceVersion"]))
        return [each["reason"] for each in events]

    def pools(self) -> list[str]:
        """The names of the pools that are there."""
        return sorted(self.cloud.pools)

    def _set(self, kind: str, namespace: str, name: str, condition: str) -> None:
        def finish(object_: Object) -> None:
            object_["status"].setdefault("conditions", []).append({"type": condition, "status": "True"})

        self.api.change(kind, namespace, name, finish)

    def _jobs_of(self, namespace: str, jobset: str) -> list[Object]:
        return [
            each
            for each in self.api.all(JOBS)
            if each["metadata"]["namespace"] == namespace
            and any(owner["name"] == jobset for owner in each["metadata"].get("ownerReferences", []))
        ]

    def _end_jobs(self, namespace: str, jobset: str, condition: str) -> None:
        for job in self._jobs_of(namespace, jobset):
            self._set(JOBS, namespace, job["metadata"]["name"], condition)
            for pod in self._pods_of(namespace, job):
                pod["status"] = {"phase": "Succeeded", "conditions": []}
                self.api.put(PODS, pod)

    def _remove_pods(self, namespace: str, job: Object) -> None:
        for pod in self._pods_of(namespace, job):
            self.api.remove(PODS, namespace, pod["metadata"]["name"])

    def _pods_of(self, namespace: str, job: Object) -> list[Object]:
        uid = job["metadata"]["uid"]
        return [
            each
            for each in self.api.all(PODS)
            if each["metadata"]["namespace"] == namespace
            and any(owner["uid"] == uid for owner in each["metadata"].get("ownerReferences", []))
        ]

    def _nodes_come(self, pool: Object) -> None:
        config = pool["config"]
        labels = {
            **config.get("labels", {}),
            "cloud.google.com/gke-nodepool": pool["name"],
            "cloud.google.com/gke-tpu-accelerator": "tpu-v5p-slice",
            "cloud.google.com/gke-tpu-topology": pool.get("placementPolicy", {}).get("tpuTopology", ""),
            **({"cloud.google.com/gke-spot": "true"} if config.get("spot") else {}),
            "node.kubernetes.io/instance-type": config["machineType"],
        }
        for index in range(pool.get("initialNodeCount", 0)):
            self.api.put(NODES, {"metadata": {"name": f"gke-{pool['name']}-{index}", "labels": labels}})

    def _nodes_go(self, pool: Object) -> None:
        for node in self.api.all(NODES):
            if node["metadata"]["labels"]["cloud.google.com/gke-nodepool"] == pool["name"]:
                self.api.remove(NODES, "", node["metadata"]["name"])


def _owner(kind: str, object_: Object) -> Object:
    meta = object_["metadata"]
    return {"kind": kind, "name": meta["name"], "uid": meta["uid"], "controller": True}
