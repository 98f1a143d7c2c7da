from clusterprint.blueprint.gke.components import ChartValues
from clusterprint.derived.chart_values import chart_values
from clusterprint.derived.kubernetes_objects import NotReadable
from clusterprint.rules import _texts
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE247", severity=Severity.ERROR, source="Helm: values files", firm=True)
def values_not_readable(values: ChartValues, context: Context) -> Iterator[Finding]:
    """The values of a chart are not a YAML map.

    A chart takes one map of values, in one document.

    Correct the values; `helm template --values` reads them in the same way.
    """
    content = _texts.content(values, context)
    if content is None or not _texts.is_text(content):
        return
    try:
        chart_values(content.decode("utf-8", "replace"))
    except NotReadable as error:
        where = f", in line {error.line}" if error.line else ""
        yield Finding(
            f"{_texts.name(values)} {error}{where}",
            context.at(values, _texts.field(values)),
            help="write one map of values, as Helm reads it",
        )
