"""curl, as far as the scripts use it, in front of a small Azure in a JSON file.

{"get": {path: document, or a list of pages}, "tags": {resource: {tag: value}}, "down": false,
"allowed": {identity: ["GET /path", ...]}}; what was done is added to "done".
"""

import json
import os
import sys
from pathlib import Path

FILE = Path(os.environ["WORLD"]) / "azure.json"
world = json.loads(FILE.read_text()) if FILE.exists() else {}

method, url, data, headers, query = "GET", "", "", {}, {}
arguments = iter(sys.argv[1:])
for argument in arguments:
    if argument == "--request":
        method = next(arguments)
    elif argument == "--header":
        header = next(arguments)
        text = Path(header[1:]).read_text() if header.startswith("@") else header
        name, _, value = text.partition(":")
        headers[name.strip().lower()] = value.strip()
    elif argument == "--data":
        data = sys.stdin.read() if next(arguments) == "@-" else ""
    elif argument == "--data-urlencode":
        name, _, value = next(arguments).partition("=")
        query[name] = value
    elif argument in {"--max-time", "--retry", "--noproxy"}:
        next(arguments)
    elif argument.startswith("http"):
        url = argument
# urllib would cost more than everything else here.
address, _, text = url.partition("?")
query |= dict(pair.split("=", 1) for pair in text.split("&") if pair)
if "%" in text:
    from urllib.parse import unquote

    query = {name: unquote(value) for name, value in query.items()}
_, _, server, path = address.split("/", 3)
path = f"/{path}"


def fail(status):
    print(f"curl: (22) The requested URL returned error: {status}", file=sys.stderr)
    sys.exit(22)


def save():
    aside = FILE.with_suffix(f".{os.getpid()}")
    aside.write_text(json.dumps(world))
    aside.replace(FILE)


if world.get("down"):
    print("curl: (7) Failed to connect", file=sys.stderr)
    sys.exit(7)
if server == "169.254.169.254":
    known = world.get("allowed", {})
    if headers.get("metadata") != "true" or query.get("msi_res_id") not in known:
        fail(400)
    print(json.dumps({"access_token": f"token of {query['msi_res_id']}"}))
    sys.exit(0)

assert server == "management.azure.com", url
assert "api-version" in query, url
identity = headers.get("authorization", "").removeprefix("Bearer token of ")
allowed = world.get("allowed", {}).get(identity)
if allowed is None:
    fail(401)
request = f"{method} {path}"
if not any(request.startswith(each) for each in allowed):
    fail(403)

tags_suffix = "/providers/Microsoft.Resources/tags/default"
if path.endswith(tags_suffix):
    tags = world.setdefault("tags", {}).setdefault(path.removesuffix(tags_suffix), {})
    if method == "PATCH":
        change = json.loads(data)
        assert change["operation"] == "Merge", change
        tags |= change["properties"]["tags"]
        save()
    print(json.dumps({"properties": {"tags": tags}}))
elif method == "POST" and path.endswith("/listKeys"):
    print(json.dumps({"keys": [{"value": "the-key"}]}))
elif method == "POST":
    world.setdefault("done", []).append(request)
    save()
else:
    document = world.get("get", {}).get(path)
    if document is None:
        fail(404)
    world.setdefault("asked", []).append([path, query])
    save()
    if isinstance(document, list):
        page = int(query.get("page", 0))
        more = page + 1 < len(document)
        link = (
            {"nextLink": f"https://management.azure.com{path}?api-version=1&page={page + 1}"} if more else {}
        )
        document = {"value": document[page], **link}
    print(json.dumps(document))
