#!/usr/bin/env python3
"""Makes a tracking plan of the demo's files and a target that compiles with it, and tries `plan check`, `plan diff` and the schema.

    swift build -c release --product looptrail && Tools/conformance/tracking_plan.py
    Tools/conformance/tracking_plan.py --no-build      # without the target

From files to typed events it takes three commands, at most 60 s, and no network. `plan check` must find each of the DRIFTS in changed
events, with its place and versions, and nothing on clean data or for a new version of the app. `plan diff` must name the places in saved
funnels that each of the CHANGES breaks. The schema for editors and the parser must agree about plans with and without faults.
"""

import copy
import gzip
import json
import os
import pathlib
import random
import subprocess
import tempfile
import time

from harness import ROOT, Checks, Looptrail, arguments, event_files, module

LIMIT_S = 60
PLAN = pathlib.Path(ROOT, "Tools", "ShopDemo", "tracking-plan.json")
SCHEMA = pathlib.Path(ROOT, "Sources", "TrackingPlans", "tracking-plan.schema.json")

PACKAGE = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "shop", platforms: [.macOS(.v15)],
    dependencies: [.package(name: "looptrail", path: "ROOT")],
    targets: [
        .executableTarget(
            name: "shop", dependencies: [.product(name: "TrackingEvents", package: "looptrail")],
            plugins: [.plugin(name: "TrackingPlanPlugin", package: "looptrail")])
    ])
"""
PROGRAM = """import TrackingEvents

let event = ShopEvent.cartAdded(sku: "sku-1", items: 2)
precondition(event.trackingEvent == .event("cart_added", ["sku": "sku-1", "items": 2]))
print(event.trackingEvent.name)
"""
# With these variables, a network fetch fails at once.
OFFLINE = {"GIT_ALLOW_PROTOCOL": "file", "http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9", "no_proxy": ""}


def from_files_to_types(checks, looptrail, folder, events):
    """Times `plan infer`, `swift build` and `plan check`. The package is written before."""
    package = pathlib.Path(folder, "shop")
    sources = package / "Sources" / "shop"
    sources.mkdir(parents=True)
    (package / "Package.swift").write_text(PACKAGE.replace("ROOT", ROOT))
    (sources / "main.swift").write_text(PROGRAM)
    plan = str(sources / "tracking-plan.json")
    environment = {**os.environ, **OFFLINE}

    def swift(*args):
        return subprocess.run(["swift", *args], cwd=package, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    start = time.monotonic()
    inferred = looptrail.run("plan", "infer", events, "--name", "Shop", "-o", plan)
    built = swift("build")
    checked = looptrail.run("plan", "check", events, "--plan", plan)
    seconds = time.monotonic() - start
    print(f"from files to a target that compiles: {seconds:.1f} s", flush=True)
    checks.equal("plan infer", (inferred.returncode, inferred.stderr), (0, ""))
    checks.that("the target compiles", built.returncode == 0, built.stdout[-3000:])
    checks.that("nothing in the same files is unplanned", checked.returncode == 0, checked.stdout)
    checks.that(f"at most {LIMIT_S} s", seconds <= LIMIT_S, f"{seconds:.1f} s")
    run = subprocess.run([str(package / ".build" / "debug" / "shop")], stdout=subprocess.PIPE, text=True)
    checks.equal("the program's event", run.stdout, "cart_added\n")

    # The compiler and the plugin must report each fault, at its line.
    def fails(name, file, text, wanted):
        before = file.read_text() if file.exists() else None
        file.write_text(text)
        said = swift("build").stdout
        checks.that(name, wanted in said, f"wanted {wanted!r} in:\n{said[-2000:]}")
        file.unlink() if before is None else file.write_text(before)

    fails("an unplanned event", sources / "main.swift", PROGRAM.replace("cartAdded", "cartAded"), "has no member 'cartAded'")
    fails("a wrong type", sources / "main.swift", PROGRAM.replace("items: 2)", 'items: "2")', 1), "main.swift:3:")
    whole = pathlib.Path(plan).read_text()
    fails("an invalid plan", pathlib.Path(plan), whole.replace('"events"', '"evnets"', 1), f"{plan}:2:2: error: found the key `evnets`")
    fails("a plan cut in the middle", pathlib.Path(plan), whole[: len(whole) // 2], "error: found the end of the file")
    (sources / "deeper").mkdir()
    fails("a second plan", sources / "deeper" / "tracking-plan.json", whole, "One plan in the target's root folder is used")
    pathlib.Path(plan).rename(package / "elsewhere.json")
    said = swift("build").stdout
    checks.that("no plan", "has no `tracking-plan.json` in its root folder" in said, said[-2000:])
    (package / "elsewhere.json").rename(plan)
    manifest = PACKAGE.replace('"looptrail")],\n            plugins', '"looptrail")],\n            exclude: ["tracking-plan.json"],\n            plugins')
    fails("an excluded plan", package / "Package.swift", manifest.replace("ROOT", ROOT), "excludes its `tracking-plan.json`")


# MARK: Drifts


def key(line, **changes):
    line["props"].update(changes)


def gone(line, name):
    del line["props"][name]


# A title, the name of the lines to change, the change, and what `plan check` must find: kind, event, property.
DRIFTS = [
    ("an event is renamed", "cart_added", lambda e: e.update(name="cart_aded"), ("unplanned_event", "cart_aded", None)),
    ("an event is new", "cart_viewed", lambda e: e.update(name="cart_shared"), ("unplanned_event", "cart_shared", None)),
    ("an event changes its case", "cart_viewed", lambda e: e.update(name="Cart_Viewed"), ("unplanned_event", "Cart_Viewed", None)),
    ("a property is renamed", "product_viewed", lambda e: (key(e, SKU=e["props"].pop("sku"))),
     ("unplanned_property", "product_viewed", "SKU"), ("missing_property", "product_viewed", "sku")),
    ("a property is missing", "cart_added", lambda e: gone(e, "items"), ("missing_property", "cart_added", "items")),
    ("a property is null", "checkout_started", lambda e: key(e, total=None), ("missing_property", "checkout_started", "total")),
    ("a property is new", "catalog_viewed", lambda e: key(e, page=2), ("unplanned_property", "catalog_viewed", "page")),
    ("a property is an object of its own", "catalog_viewed", lambda e: key(e, filter={"colour": "red"}),
     ("unplanned_property", "catalog_viewed", "filter")),
    ("a number became a text", "product_viewed", lambda e: key(e, price="9.5"), ("wrong_type", "product_viewed", "price")),
    ("an int became a number", "cart_added", lambda e: key(e, items=2.5), ("wrong_type", "cart_added", "items")),
    ("an int has a point", "cart_viewed", lambda e: key(e, items=9.0), ("wrong_type", "cart_viewed", "items")),
    ("an int became a text", "payment_succeeded", lambda e: key(e, order="17"), ("wrong_type", "payment_succeeded", "order")),
    ("a text became a truth value", "payment_failed", lambda e: key(e, reason=True), ("wrong_type", "payment_failed", "reason")),
    ("a text became an object", "error_shown", lambda e: key(e, message={"code": 1}), ("wrong_type", "error_shown", "message")),
    ("an optional property has another type", "payment_succeeded", lambda e: key(e, coupon=10), ("wrong_type", "payment_succeeded", "coupon")),
    ("an int is below its range", "coupon_applied", lambda e: key(e, items=0), ("out_of_range", "coupon_applied", "items")),
    ("a number is below its range", "checkout_started", lambda e: key(e, total=-0.01), ("out_of_range", "checkout_started", "total")),
    ("a shared property has another type", "cart_added", lambda e: key(e, experiment=3), ("wrong_type", "cart_added", "experiment")),
    ("a session has an unknown value", "session_started", lambda e: key(e, platform="windows"), ("unknown_value", "session_started", "platform")),
    ("a session has no version", "session_started", lambda e: gone(e, "app_version"), ("missing_property", "session_started", "app_version")),
    ("a deprecated event", "error_shown", lambda e: None, ("deprecated_event", "error_shown", None)),
]


def plan_for_drifts():
    """The demo's plan with a shared and a sensitive property, which it does not have itself."""
    plan = json.loads(PLAN.read_text())
    plan["shared"] = {"experiment": {"type": "string", "optional": True}}
    plan["events"]["payment_failed"]["props"]["mail"] = {"type": "string", "sensitive": True}
    return plan


def drifts(checks, looptrail, folder, events):
    lines = []
    for path in event_files(events):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            lines += [json.loads(line) for line in file]
        if len(lines) > 10_000:
            break
    lines = [line for line in lines if line.get("type") != "timing"][:10_000]
    # A sensitive property may be absent, masked, hashed, or of any type.
    for number, line in enumerate(each for each in lines if each["name"] == "payment_failed"):
        if number % 4:
            key(line, mail=["***", 7, "9f2c"][number % 4 - 1])
    versions = {line["session"]: line["props"]["app_version"] for line in lines if line["name"] == "session_started"}
    plan = os.path.join(folder, "plan.json")
    data = os.path.join(folder, "drift.ndjson")

    def found(changed, planned=None):
        pathlib.Path(plan).write_text(json.dumps(planned or plan_for_drifts()))
        pathlib.Path(data).write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in changed))
        done = looptrail.run("plan", "check", data, "--plan", plan, "--format", "json")
        return done.returncode, json.loads(done.stdout)["violations"] if done.stdout else done.stderr

    checks.equal("no violation on clean data", found(lines), (0, []))
    newer = json.loads(json.dumps(lines))
    for line in newer:
        if line["name"] == "session_started":
            key(line, app_version="3.0.0-beta")
    checks.equal("no violation for a new version", found(newer), (0, []))

    rng = random.Random(15)
    for name, event, plant, *wanted in DRIFTS:
        changed = json.loads(json.dumps(lines))
        places = [place for place, line in enumerate(changed) if line["name"] == event]
        is_deprecated = wanted[0][0] == "deprecated_event"
        chosen = places if is_deprecated else sorted(rng.sample(places, 7))
        for place in chosen:
            plant(changed[place])
        planned = plan_for_drifts()
        if is_deprecated:
            planned["events"][event]["deprecated"] = "nobody asks"
        status, violations = found(changed, planned)
        checks.equal(f"{name}: exit status", status, 0 if is_deprecated else 4)
        by_version = {}
        for place in chosen:
            version = changed[place]["props"].get("app_version") if event == "session_started" else versions.get(changed[place].get("session"))
            by_version[version or "(none)"] = by_version.get(version or "(none)", 0) + 1
        total = sum(1 for line in changed if line["name"] == wanted[0][1])
        times = [changed[place]["t_ms"] for place in chosen]
        expected = {
            (*each, len(chosen), total, data, chosen[0] + 1, min(times), max(times), tuple(sorted(by_version.items()))) for each in wanted}
        got = {
            (one["kind"], one["event"], one["property"], one["count"], one["events"], one["file"], one["line"], one["first_ms"],
             one["last_ms"], tuple(sorted(one["versions"].items()))) for one in violations}
        checks.that(name, got == expected, f"\n  wanted {sorted(expected, key=str)}\n  got    {sorted(got, key=str)}")


# MARK: Changes of plan


FUNNELS = [
    {"name": "Checkout", "steps": "catalog_viewed > product_viewed > cart_added > checkout_started > payment_succeeded"},
    {"name": "Dear", "steps": "product_viewed[price>=100] > cart_added[items>=2]", "breakdown": "props.items:step=2"},
    {"name": "Coupons", "steps": "coupon_applied[coupon=WELCOME10] > (payment_succeeded | payment_failed)", "exclude": ["!error_shown@1-2"]},
    {"name": "By product", "steps": "product_viewed > cart_added", "by": "props.sku"},
    {"name": "Anything", "steps": "catalog_viewed > *"},
]


def edit(*path, to=None):
    """A change at a path of the plan. Without `to` it removes the key."""
    def change(plan):
        for part in path[:-1]:
            plan = plan[part]
        if to is None:
            del plan[path[-1]]
        else:
            plan[path[-1]] = to
    return change


def rename(old, new):
    def change(plan):
        plan["events"][new] = plan["events"].pop(old)
    return change


def prop(event, name):
    return ("events", event, "props", name)


# A title, the change, whether the change itself is breaking, and the places that break: funnel, part, step, column.
CHANGES = [
    ("nothing", lambda plan: None, False, []),
    ("an about text", edit("events", "cart_added", "about", to="Other words."), False, []),
    ("a new event", edit("events", "order_returned", to={}), False, []),
    ("a new optional property", edit(*prop("cart_added", "size"), to={"type": "string", "optional": True}), False, []),
    ("a new required property", edit(*prop("cart_added", "size"), to={"type": "string"}), True, []),
    ("a property becomes optional", edit(*prop("cart_added", "items"), "optional", to=True), False, []),
    ("a renamed event", rename("cart_added", "cart_filled"), True,
     [("Checkout", "steps", 3, 35), ("Dear", "steps", 2, 30), ("By product", "steps", 2, 18)]),
    ("a removed event in a group", edit("events", "payment_failed"), True, [("Coupons", "steps", 2, 57)]),
    ("a removed event of an exclusion", edit("events", "error_shown"), True, [("Coupons", "exclude 1", None, 2)]),
    ("a removed event that no funnel names", edit("events", "cart_viewed"), True, []),
    ("a removed property of a test", edit(*prop("product_viewed", "price")), True, [("Dear", "steps", 1, 16)]),
    ("a removed property of a key", edit(*prop("product_viewed", "sku")), True, [("By product", "by", 1, 1)]),
    ("a removed property of a breakdown", edit(*prop("cart_added", "items")), True,
     [("Dear", "steps", 2, 41), ("Dear", "breakdown", 2, 1)]),
    ("a removed property that no funnel asks for", edit(*prop("payment_succeeded", "order")), True, []),
    ("another type that still compares", edit(*prop("product_viewed", "price", ), to={"type": "int", "min": 0}), True, []),
    ("another type that cannot be compared", edit(*prop("cart_added", "items"), to={"type": "array"}), True,
     [("Dear", "steps", 2, 41), ("Dear", "breakdown", 2, 1)]),
    ("values without the one that is asked for", edit(*prop("coupon_applied", "coupon"), to={"type": "string", "values": ["SUMMER"]}), True,
     [("Coupons", "steps", 1, 16)]),
    ("values with the one that is asked for", edit(*prop("coupon_applied", "coupon"), to={"type": "string", "values": ["WELCOME10"]}), True, []),
    ("a narrower range that excludes the test", edit(*prop("product_viewed", "price"), "max", to=99), True, [("Dear", "steps", 1, 16)]),
    ("a narrower range that does not", edit(*prop("product_viewed", "price"), "max", to=100), True, []),
    ("a wider range", edit(*prop("product_viewed", "price"), "min", to=-5), False, []),
]


def changes(checks, looptrail, folder):
    funnels, new = os.path.join(folder, "funnels.json"), os.path.join(folder, "new.json")
    pathlib.Path(funnels).write_text(json.dumps(FUNNELS))
    for name, change, breaks, places in CHANGES:
        plan = json.loads(PLAN.read_text())
        change(plan)
        pathlib.Path(new).write_text(json.dumps(plan))
        done = looptrail.run("plan", "diff", str(PLAN), new, "--funnels", funnels, "--format", "json")
        checks.equal(f"{name}: exit status", done.returncode, 4 if breaks or places else 0)
        answer = json.loads(done.stdout)
        checks.equal(f"{name}: breaks", any(one["breaking"] for one in answer["changes"]), breaks)
        checks.equal(
            f"{name}: funnels", sorted((one["funnel"], one["part"], one["step"] or 0, one["column"]) for one in answer["funnels"]),
            sorted((funnel, part, step or 0, column) for funnel, part, step, column in places))


# MARK: The schema

# Words of the parser's errors about names. The schema does not check names.
NAMES_ONLY = ("another name", "with a letter or digit", "a name in `", "one of `", "each property once", "to be an `object`", "at least the `min`")


def mutants(rng, plan, count):
    """Plans with one or two changes anywhere: another value, a missing key, a further key."""
    values = [None, True, False, 0, 1, 2, -1.5, 1e17, "", "x", "int", "string", "number", [], ["x"], ["x", "x"], [1], {}, {"type": "int"},
              {"type": "string", "values": ["a"]}, {"type": "string", "list": "platforms"}, {"type": "number", "min": 1, "max": 2}]
    keys = ["type", "values", "list", "min", "max", "optional", "sensitive", "about", "props", "groups", "tags", "since", "events", "plan",
            "name", "access", "x", "session_started", "_cut", "sample_rate.x", "previous_session", "a.b", "a..b", "a.b.c.d.e", "", "é", "$schema",
            "lists", "shared", "session", "deprecated", "version", "owner"]
    for _ in range(count):
        mutant = json.loads(json.dumps(plan))
        for _ in range(rng.choice([1, 1, 2])):
            places = [(mutant, one) for one in mutant]
            for holder, one in places:
                inner = holder[one]
                if isinstance(inner, dict):
                    places += [(inner, deeper) for deeper in inner]
            holder, one = rng.choice(places)
            match rng.randrange(3):
                case 0: holder[one] = copy.deepcopy(rng.choice(values))
                case 1: del holder[one]
                case _: holder[rng.choice(keys)] = copy.deepcopy(rng.choice(values))
        yield mutant


def schema(checks, looptrail, folder, seed, count):
    jsonschema = module("jsonschema")
    if not jsonschema:
        return checks.missing("jsonschema", "pip install -r Tools/conformance/requirements.txt")
    rules = json.loads(SCHEMA.read_text())
    jsonschema.Draft202012Validator.check_schema(rules)
    validator = jsonschema.Draft202012Validator(rules)
    odd = pathlib.Path(ROOT, "Tests", "PlannedEventTests", "tracking-plan.json")
    counts = {True: 0, False: 0}
    rng = random.Random(seed)
    small = {"plan": 1, "name": "T", "events": {"e": {"groups": ["g"], "tags": ["t"], "props": {
        "a": {"type": "int", "min": 1, "max": 2}, "b": {"type": "string", "values": ["x"]}}}},
        "groups": {"g": {"c": {"type": "bool"}}}, "lists": {"platforms": ["ios"]}, "shared": {}, "session": {"v": {"type": "string"}}}
    plans = [json.loads(PLAN.read_text()), json.loads(odd.read_text()), small, *mutants(rng, small, count * 3 // 4), *mutants(rng, plans_of(PLAN), count // 4)]
    path = os.path.join(folder, "mutant.json")
    for plan in plans:
        text = json.dumps(plan)
        pathlib.Path(path).write_text(text)
        done = looptrail.run("plan", "swift", path)
        fits = validator.is_valid(plan)
        is_plan = done.returncode == 0
        is_about_names = not is_plan and any(words in done.stderr for words in NAMES_ONLY)
        counts[is_plan] += 1
        checks.that("schema and parser", fits == is_plan or fits and is_about_names, f"schema {fits}, parser {is_plan} {done.stderr.strip()}\n{text}")
    checks.that("plans of both kinds were tried", min(counts.values()) > count // 8, str(counts))


def plans_of(path):
    return json.loads(path.read_text())


def main():
    parser = arguments(__doc__, seed=15)
    parser.add_argument("--no-build", action="store_true", help="leave out the target that is built")
    parser.add_argument("--mutants", type=int, default=800, help="how many changed plans schema and parser are asked about")
    options = parser.parse_args()
    checks, looptrail = Checks(options.allow_missing), Looptrail(options.binary)
    with tempfile.TemporaryDirectory() as folder:
        demo = os.path.join(folder, "demo")
        done = looptrail.run("demo", demo, "--quiet")
        checks.equal("demo", done.returncode, 0)
        events = os.path.join(demo, "events")
        checks.equal("the demo's events fit its plan", looptrail.run("plan", "check", events, "--plan", str(PLAN)).returncode, 0)
        if not options.no_build:
            from_files_to_types(checks, looptrail, folder, events)
        drifts(checks, looptrail, folder, events)
        changes(checks, looptrail, folder)
        schema(checks, looptrail, folder, options.seed, options.mutants)
    checks.close()


if __name__ == "__main__":
    main()
