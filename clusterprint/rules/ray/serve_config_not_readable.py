from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from clusterprint.blueprint.ray.jobs import ServeConfig
from clusterprint.rules import _texts
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("RAY043", severity=Severity.ERROR)
def serve_config_not_readable(config: ServeConfig, context: Context) -> Iterator[Finding]:
    content = _texts.content(config, context)
    if content is None or not _texts.is_text(content):
        return
    try:
        found = YAML(typ="safe", pure=True).load(content.decode())
    except YAMLError as error:
        problem = str(getattr(error, "problem", "") or error).splitlines()[0]
        yield _finding(config, context, f"is not YAML: {problem}")
        return
    if not isinstance(found, dict) or not found.get("applications"):
        yield _finding(config, context, "has no applications")


def _finding(config: ServeConfig, context: Context, what: str) -> Finding:
    return Finding(
        f"{_texts.name(config)} {what}",
        context.at(config, _texts.field(config)),
        help="write a map with `applications`, as `serve build` does",
    )
