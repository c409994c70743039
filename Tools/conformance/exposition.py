#!/usr/bin/env python3
"""Reads the demo's metrics with the programs that they are for: promtool, a Prometheus that scrapes them, and OpenTelemetry's own classes.
Asks every query of the Grafana boards on Prometheus, which must have an answer.

    swift build -c release --product looptrail && Tools/conformance/exposition.py
"""

import base64
import http.server
import json
import math
import os
import re
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

import boards
from harness import ROOT, Checks, Looptrail, arguments, module, tool

RULES = os.path.join(ROOT, "Dashboards", "prometheus")
SCRAPE_SECONDS = 1
SCRAPES = 8
# The values of Grafana's own variables, for the rate of these scrapes.
GRAFANA = {"__rate_interval": f"{SCRAPE_SECONDS * 5}s", "__interval": f"{SCRAPE_SECONDS}s", "__range": "1m"}
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SAMPLE = re.compile(r"^([a-z_]+)(\{.*\})? (\S+)$")


def run(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, **options)


def times(text, factor):
    """The exposition of a process that did the same `factor` times: the value of every sample, multiplied."""
    lines = []
    for line in text.splitlines():
        sample = SAMPLE.match(line)
        if sample and not line.startswith("#"):
            value = float(sample.group(3)) * factor
            line = f"{sample.group(1)}{sample.group(2) or ''} {int(value) if value.is_integer() else value!r}"
        lines.append(line)
    return "\n".join(lines) + "\n"


class Metrics(http.server.BaseHTTPRequestHandler):
    """Serves the exposition on loopback. With each scrape the numbers grow as if the shop did the same again, so rates are not zero."""

    text, scrapes = "", 0

    def do_GET(self):
        if self.path != "/metrics":
            return self.send_error(404)
        type(self).scrapes += 1
        body = times(self.text, type(self).scrapes).encode()
        self.send_response(200)
        self.send_header("Content-Type", CONTENT_TYPE)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Prometheus:
    """A Prometheus process with our configuration and rules, which ends with the `with` block."""

    def __init__(self, scratch, target):
        self.port = free_port()
        with open(os.path.join(RULES, "prometheus.yml"), encoding="utf-8") as file:
            config = file.read()
        assert "15s" in config and "localhost:9464" in config, "the configuration is not the one this script knows"
        config = config.replace("15s", f"{SCRAPE_SECONDS}s").replace("localhost:9464", f"127.0.0.1:{target}")
        config = config.replace("looptrail.rules.yml", os.path.join(RULES, "looptrail.rules.yml"))
        # There is no node_exporter here, so its job is cut off.
        config = config[: config.index("  # For programs that write")]
        path = os.path.join(scratch, "prometheus.yml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(config)
        self.log = open(os.path.join(scratch, "prometheus.log"), "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            ["prometheus", f"--config.file={path}", f"--storage.tsdb.path={scratch}/data", f"--web.listen-address=127.0.0.1:{self.port}",
             "--log.level=warn"],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()

    def get(self, path, **parameters):
        url = f"http://127.0.0.1:{self.port}/api/v1/{path}?{urllib.parse.urlencode(parameters, doseq=True)}"
        try:
            with urllib.request.urlopen(url, timeout=20) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error).get("error", str(error))) from None

    def query(self, expression):
        return self.get("query", query=expression)["result"]

    def wait(self, enough, seconds):
        """Waits until `enough()` holds, and returns whether it did in time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            try:
                if enough():
                    return True
            except (OSError, RuntimeError):
                pass
            time.sleep(0.2)
        return False

    def tail(self):
        self.log.seek(0)
        return self.log.read()[-800:]


def values(result):
    """The numbers in the answer to an instant query or a range query."""
    for series in result:
        for _, value in series.get("values", [series["value"]] if "value" in series else []):
            yield float(value)


def expand(expression, board):
    """The query as Grafana would send it, with everything chosen in the board's variables."""
    known = dict(GRAFANA)
    for variable in board["templating"]["list"]:
        if variable["type"] == "query":
            known[variable["name"]] = variable.get("allValue") or ".*"
    for name, value in sorted(known.items(), key=lambda one: -len(one[0])):
        expression = expression.replace("${" + name + "}", value).replace("$" + name, value)
    return expression


def ask_boards(checks, prometheus):
    """Asks each query of each board on Prometheus, and each list of a variable. Returns how many queries there were."""
    asked = 0
    for path in boards.find_boards():
        with open(path, encoding="utf-8") as file:
            board = json.load(file)
        name = os.path.basename(path)
        for variable in board["templating"]["list"]:
            if variable["type"] != "query" or variable["datasource"]["type"] != "prometheus":
                continue
            match = re.fullmatch(r"label_values\((.*), (\w+)\)", expand(variable["definition"], board))
            if checks.that(f"{name}: the list of ${variable['name']} is one of labels", match, variable["definition"]):
                found = prometheus.get(f"label/{match.group(2)}/values", **{"match[]": match.group(1)})
                checks.that(f"{name}: ${variable['name']} has something to choose from", found)
        for panel, target in boards.targets_of(board):
            if target["datasource"]["type"] != "prometheus":
                continue
            asked += 1
            expression = expand(target["expr"], board)
            what = f"{name}: `{panel['title']}` {target['refId']}"
            try:
                if target.get("instant"):
                    result = prometheus.query(expression)
                else:
                    now = time.time()
                    result = prometheus.get("query_range", query=expression, start=now - 3 * SCRAPE_SECONDS, end=now, step=SCRAPE_SECONDS)["result"]
            except RuntimeError as error:
                checks.that(what, False, f"{error}: {expression}")
                continue
            numbers = [one for one in values(result) if not math.isnan(one)]
            checks.that(f"{what} is answered with numbers", numbers, expression)
            unit = panel["fieldConfig"]["defaults"]["unit"]
            if unit in ("s", "percentunit", "cps"):
                checks.that(f"{what}: no number is negative", all(one >= 0 for one in numbers), str(numbers[:5]))
            if unit == "percentunit" and "time" not in panel["title"] and "Busiest" not in panel["title"]:
                checks.that(f"{what}: a share is not above 1", all(one <= 1 for one in numbers), str(numbers[:5]))
    checks.that("some queries were asked", asked > 10, str(asked))
    return asked


def compare(checks, prometheus, text, timings):
    """Checks that quantiles that Prometheus computes from buckets agree with `looptrail timings`, which reads the timing lines."""
    bounds = sorted({float(one) for one in re.findall(r'le="([^"]+)"', text) if one != "+Inf"})
    for timing in timings:
        labels = f'event="{timing["event"]}",phase="{timing["phase"]}"'
        counted = prometheus.query(f"looptrail_step_seconds_count{{{labels}}}")
        bucket = prometheus.query(f'looptrail_step_seconds_bucket{{{labels},le="+Inf"}}')
        # A scrape may come between the two queries.
        scrapes = {float(one["value"][1]) / timing["count"] for one in counted + bucket}
        checks.that(f"{labels}: as many as the timing lines say, at each scrape", scrapes and all(one.is_integer() for one in scrapes), str(scrapes))
        for percent, told in ((0.5, timing["p50_ns"]), (0.9, timing["p90_ns"]), (0.99, timing["p99_ns"])):
            found = prometheus.query(f"histogram_quantile({percent}, sum by (le) (looptrail_step_seconds_bucket{{{labels}}}))")
            seconds, quantile = told / 1e9, float(found[0]["value"][1])
            low = max([one for one in bounds if one < seconds * 0.98], default=0)
            high = min([one for one in bounds if one > seconds * 1.02], default=math.inf)
            checks.that(f"{labels}: p{percent * 100:g} {quantile} in the bucket around {seconds}", low <= quantile <= high, f"{low}…{high}")


def check_live(checks, scratch, text, timings):
    Metrics.text = text
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Metrics)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with Prometheus(scratch, server.server_address[1]) as prometheus:
            def scraped():
                return Metrics.scrapes >= SCRAPES and prometheus.query("looptrail:step_seconds:p99_5m")

            if not checks.that("Prometheus scrapes and computes the rules", prometheus.wait(scraped, 60), prometheus.tail()):
                return
            targets = prometheus.get("targets")["activeTargets"]
            checks.equal("the target's health", [(one["health"], one["lastError"]) for one in targets], [("up", "")])
            samples = sum(1 for line in text.splitlines() if SAMPLE.match(line))
            checks.equal("samples scraped", {float(one) for one in values(prometheus.query("scrape_samples_scraped"))}, {float(samples)})
            kinds = {name: one[0]["type"] for name, one in prometheus.get("metadata").items() if name.startswith("looptrail_")}
            for name, kind in re.findall(r"# TYPE (\S+) (\S+)", text):
                checks.equal(f"the kind of {name}", kinds.get(name), kind)
            compare(checks, prometheus, text, timings)
            print(f"{ask_boards(checks, prometheus)} queries of boards answered by a live Prometheus", flush=True)
            wrong = [rule for group in prometheus.get("rules")["groups"] for rule in group["rules"] if rule["health"] != "ok"]
            checks.equal("rules that cannot be computed", wrong, [])
    finally:
        server.shutdown()
        server.server_close()


def check_files(checks, text):
    """Lets promtool check the text, the configuration and the rules, and run the rules' own tests."""
    done = run("promtool", "check", "metrics", input=text)
    checks.that("promtool check metrics", done.returncode == 0 and not done.stdout.strip(), done.stdout[-800:])
    # A spoilt text must fail, which shows that promtool reads the text.
    spoilt = run("promtool", "check", "metrics", input=text.replace('phase="total"', 'phase="to"tal"', 1))
    checks.that("promtool finds a spoilt text", spoilt.returncode != 0)
    for words in (["check", "config", "prometheus.yml"], ["check", "rules", "looptrail.rules.yml"], ["test", "rules", "looptrail.test.yml"]):
        done = run("promtool", *words[:2], os.path.join(RULES, words[2]))
        checks.that(f"promtool {' '.join(words)}", done.returncode == 0, done.stdout[-800:])


def check_funnel_gauges(checks, looptrail, scratch, events):
    """promtool must accept the gauges of saved funnels, and they must agree with the JSON of the same funnels."""
    funnels = os.path.join(scratch, "funnels.json")
    with open(funnels, "w", encoding="utf-8") as file:
        steps = "catalog_viewed > cart_added > payment_succeeded"
        json.dump([{"name": 'Odd "name"\\', "steps": steps}, {"steps": steps}, {"steps": steps, "breakdown": "props.sku:step=2"}], file)
    path = os.path.join(scratch, "funnels.prom")
    done = looptrail.run("funnel", events, "--funnels", funnels, "-o", path)
    checks.equal("gauges: exit", done.returncode, 0)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    done = run("promtool", "check", "metrics", input=text)
    checks.that("gauges: promtool check metrics", done.returncode == 0 and not done.stdout.strip(), done.stdout[-800:])
    counted = looptrail.json("funnel", events, "--steps", steps)
    values = dict(re.findall(r'^looptrail_funnel_users\{funnel="Odd \\"name\\"\\\\",step="(\d)"\} (\d+)$', text, re.M))
    checks.equal("gauges: users", values, {str(one["index"]): str(one["count"]) for one in counted["steps"]})
    ratios = re.findall(r"^looptrail_funnel_conversion_ratio\{.*\} (\S+)$", text, re.M)
    checks.equal("gauges: ratios", [float(one) for one in ratios], [counted["overall"]["rate"]] * 3)
    # The demo's deliberate fault must raise the alarm that the rules wait for.
    done = looptrail.run("trend", events, "--steps", "checkout_started > payment_succeeded", "--window", "1h", "--by", "session", "--format", "prom")
    checks.that("gauges: the demo's payments fell", re.search(r"^looptrail_trend_alarm\{.*\} 1$", done.stdout, re.M), done.stdout[-800:])
    done = run("promtool", "check", "metrics", input=done.stdout)
    checks.that("gauges: promtool check metrics of a trend", done.returncode == 0 and not done.stdout.strip(), done.stdout[-800:])


def with_base64_ids(value):
    """OTLP writes ids in hexadecimal, but the general mapping of Protobuf to JSON, which the classes read, has base64."""
    if isinstance(value, list):
        return [with_base64_ids(one) for one in value]
    if not isinstance(value, dict):
        return value
    changed = {}
    for key, inner in value.items():
        if key in ("traceId", "spanId", "parentSpanId") and isinstance(inner, str):
            changed[key] = base64.b64encode(bytes.fromhex(inner)).decode()
        else:
            changed[key] = with_base64_ids(inner)
    return changed


def check_metrics_line(checks, line, timings):
    from google.protobuf import json_format
    from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
    from opentelemetry.proto.metrics.v1.metrics_pb2 import AGGREGATION_TEMPORALITY_CUMULATIVE

    request = json_format.Parse(line, ExportMetricsServiceRequest())
    resource = request.resource_metrics[0]
    checks.equal("service.name", {one.key: one.value.string_value for one in resource.resource.attributes}.get("service.name"), "shop-demo")
    metrics = {one.name: one for one in resource.scope_metrics[0].metrics}
    checks.equal("metrics", sorted(metrics), ["looptrail.events", "looptrail.step.duration"])
    durations, wanted = metrics["looptrail.step.duration"], {(one["event"], one["phase"]): one for one in timings}
    checks.equal("unit", durations.unit, "s")
    checks.equal("temporality", durations.histogram.aggregation_temporality, AGGREGATION_TEMPORALITY_CUMULATIVE)
    found = set()
    for point in durations.histogram.data_points:
        labels = {one.key: one.value.string_value for one in point.attributes}
        key = (labels["event"], labels["phase"])
        found.add(key)
        checks.equal(f"{key}: count", point.count, wanted.get(key, {}).get("count"))
        checks.equal(f"{key}: buckets hold all", sum(point.bucket_counts), point.count)
        checks.equal(f"{key}: a bucket for each bound and one more", len(point.bucket_counts), len(point.explicit_bounds) + 1)
        checks.that(f"{key}: sum, min and max", abs(point.sum * 1e9 - wanted[key]["total_ns"]) <= 1e-6 * wanted[key]["total_ns"] + 1
                    and round(point.min * 1e9) == wanted[key]["min_ns"] and round(point.max * 1e9) == wanted[key]["max_ns"])
        checks.that(f"{key}: times", 0 < point.start_time_unix_nano <= point.time_unix_nano)
    checks.equal("points", found, set(wanted))
    events = metrics["looptrail.events"].sum
    checks.that("events only rise", events.is_monotonic)
    total = sum(point.as_int for point in events.data_points)
    checks.that("events were counted", total >= sum(one["count"] for one in timings if one["phase"] == "total"), str(total))


def check_trace_lines(checks, lines):
    from google.protobuf import json_format
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    spans = []
    for line in lines:
        for resource in json_format.ParseDict(with_base64_ids(json.loads(line)), ExportTraceServiceRequest()).resource_spans:
            for scope in resource.scope_spans:
                spans += scope.spans
    checks.that("there are spans", spans)
    ids = {span.span_id: span for span in spans}
    checks.equal("spans with an id of their own", len(ids), len(spans))
    checks.that("ids are as long as they have to be", all(len(one.span_id) == 8 and len(one.trace_id) == 16 and any(one.trace_id) for one in spans))
    checks.that("no span ends before it begins", all(0 < one.start_time_unix_nano <= one.end_time_unix_nano for one in spans))
    checks.that("spans have names and kinds", all(one.name and one.kind == 1 for one in spans))
    children = [one for one in spans if one.parent_span_id]
    checks.that("every parent is there, in the same trace", all(
        one.parent_span_id in ids and ids[one.parent_span_id].trace_id == one.trace_id for one in children))
    checks.that("a part lies within its event", all(
        ids[one.parent_span_id].start_time_unix_nano <= one.start_time_unix_nano
        and one.end_time_unix_nano <= ids[one.parent_span_id].end_time_unix_nano for one in children if one.parent_span_id in ids))
    print(f"{len(spans)} spans, {len(children)} of them under another", flush=True)


def main():
    options = arguments(__doc__).parse_args()
    checks, looptrail = Checks(options.allow_missing), Looptrail(options.binary)
    with tempfile.TemporaryDirectory() as scratch:
        demo = os.path.join(scratch, "demo")
        done = looptrail.run("demo", demo)
        if not checks.that("looptrail demo", done.returncode == 0, f"exit {done.returncode}: {done.stderr[-500:]}"):
            return checks.close()
        with open(os.path.join(demo, "metrics.prom"), encoding="utf-8") as file:
            text = file.read()
        timings = looptrail.json("timings", os.path.join(demo, "events"))["timings"]
        checks.that("timing lines were read", len(timings) > 10, str(len(timings)))
        if tool("promtool") and tool("prometheus"):
            check_files(checks, text)
            check_funnel_gauges(checks, looptrail, scratch, os.path.join(demo, "events"))
            check_live(checks, scratch, text, timings)
        else:
            checks.missing("prometheus", "apt-get install prometheus")
        if module("opentelemetry.proto.collector.metrics.v1.metrics_service_pb2"):
            with open(os.path.join(demo, "metrics.otlp.json"), encoding="utf-8") as file:
                lines = file.read().splitlines()
            checks.equal("lines of OTLP", len(lines), 1)
            check_metrics_line(checks, lines[0], timings)
            with open(os.path.join(demo, "traces.otlp.json"), encoding="utf-8") as file:
                check_trace_lines(checks, file.read().splitlines())
        else:
            checks.missing("opentelemetry-proto", "pip install opentelemetry-proto")
    checks.close()


if __name__ == "__main__":
    main()
