"""curl, as far as the scripts use it, in front of a metadata server and buckets in a JSON file.

{"attributes": {key: value}, "guest": {key: value}, "objects": {bucket: {name: text}}, "down": false,
"failures": n, "pages": {url: text}}; the next n requests for objects and pages fail. "asked" counts those.
"uploaded" are the names of objects that were put there, in order; with "refuses" none may be; with
"loses_answer" the next one is put there, and nobody hears of it.
"lease" is a file that several machines share: {"metageneration", "updated", "now", "metadata"}, in seconds;
with "faster" another machine changes it between this one's look and its own change.
"machines" are those of the cluster: {"id", "name", "zone", "address", "said", "idle"}; "asked_for" are names.
"stopped" are a zone, a group and its nodes for each request to stop some, which "refuses_to_stop" refuses.
"identity" are tokens of this machine by their audience, "identified" the audiences that were asked for;
"certificates" is what Google publishes, empty if it does not answer, "fetched" how often it was asked.
"""

import json
import os
import sys
import time
from pathlib import Path
from urllib.parse import parse_qs, unquote

FILE = Path(os.environ["WORLD"]) / "google.json"
world = json.loads(FILE.read_text())

method, url, data, headers, output, query = "GET", "", "", {}, "", {}
dump = ""
arguments = iter(sys.argv[1:])
for argument in arguments:
    if argument == "--request":
        method = next(arguments)
    elif argument == "--header":
        header = next(arguments)
        name, _, value = (sys.stdin.read() if header == "@-" else header).partition(":")
        headers[name.strip().lower()] = value.strip()
    elif argument == "--data-binary":
        data = next(arguments)
        data = sys.stdin.read() if data == "@-" else data
    elif argument == "--dump-header":
        dump = next(arguments)
    elif argument == "--output":
        output = next(arguments)
    elif argument == "--upload-file":
        data = Path(next(arguments)).read_text()
    elif argument == "--data-urlencode":
        name, _, value = next(arguments).partition("=")
        query[name] = value
    elif argument in {"--max-time", "--noproxy", "--speed-time", "--speed-limit", "--write-out"}:
        next(arguments)
    elif argument.startswith("http"):
        url = argument
_, _, server, path = url.split("/", 3)


def fail(status):
    print(f"curl: (22) The requested URL returned error: {status}", file=sys.stderr)
    sys.exit(22)


def save():
    aside = FILE.with_suffix(f".{os.getpid()}")
    aside.write_text(json.dumps(world))
    aside.replace(FILE)


def answer(text):
    if output:
        Path(output).write_text(text)
    else:
        print(text, end="")
    sys.exit(0)


if server == "metadata.google.internal":
    if world.get("metadata_down"):
        print("curl: (7) Failed to connect", file=sys.stderr)
        sys.exit(7)
    if headers.get("metadata-flavor") != "Google":
        fail(403)
    if path == "computeMetadata/v1/project/project-id":
        answer("my-project")
    path = path.removeprefix("computeMetadata/v1/instance/")
    if path in world:
        answer(world[path])
    if path == "name":
        answer(world.get("name", "spani-0"))
    if path == "id":
        answer(world.get("id", "1000"))
    if path == "service-accounts/default/identity":
        assert query["format"] == "full", query
        world.setdefault("identified", []).append(query["audience"])
        save()
        answer(world["identity"].get(query["audience"]) or fail(404))
    if path.startswith("network-interfaces/0/"):
        answer({"ip": "10.0.21.7", "subnetmask": "255.255.240.0"}[path.rpartition("/")[2]])
    if path == "service-accounts/default/token":
        answer('{"access_token":"t-1","expires_in":3599,"token_type":"Bearer"}')
    if path.startswith("attributes/"):
        key = path.removeprefix("attributes/")
        if key not in world["attributes"]:
            fail(404)
        answer(world["attributes"][key])
    if path.startswith("guest-attributes/clusterprint/"):
        if world["attributes"].get("enable-guest-attributes") != "TRUE":
            fail(403)
        assert method == "PUT", method
        key = path.removeprefix("guest-attributes/clusterprint/")
        world.setdefault("guest", {})[key] = data
        world.setdefault("said", []).append([key, data])
        save()
        sys.exit(0)
    fail(404)

world["asked"] = world.get("asked", 0) + 1
if world.get("down"):
    save()
    print("curl: (6) Could not resolve host", file=sys.stderr)
    sys.exit(6)
if world.get("failures", 0):
    world["failures"] -= 1
    save()
    fail(503)
save()
if server.endswith(":8265") and not world.get("pages", {}).get(url):
    fail(404)
if url == "https://www.googleapis.com/oauth2/v1/certs" and "certificates" in world:
    world["fetched"] = world.get("fetched", 0) + 1
    save()
    answer(world["certificates"] or fail(503))
if url in world.get("pages", {}):
    answer(world["pages"][url])
if server == "compute.googleapis.com":
    if headers.get("authorization") != "Bearer t-1":
        fail(401)
    machines = world.get("machines", [])
    if path.startswith("compute/v1/projects/my-project/aggregated/instances"):
        assert query["filter"] == "labels.clusterprint=spani AND status=RUNNING", query
        page = int(query.get("pageToken", 0))
        size = world.get("page_size", 2)
        zones = {}
        for machine in machines[page : page + size]:
            zone = f"https://www.googleapis.com/compute/v1/projects/my-project/zones/{machine['zone']}"
            zones.setdefault(f"zones/{machine['zone']}", {"instances": []})["instances"].append(
                {
                    "id": machine["id"],
                    "name": machine["name"],
                    "zone": zone,
                    "networkInterfaces": [{"networkIP": machine["address"]}, {"networkIP": "192.168.0.2"}],
                }
            )
        more = {"nextPageToken": str(page + size)} if page + size < len(machines) else {}
        answer(json.dumps({"items": {"zones/empty": {"warning": {}}, **zones}, **more}))
    if path.endswith("/stopInstances"):
        place = path.split("/")
        world.setdefault("stopped", []).append([place[5], place[7], json.loads(data)["instances"]])
        save()
        sys.exit(22 if world.get("refuses_to_stop") else 0)
    name = path.removesuffix("/getGuestAttributes").rpartition("/")[2]
    if query.get("fields") == "metadata/items":
        group = f"projects/1/zones/z/instanceGroupManagers/nodes-{path.split('/')[5]}"
        answer(json.dumps({"metadata": {"items": [{"key": "created-by", "value": group}]}}))
    if query.get("queryPath") == "clusterprint/idle":
        said = next(machine.get("idle") for machine in machines if machine["name"] == name)
        answer(json.dumps({"queryValue": {"items": [{"value": said}]}})) if said else fail(404)
    world.setdefault("asked_for", []).append(name)
    save()
    said = next(machine.get("said") for machine in machines if machine["name"] == name)
    # The machine itself says it through the metadata server.
    said = world["guest"].get("node") if said == "itself" else said
    if said is None:
        fail(404)
    answer(
        json.dumps({"queryValue": {"items": [{"namespace": "clusterprint", "key": "node", "value": said}]}})
    )
if server == "storage.googleapis.com":
    if headers.get("authorization") != "Bearer t-1":
        fail(401)
    place, _, parameters = path.partition("?")
    if "lease" in world and parameters != "alt=media":
        lease = json.loads(Path(world["lease"]).read_text())
        if method == "PATCH":
            if world.pop("faster", None):
                lease["metageneration"] += 1
                lease["metadata"] = {"id": "9", "name": "faster", "address": "10.0.0.9"}
            elif f"ifMetagenerationMatch={lease['metageneration']}&" in parameters:
                lease["metageneration"] += 1
                lease["metadata"] = {**lease.get("metadata", {}), **json.loads(data)["metadata"]}
                lease["updated"] = lease["now"]
                Path(world["lease"]).write_text(json.dumps(lease))
                answer("{}")
            Path(world["lease"]).write_text(json.dumps(lease))
            save()
            fail(412)
        Path(dump).write_text(
            time.strftime("HTTP/2 200\r\nDate: %a, %d %b %Y %H:%M:%S GMT\r\n\r\n", time.gmtime(lease["now"]))
        )
        updated = time.strftime("%Y-%m-%dT%H:%M:%S.123Z", time.gmtime(lease["updated"]))
        said = {"metageneration": str(lease["metageneration"]), "updated": updated}
        answer(json.dumps(said | ({"metadata": lease["metadata"]} if "metadata" in lease else {})))
    if place.startswith("upload/"):
        bucket = place.removeprefix("upload/storage/v1/b/").removesuffix("/o")
        wanted = parse_qs(parameters, strict_parsing=True)
        (name,) = wanted["name"]
        objects = world.setdefault("objects", {}).setdefault(bucket, {})
        if world.get("refuses"):
            print("403", end="")
        elif "ifGenerationMatch" in wanted and name in objects:
            print("412", end="")
        else:
            objects[name] = data
            world.setdefault("uploaded", []).append(name)
            lost = world.pop("loses_answer", None)
            save()
            if lost:
                print("000", end="")
                sys.exit(52)
            print("200", end="")
        sys.exit(0)
    assert parameters == "alt=media", parameters
    bucket, _, name = place.removeprefix("storage/v1/b/").partition("/o/")
    assert "/" not in name, name
    objects = world.get("objects", {}).get(bucket, {})
    if unquote(name) not in objects:
        fail(404)
    answer(objects[unquote(name)])
fail(404)
