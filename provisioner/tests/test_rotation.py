"""The webhook's own certificate: made, kept, trusted, shown, and made anew before it ends."""

import base64
import datetime as dt
import ssl
import threading
import urllib.error
import urllib.request
from threading import Event, Thread

import pytest
from api_server import ApiServer, Right
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from lab import HOME

from clusterprint_provisioner import certificates, rotation, webhook
from clusterprint_provisioner.kube import ApiError, Kubernetes
from clusterprint_provisioner.rotation import OwnCertificate
from clusterprint_provisioner.settings import Unfit
from clusterprint_provisioner.webhook import Places

SECRETS, CONFIGURATIONS = "/secrets", "admissionregistration.k8s.io/mutatingwebhookconfigurations"
PLACES = Places("certificate", "configuration", "localhost")
HOUR = dt.timedelta(hours=1)
RIGHTS = [
    Right("", ["secrets"], ["get", "update"], HOME, ["certificate"]),
    Right(
        "admissionregistration.k8s.io",
        ["mutatingwebhookconfigurations"],
        ["get", "patch"],
        names=["configuration"],
    ),
]


class Place:
    """A cluster with an empty Secret and a webhook that nobody trusts yet, and a clock."""

    def __init__(self) -> None:
        self.api = ApiServer(RIGHTS)
        self.api.put(SECRETS, {"metadata": {"name": "certificate", "namespace": HOME}, "type": "Opaque"})
        self.now = dt.datetime.now(dt.UTC)

    def configure(self) -> None:
        """Terraform comes to the webhook's configuration."""
        hooks = [{"name": "mutate.example.com", "clientConfig": {"service": {"name": "w"}}}]
        self.api.put(CONFIGURATIONS, {"metadata": {"name": "configuration"}, "webhooks": hooks})

    def program(self) -> OwnCertificate:
        """One more pod of the webhook."""
        return OwnCertificate(Kubernetes(self.api, HOME), PLACES, lambda: self.now)

    @property
    def kept(self) -> dict[str, bytes]:
        """The content of the Secret."""
        secret = self.api.get(SECRETS, HOME, "certificate")
        assert secret is not None
        return {name: base64.b64decode(each) for name, each in secret.get("data", {}).items()}

    @property
    def trusted(self) -> list[x509.Certificate]:
        """The certificates that the API server trusts."""
        found = self.api.get(CONFIGURATIONS, "", "configuration")
        assert found is not None
        (hook,) = found["webhooks"]
        assert hook["clientConfig"]["service"] == {"name": "w"}
        return x509.load_pem_x509_certificates(base64.b64decode(hook["clientConfig"]["caBundle"]))

    @property
    def shown(self) -> x509.Certificate:
        """The certificate that the webhook presents."""
        return x509.load_pem_x509_certificate(self.kept["tls.crt"])


@pytest.fixture
def place() -> Place:
    made = Place()
    made.configure()
    return made


def test_it_makes_a_certificate_and_has_it_trusted(place: Place) -> None:
    place.program().refresh()
    assert place.trusted == [place.shown]
    assert place.api.denied == []


def test_nothing_is_written_while_nothing_is_due(place: Place) -> None:
    program = place.program()
    program.refresh()
    place.api.calls.clear()
    place.now += certificates.LIFE - certificates.RENEW - HOUR
    program.refresh()
    assert {method for method, _ in place.api.calls} == {"GET"}


def test_over_months_what_is_shown_was_trusted_before_and_is_valid(place: Place) -> None:
    program = place.program()
    program.refresh()
    seen = {place.shown}
    since: dict[x509.Certificate, dt.datetime] = {}
    for _ in range(120 * 4):
        place.now += 6 * HOUR
        program.refresh()
        trusted, shown = place.trusted, place.shown
        assert shown in trusted
        assert shown.not_valid_before_utc <= place.now < shown.not_valid_after_utc
        assert all(place.now < each.not_valid_after_utc for each in trusted)
        for each in trusted:
            since.setdefault(each, place.now)
        if shown not in seen:
            assert place.now - since[shown] >= certificates.SETTLE
        seen.add(shown)
        assert len(trusted) <= 3
    assert len(seen) == 6


def test_the_next_one_is_not_shown_until_it_is_trusted(place: Place) -> None:
    program = place.program()
    program.refresh()
    first = place.shown
    place.now += certificates.LIFE - certificates.RENEW
    program.refresh()
    assert len(place.trusted) == 2
    assert place.shown == first
    place.now += certificates.SETTLE - dt.timedelta(seconds=1)
    program.refresh()
    assert place.shown == first
    place.now += dt.timedelta(seconds=1)
    program.refresh()
    assert place.shown != first
    assert first in place.trusted, "a pod that has not looked since still shows it"


def test_a_restart_goes_on_where_it_was(place: Place) -> None:
    place.program().refresh()
    first = place.shown
    for _ in range(3):
        place.program().refresh()
    assert place.trusted == [first]


def test_of_two_pods_the_first_one_counts(place: Place) -> None:
    one, other = place.program(), place.program()
    request = place.api.request

    def raced(method: str, *rest: object) -> tuple[int, bytes]:
        if method == "PUT":
            place.api.request = request  # type: ignore[method-assign]
            other.refresh()
        return request(method, *rest)  # type: ignore[arg-type]

    place.api.request = raced  # type: ignore[method-assign,assignment]
    with pytest.raises(ApiError, match="modified"):
        one.refresh()
    first = place.shown
    one.refresh()
    assert place.trusted == [first]


def test_an_end_between_any_two_calls_leaves_a_webhook_that_answers(place: Place) -> None:
    """The next pod presents a trusted certificate, whichever write came last."""
    program = place.program()
    program.refresh()
    place.now += certificates.LIFE - certificates.RENEW
    for due in (place.now, place.now + certificates.SETTLE):
        place.now = due
        for left in range(5):
            _end_after(place, left)
            place.program().refresh()
            assert place.shown in place.trusted


def _end_after(place: Place, calls: int) -> None:
    request, left = place.api.request, [calls]

    def ended(*asked: object) -> tuple[int, bytes]:
        left[0] -= 1
        if left[0] < 0:
            raise ApiError(0, "it has ended")
        return request(*asked)  # type: ignore[arg-type]

    place.api.request = ended  # type: ignore[method-assign,assignment]
    try:
        place.program().refresh()
    except ApiError:
        pass
    finally:
        place.api.request = request  # type: ignore[method-assign]


@pytest.mark.parametrize("damage", ["tls.crt", "tls.key", "ca.crt"])
def test_what_is_damaged_is_made_anew(place: Place, damage: str) -> None:
    program = place.program()
    program.refresh()
    place.api.change(
        SECRETS,
        HOME,
        "certificate",
        lambda each: each["data"].update({damage: "bm8gUEVN"}),  # "no PEM"
    )
    program.refresh()
    assert place.shown in place.trusted
    assert all(text.startswith(b"-----BEGIN") for text in place.kept.values())


def test_one_that_was_asleep_for_a_year_begins_anew(place: Place) -> None:
    program = place.program()
    program.refresh()
    place.now += dt.timedelta(days=400)
    program.refresh()
    assert place.trusted == [place.shown]
    assert place.shown.not_valid_after_utc > place.now


def test_who_overwrites_what_is_trusted_is_put_right(place: Place) -> None:
    program = place.program()
    program.refresh()
    place.configure()
    program.refresh()
    assert place.trusted == [place.shown]


def test_it_waits_for_its_configuration_and_serves_what_is_trusted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The whole program, as it is started; its configuration comes when it runs."""
    place, stop = Place(), Event()
    monkeypatch.setattr(rotation, "_SOON", 0.02)
    for name, value in zip(webhook.PLACES, ("certificate", "configuration", "localhost"), strict=True):
        monkeypatch.setenv(name, value)
    ports: list[int] = []
    serve = webhook.server

    def listening(_port: int, *rest: object) -> object:
        made = serve(0, *rest)  # type: ignore[arg-type]
        ports.append(made.server_address[1])
        return made

    monkeypatch.setattr(webhook, "server", listening)
    thread = Thread(target=webhook.main, args=(stop, lambda: Kubernetes(place.api, HOME)), daemon=True)
    thread.start()
    until(lambda: bool(ports) and "tls.crt" in place.kept)
    place.configure()
    until(lambda: "caBundle" in str(place.api.get(CONFIGURATIONS, "", "configuration")))
    bundle = "".join(each.public_bytes(Encoding.PEM).decode() for each in place.trusted)
    context = ssl.create_default_context(cadata=bundle)
    until(lambda: answers(ports[0], context))
    stop.set()
    thread.join(10)
    assert not thread.is_alive()


def answers(port: int, context: ssl.SSLContext) -> bool:
    try:
        urllib.request.urlopen(f"https://localhost:{port}/", context=context, timeout=5)
    except urllib.error.HTTPError as error:
        return error.code == 501
    except OSError:  # not shown yet
        return False
    raise AssertionError("there is nothing at /")


def until(is_so: object) -> None:
    """Wait for it, half a minute on a slow machine, and no longer than it takes."""
    for _ in range(1500):
        if is_so():  # type: ignore[operator]
            return
        threading.Event().wait(0.02)
    raise AssertionError("it never came")


def test_half_of_its_settings_are_refused() -> None:
    with pytest.raises(Unfit, match=r"set all of .*, or none"):
        webhook.read({"CERTIFICATE_SECRET": "certificate"})
