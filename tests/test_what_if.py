"""`clusterprint what-if`: the model against formulas, the shipped scenarios, and scenarios in files."""

import json
import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from msgspec.structs import replace
from support import BLUEPRINTS, Run

from clusterprint.blueprint.gke.queues import Preemption
from clusterprint.load import load
from clusterprint.validate import Validated, validate
from clusterprint.whatif.advice import best_interval
from clusterprint.whatif.answer import answer
from clusterprint.whatif.engine import run
from clusterprint.whatif.facts import FACTS, SCENARIOS
from clusterprint.whatif.read import read
from clusterprint.whatif.setup import Job, Pool, Quota, Setup, setup_of
from clusterprint.whatif.state import Hit, Settings

NAMES = ("stock-out", "zone-outage", "spot-storm", "reservation-end", "quota-cut", "node-faults")
POOL = Pool("p", ("nodes",), "x", "spot", ("z",), 4, 4, 2.0, {}, 8.0)
JOB = Job("j", ("nodes",), 1, 4, (0,))
# Without delays: a node is there at once, and computes.
AT_ONCE = Settings(length=100, boot=0, restart=0, every=1, takes=0)


def setup(pool: Pool = POOL, *jobs: Job, quotas: dict[tuple[str, int], Quota] | None = None) -> Setup:
    return Setup((pool,), jobs or (JOB,), quotas or {}, Preemption())


def hit(kind: Any, **more: Any) -> Hit:
    return Hit(kind, frozenset({0}), **more)


# ---- against formulas


def share_of_work(every: float, *, nodes: int = 64, rate: float = 1 / 2000, takes: float = 1 / 30) -> float:
    settings = Settings(length=20_000, boot=0, restart=1 / 6, every=every, takes=takes)
    busy = setup(POOL._replace(most=nodes), JOB._replace(nodes=nodes))
    found = [run(busy, [hit("node_fault", rate=(rate,))], settings, str(at)) for at in range(4)]
    return fmean(each.jobs[0].useful for each in found) / settings.length


@pytest.mark.parametrize("every", [0.5, 1.0, 1.44, 3.0])
def test_exponential_faults_cost_what_daly_says(every: float) -> None:
    """Daly, 2006: the time for a stretch of work is M e^(R/M) (e^((t+C)/M) - 1)."""
    apart, takes, restart = 2000 / 64, 1 / 30, 1 / 6
    stretch = apart * math.exp(restart / apart) * (math.exp((every + takes) / apart) - 1)
    assert share_of_work(every) == pytest.approx(every / stretch, rel=0.02)


def test_the_best_interval_is_young_s() -> None:
    best = best_interval(1 / 30, 2000 / 64)
    assert best == pytest.approx(math.sqrt(2 * 2000 / 64 / 30))
    shares = {every: share_of_work(every) for every in (best / 3, best, best * 3)}
    assert max(shares, key=shares.__getitem__) == best


def test_nodes_are_there_as_long_as_a_renewal_process_says() -> None:
    """A node that fails at a rate and is back after a fixed time is up for 1 / (1 + rate * time)."""
    settings = Settings(length=50_000, boot=2, restart=0, every=1, takes=0)
    found = run(setup(POOL, JOB), [hit("node_fault", rate=(0.05,))], settings, "1")
    assert found.pools[0].missing == pytest.approx(4 * 50_000 * (1 - 1 / (1 + 0.05 * 2)), rel=0.02)
    assert found.pools[0].lost == pytest.approx(0.05 * 4 * 50_000 / 1.1, rel=0.02)


def test_a_fault_every_few_hours_is_of_all_nodes_together() -> None:
    found = run(setup(), [hit("node_fault", rate=(0.25,), shared=True)], AT_ONCE._replace(length=8000), "1")
    assert found.jobs[0].interruptions == pytest.approx(2000, rel=0.05)


# ---- what events do


def test_work_since_the_checkpoint_is_thrown_away() -> None:
    settings = Settings(length=10, boot=0.5, restart=0.25, every=1, takes=0)
    found = run(setup(), [hit("zone_outage", start=3.9, end=5)], settings, "1")
    # From 0.5 to 3.9 three hours are saved; the nodes are back at 5.5, and the job computes from 5.75 on.
    assert found.jobs[0].thrown == pytest.approx(0.4)
    assert found.jobs[0].useful == pytest.approx(3 + 4.25)
    assert (found.jobs[0].interruptions, found.pools[0].lost, found.pools[0].fewest) == (1, 4, 0)
    assert found.pools[0].spent == pytest.approx(2 * 4 * (3.4 + 4.5))


def test_a_stock_out_delays_and_takes_nothing() -> None:
    found = run(setup(), [hit("stock_out", end=12)], AT_ONCE, "1")
    assert (found.pools[0].complete, found.jobs[0].useful, found.pools[0].missing) == (12, 88, 48)
    later = run(setup(), [hit("stock_out", start=5, end=12)], AT_ONCE, "1")
    assert (later.pools[0].complete, later.jobs[0].useful, later.pools[0].lost) == (0, 100, 0)


def test_a_cut_of_quota_limits_what_is_made() -> None:
    found = run(setup(), [hit("quota_cut", share=0.5)], AT_ONCE, "1")
    assert (found.pools[0].complete, found.pools[0].last, found.jobs[0].useful) == (None, 2, 0)
    running = run(setup(), [hit("quota_cut", start=10, share=0.5)], AT_ONCE, "1")
    assert (running.pools[0].last, running.jobs[0].useful) == (4, 100)


def test_a_reservation_is_paid_until_it_ends() -> None:
    found = run(setup(POOL._replace(model="reservation")), [hit("reservation_end", start=40)], AT_ONCE, "1")
    assert found.pools[0].spent == pytest.approx(2 * 4 * 40)
    assert (found.pools[0].last, found.jobs[0].useful) == (0, 40)


def test_prices_change_for_a_time() -> None:
    found = run(setup(), [hit("price_change", start=10, end=20, factor=3)], AT_ONCE, "1")
    assert found.pools[0].spent == pytest.approx(2 * 4 * (90 + 10 * 3))


def test_a_job_that_may_not_try_again_is_given_up() -> None:
    once = run(setup(POOL, JOB._replace(attempts=1)), [hit("zone_outage", start=40, end=41)], AT_ONCE, "1")
    twice = run(setup(POOL, JOB._replace(attempts=2)), [hit("zone_outage", start=40, end=41)], AT_ONCE, "1")
    assert (once.jobs[0].useful, once.jobs[0].failed) == (40, 1)
    assert (twice.jobs[0].useful, twice.jobs[0].failed) == (99, 0)


def test_a_spare_node_takes_over_at_once() -> None:
    slow = AT_ONCE._replace(boot=1)
    faults = [hit("node_fault", rate=(0.02,))]
    without, with_one = (run(setup(POOL._replace(most=most)), faults, slow, "1") for most in (4, 5))
    assert with_one.jobs[0].useful > without.jobs[0].useful
    assert with_one.pools[0].wasted > 0


def test_machines_end_after_their_run_time() -> None:
    flex = POOL._replace(model="flex_start", longest=30.0, replaced=False, resumed=False)
    assert run(setup(flex), [], AT_ONCE, "1").jobs[0].useful == 30
    assert run(setup(flex._replace(replaced=True)), [], AT_ONCE, "1").jobs[0].interruptions == 3


def test_the_next_pool_is_taken_where_one_is_out_of_stock() -> None:
    spot = POOL._replace(name="spot", elastic=True, least=0)
    flex = POOL._replace(name="flex", model="flex_start", elastic=True, least=0)
    two = Setup((spot, flex), (JOB._replace(pools=(0, 1)),), {}, Preemption())
    found = run(two, [hit("stock_out", end=50)], AT_ONCE, "1")
    assert found.jobs[0].useful == 100
    assert [each.last for each in found.pools] == [0, 4]


def test_no_job_starts_without_the_controllers() -> None:
    system = POOL._replace(name="system", place=("system_pool",), most=1, elastic=True, least=1, zones=("y",))
    both = Setup((POOL, system), (JOB,), {}, Preemption(), controllers=(1,))
    out = Hit("stock_out", frozenset({1}), end=12)
    assert run(both, [out], AT_ONCE, "1").jobs[0].useful == 88
    later = Hit("zone_outage", frozenset({1}), frozenset({"y"}), 20, 30)
    assert run(both, [later], AT_ONCE, "1").jobs[0].useful == 100  # what runs goes on


def test_quotas_are_lent_taken_back_and_urgent_jobs_go_first() -> None:
    quotas = {("a", 0): Quota(2), ("b", 0): Quota(2)}
    all_of_it, half = JOB._replace(queue="a"), JOB._replace(queue="b", nodes=2)
    alone = run(setup(POOL, all_of_it, quotas=quotas), [], AT_ONCE, "1")
    assert alone.jobs[0].useful == 100  # it borrows what the other queue leaves idle
    both = setup(POOL, all_of_it, half, quotas=quotas)
    taken = run(both, [], AT_ONCE, "1")
    assert [each.useful for each in taken.jobs] == [0, 100]
    kept = run(both._replace(preemption=Preemption(reclaim="never")), [], AT_ONCE, "1")
    assert [each.useful for each in kept.jobs] == [100, 0]
    closed = {("a", 0): Quota(2, borrow=0), ("b", 0): Quota(2)}
    assert run(both._replace(quotas=closed), [], AT_ONCE, "1").jobs[0].useful == 0
    urgent = half._replace(queue="a", priority=10)
    first = run(setup(POOL, all_of_it, urgent, quotas={("a", 0): Quota(4)}), [], AT_ONCE, "1")
    assert [each.useful for each in first.jobs] == [0, 100]


# ---- blueprints


@cache
def checked(file: Path) -> Validated:
    document = load(file).document
    assert document
    return validate(document)


def told(file: Path, name: str) -> dict[str, Any]:
    found, (scenario, _, _) = checked(file), read(name)
    assert found.blueprint
    assert scenario
    quick = scenario._replace(content=replace(scenario.content, runs=2))
    return answer(found.blueprint, found.document, setup_of(found.blueprint), quick, 1)


@pytest.mark.parametrize(
    ("blueprint", "pools", "jobs"),
    [
        ("gke-a3-mega-teams", {"system": 3, "h100": 16}, [("pretrain", 1, 8, ("h100",))]),
        ("ray-h200", {"system": 3, "flex": 10, "spot": 10}, [("work on h200", 1, 10, ("spot", "flex"))]),
        ("gke-tpu-7x", {"system": 3, "slices": 8}, [("train", 1, 8, ("slices",))]),
        ("gke-h100-inference", {"system": 3, "h100": 2}, [("llama", 2, 1, ("h100",))]),
        ("gke-hpl", {"system": 3, "workers": 3}, [("hpl", 1, 3, ("workers",))]),
        ("ray-model-weights", {"system": 3, "l4": 8}, [("chat", 1, 1, ("l4",))]),
        ("vm-login-compute", {"login": 1, "compute": 2}, [("work on compute", 1, 2, ("compute",))]),
        ("vmss-single-h200", {"head": 1}, [("work on head", 1, 1, ("head",))]),
    ],
)
def test_pools_and_jobs_of_a_blueprint(blueprint: str, pools: dict[str, int], jobs: list[Any]) -> None:
    part = checked(BLUEPRINTS / f"{blueprint}.yaml").blueprint
    assert part
    found = setup_of(part)
    assert {each.name: each.most for each in found.pools} == pools
    names = [each.name for each in found.pools]
    assert jobs == [
        (each.name, each.units, each.nodes, tuple(names[at] for at in each.pools)) for each in found.jobs
    ]


def test_every_blueprint_has_an_answer_to_every_scenario() -> None:
    files = sorted(BLUEPRINTS.glob("*.yaml"))
    answers = [(name, told(file, name)) for file in files for name in NAMES]
    assert {each["lost"] for _, each in answers} == {True, False}
    for name, each in answers:
        assert each["hours_lost"] >= 0, (name, each)
        assert all(job["hours"] <= job["hours_without"] + 0.01 for job in each["jobs"]), (name, each)
        assert each["usd_wasted"] <= each["usd_spent"] + 0.01, (name, each)
        assert all(
            advice["hours_lost"] < each["hours_lost"] + each["node_hours_lost_without_work"]
            for advice in each["advice"]
        )


@pytest.mark.parametrize(
    ("scenario", "blueprint", "lost"),
    [
        ("stock-out", "vm-a3-mega-reservation.yaml", False),
        ("stock-out", "vm-login-compute.yaml", True),
        ("stock-out", "gke-a3-mega-teams.yaml", True),  # its controllers run on demand
        ("zone-outage", "vmss-h200.yaml", True),
        ("spot-storm", "gke-tpu-v5p-spot.yaml", True),
        ("spot-storm", "vmss-h200.yaml", False),
        ("reservation-end", "ray-a4-reservation.yaml", True),
        ("reservation-end", "ray-h200.yaml", False),
        ("quota-cut", "gke-a4-flex.yaml", True),
        ("node-faults", "gke-a4x-max.yaml", True),
        ("node-faults", "vm-h4d.yaml", True),
    ],
)
def test_the_exit_code_says_whether_anything_is_lost(
    clusterprint: Run, scenario: str, blueprint: str, *, lost: bool
) -> None:
    done = clusterprint("what-if", f"blueprints/{blueprint}", "--scenario", scenario)
    assert done.returncode == (4 if lost else 0), done.stderr
    assert ("): nothing is lost" in done.stdout) is not lost
    assert "By a model of the blueprint, not by a cloud" in done.stdout
    assert "What the model assumes" in done.stdout


def test_the_same_seed_gives_the_same_answer(clusterprint: Run) -> None:
    def answer_with(*seed: str) -> str:
        words = ("blueprints/vm-login-compute.yaml", "--scenario", "spot-storm", "--format", "json", *seed)
        return clusterprint("what-if", *words).stdout

    first = answer_with()
    assert first == answer_with("--seed", "1")
    other = json.loads(answer_with("--seed", "2"))
    assert other["scenarios"][0]["clusters"] != json.loads(first)["scenarios"][0]["clusters"]


def test_advice_names_a_line_and_works_in_the_model(clusterprint: Run, tmp_path: Path) -> None:
    text = (BLUEPRINTS / "vm-login-compute.yaml").read_text("utf-8")
    (tmp_path / "team.yaml").write_text(text, "utf-8")

    def cluster() -> dict[str, Any]:
        done = clusterprint(
            "what-if", "team.yaml", "--scenario", "spot-storm", "--format", "json", cwd=tmp_path
        )
        found: dict[str, Any] = json.loads(done.stdout)["scenarios"][0]["clusters"][0]
        return found

    before = cluster()
    line = text.splitlines().index("    capacity: {model: spot}") + 1
    advice = next(each for each in before["advice"] if "on_demand" in each["change"])
    assert advice["place"] == {"at": f"team.yaml:{line}", "field": "node_groups[1].capacity"}
    assert before["hours_lost"] > advice["hours_lost"] == 0
    (tmp_path / "team.yaml").write_text(text.replace("{model: spot}", "{model: on_demand}"), "utf-8")
    after = cluster()
    assert (after["lost"], after["hours_lost"]) == (False, 0)


def test_fallbacks_are_advice_with_their_own_lines(tmp_path: Path) -> None:
    text = (BLUEPRINTS / "vm-login-compute.yaml").read_text("utf-8")
    file = tmp_path / "b.yaml"
    file.write_text(text.replace("{model: spot}", "{model: spot, fallbacks: [{model: on_demand}]}"))
    (found,) = [each for each in told(file, "spot-storm")["advice"] if "wish 2 of 2" in each["change"]]
    assert "fallbacks" in json.dumps(found)


def test_a_stock_out_is_of_the_machines_asked_for_and_not_of_a_fallback_on_others(tmp_path: Path) -> None:
    text = (BLUEPRINTS / "vm-login-compute.yaml").read_text("utf-8")
    file = tmp_path / "b.yaml"
    file.write_text(
        text.replace(
            "{model: spot}", "{model: spot, machine_types: [g2-standard-96], fallbacks: [{model: on_demand}]}"
        )
    )
    found = [each for each in told(file, "stock-out")["advice"] if "wish" in each["change"]]
    assert [each["change"] for each in found] == [
        "wish 2 of 3 (spot on g2-standard-96), which `up` tries in its turn"
    ]
    assert found[0]["place"]["field"].endswith("machine_types[0]")


def test_what_is_not_sold_and_what_is_refused_is_no_advice() -> None:
    """A uniform scale set takes no reservation, and A3 Ultra is not sold on demand."""
    assert not told(BLUEPRINTS / "vmss-h200.yaml", "stock-out")["advice"]
    storm = told(BLUEPRINTS / "ray-h200.yaml", "spot-storm")["advice"]
    assert not any("on_demand" in each["change"] for each in storm)


def test_facts_and_shipped_scenarios() -> None:
    assert tuple(SCENARIOS) == NAMES
    for each in FACTS.values():
        assert each.says.endswith("."), each
        assert each.date
    assert FACTS["faults"].value == pytest.approx(466 / (54 * 24 * 16_384), rel=0.001)


def test_reviews_compare_the_scenarios_that_the_policy_names(clusterprint: Run, tmp_path: Path) -> None:
    text = (BLUEPRINTS / "vm-login-compute.yaml").read_text("utf-8")
    for side, content in (("base", text), ("head", text.replace("{model: spot}", "{model: on_demand}"))):
        (tmp_path / side / "blueprints").mkdir(parents=True)
        (tmp_path / side / "blueprints" / "team.yaml").write_text(content, "utf-8")
    policy = "policy: v1\nscenarios: [spot-storm, spot-strom, mine.yaml]\n"
    (tmp_path / "base" / "clusterprint.policy.yaml").write_text(policy, "utf-8")
    (tmp_path / "mine.yaml").write_text("scenario: v1\nprice_changes: [{factor: 0}]\n", "utf-8")

    def review(form: str) -> str:
        words = ("--base", "./base", "--head", "./head", "--format", form)
        return clusterprint("review", *words, cwd=tmp_path).stdout

    report = json.loads(review("json"))
    rows = {each["measure"]: (each["before"], each["after"]) for each in report["scenarios"]}
    before, after = rows["hours of work lost"]
    assert before > after == 0
    assert {(each["cluster"], each["scenario"]) for each in report["scenarios"]} == {("team", "spot-storm")}
    notes = " ".join(report["notes"])
    assert "neither a scenario nor a file spot-strom: did you mean spot-storm?" in notes
    assert "scenario mine.yaml is not compared" in notes
    for form in ("text", "markdown", "html"):
        assert "Scenarios, by a model" in review(form)


# ---- files


MINE = """\
scenario: v1
description: A bad week.
length: 7d
runs: 3
checkpoints: {every: 30m, takes: 1m}
stock_outs: [{pools: [compute], from: 1d, to: 2d}]
preemptions: [{pools: [compute], zones: [us-central1-f], per_hour: 0.1, from: 1d, to: 2d, refill: 30m}]
zone_outages: [{zone: us-central1-f, from: 100h, to: 101h}]
node_faults: [{every: 20h}]
quota_cuts: [{pools: [login], share: 0.9, from: 3d}]
price_changes: [{factor: 1.5, from: 3d}]
"""


def tried(clusterprint: Run, tmp_path: Path, text: str, *more: str) -> Any:
    (tmp_path / "mine.yaml").write_text(text, "utf-8")
    blueprint = BLUEPRINTS / "vm-login-compute.yaml"
    return clusterprint("what-if", blueprint, "--scenario", "mine.yaml", *more, cwd=tmp_path)


def test_a_scenario_in_a_file(clusterprint: Run, tmp_path: Path) -> None:
    done = tried(clusterprint, tmp_path, MINE, "--format", "json")
    assert done.returncode == 4, done.stderr
    found = json.loads(done.stdout)["scenarios"][0]
    assert (found["scenario"], found["description"], found["hours"]) == ("mine.yaml", "A bad week.", 168)
    assert found["clusters"][0]["runs"] == 3
    assert {"says": "The scenario says every: 30m.", "source": "the scenario"} in found["assumptions"]
    nothing = tried(clusterprint, tmp_path, "scenario: v1\n")
    assert (nothing.returncode, "nothing is lost" in nothing.stdout) == (0, True)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("stock_outs", "stock_out", ("mine.yaml:6:1", "did you mean 'stock_outs'?")),
        ("per_hour: 0.1", "per_hour: 2", ("mine.yaml:7", "BP106")),
        ("[compute], from", "[compte], from", ("mine.yaml:6:23", "a pool compte", "did you mean compute?")),
        ("[us-central1-f]", "[us-central1-a]", ("mine.yaml:7", "no blueprint has a zone us-central1-a")),
        ("to: 101h", "to: 99h", ("mine.yaml:8", "it is over (99h) before it begins (100h)")),
        ("to: 101h", "to: 1000h", ("mine.yaml:8", "1000h is after the end of the scenario")),
        ("every: 20h", "every: soon", ("mine.yaml:9", "BP107")),
        ("s: [{pools: [compute], z", "s: [{pools: [login], z", ("mine.yaml:7", "login has no spot nodes")),
        (
            "node_faults: [{every: 20h}]",
            "reservation_ends: [{reservation: mine, at: 1d}]",
            ("there are: none",),
        ),
        ("scenario: v1", "scenario: v2", ("mine.yaml:1", "v1")),
        ("scenario: v1\n", "", ("mine.yaml", "BP103")),
        (MINE, "", ("mine.yaml", "scenario: v1")),
        (MINE, "- a\n", ("mine.yaml:1", "`scenario: v1`")),
        (MINE, "scenario: [v1\n", ("mine.yaml",)),
        (MINE, "#" * 2_000_000, ("mine.yaml", "BP004")),
    ],
)
def test_mistakes_in_a_scenario_are_told_with_their_place(
    clusterprint: Run, tmp_path: Path, old: str, new: str, said: Sequence[str]
) -> None:
    done = tried(clusterprint, tmp_path, MINE.replace(old, new))
    assert (done.returncode, done.stdout) == (1, "")
    for each in said:
        assert each in done.stderr
    assert "nothing is tried: a scenario has problems" in done.stderr
    assert "1 scenario checked: 1 error\n" in done.stderr
    assert "blueprint checked" not in done.stderr


def test_what_cannot_work_is_wrong_usage(clusterprint: Run, tmp_path: Path) -> None:
    blueprint = BLUEPRINTS / "vm-smallest.yaml"
    done = clusterprint("what-if", blueprint, "--scenario", "stok-out")
    assert (done.returncode, "did you mean stock-out?" in done.stderr) == (2, True)
    assert clusterprint("what-if", blueprint).returncode == 2
    (tmp_path / "often.yaml").write_text("scenario: v1\nnode_faults: [{every: 1s}]\n", "utf-8")
    often = clusterprint("what-if", blueprint, "--scenario", tmp_path / "often.yaml")
    assert (often.returncode, "fewer `runs`" in often.stderr) == (2, True)
    assert clusterprint("what-if", blueprint, "--scenario", "stock-out", "--seed", "-1").returncode == 2
    assert clusterprint("what-if", tmp_path / "none.yaml", "--scenario", "stock-out").returncode != 0
    assert clusterprint("what-if", blueprint, "--scenario", tmp_path).returncode == 1  # a folder
    (tmp_path / "broken.yaml").write_text("clusterprint: v1\nkind: vm\n", "utf-8")
    broken = clusterprint("what-if", tmp_path / "broken.yaml", "--scenario", "stock-out")
    assert (broken.returncode, broken.stdout) == (1, "")
