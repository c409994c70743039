import Foundation
import TestSupport
import Testing

/// `looptrail demo` as a process of its own: the whole pipeline for real.
@Suite struct DemoCallTests {
    @Test func `the demo runs the pipeline, can run again in the same folder, and its files are sound`() throws {
        let folder = try TemporaryFolder()
        let demo = folder.path("shop")
        let (people, all) = isNight ? ("4,000", "5,000") : ("1,500", "2,000")
        let first = try Child.looptrail(["demo", demo, "--log", "--people", people.replacing(",", with: "")])
        #expect(first.status == 0)
        // Standard output has the funnel and nothing else.
        #expect(first.output.hasPrefix("Checkout   \(people) users, window 1h from step 1, ordered"))
        #expect(first.output.contains(" 5 payment_succeeded "))
        #expect(first.output.contains("0 bad lines, 0 duplicates, 0 without user, 0 damaged"))
        // About thirteen events for each of the users.
        let last = try #require(first.output.split(separator: "\n").last)
        let events = last.prefix { $0 != " " }.replacing(",", with: "")
        #expect(try #require(Int(events)) >= (isNight ? 50_000 : 19_000))
        // The demo names its planted fault unasked. `chrome_trace.py` expects the same of 10,000 users.
        let finding = try #require(first.errors.split(separator: "\n").first { $0.hasPrefix("What matters: ") })
        #expect(finding.hasPrefix("What matters: Payment: ios, 2.1.0 converts "))
        #expect(finding.contains(" points less than the rest, same days, same users, "))
        // Standard error has an excerpt of the log, the trace, and where the files are.
        #expect(first.errors.contains("#0 initial → start"))
        #expect(first.errors.contains("openProduct(sku: \"sku-"))
        #expect(first.errors.contains("p50") && first.errors.contains("p99"))
        #expect(first.errors.contains("lines were written to `\(demo)/events`"))

        // The timeline is complete, with 40 lanes of visits.
        #expect(first.errors.contains("is in `\(demo)/loop.trace.json`: open it in https://ui.perfetto.dev."))
        let timeline = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: demo + "/loop.trace.json")))
        let drawn = try #require(timeline as? [[String: Any]])
        #expect(drawn.filter { $0["name"] as? String == "thread_name" }.count == 40)
        #expect(drawn.filter { $0["ph"] as? String == "X" }.count > 400)

        // The page names the fault, too.
        #expect(first.errors.contains("for a browser: `\(demo)/report.html`"))
        let page = try String(contentsOfFile: demo + "/report.html", encoding: .utf8)
        #expect(page.hasPrefix("<!DOCTYPE html>"))
        #expect(page.contains("<bdi>ios, 2.1.0</bdi> converts "))
        #expect(page.contains("Conversion fell on ") && page.contains("Alert: a fall of 20.0% holds on 2026-01-27"))
        #expect(first.errors.contains("while you change them: `\(demo)/explore.html`"))
        let explorer = try String(contentsOfFile: demo + "/explore.html", encoding: .utf8)
        #expect(explorer.hasPrefix("<!doctype html>") && explorer.contains(#"id="c-head""#))

        // `why` and `trend` find the fault as well.
        let asked = [demo + "/events", "--steps", "checkout_started > payment_succeeded", "--by", "session"]
        let why = try Child.looptrail(["why"] + asked).output.split(separator: "\n").filter { $0.hasPrefix("Visits with ") }
        #expect(why.first?.hasPrefix("Visits with session.platform = ios go on ") == true)
        // That coupons help shows among thousands of people alone.
        if isNight { #expect(why.dropFirst().first?.hasPrefix("Visits with event coupon_applied go on ") == true) }
        let trend = try Child.looptrail(["trend"] + asked + ["--mark", "2026-01-15=2.1.0", "--fail-drop", "20%"])
        #expect(trend.status == 4)
        #expect(trend.output.contains("\nConversion fell on 2026-01-"))
        #expect(trend.output.contains("\n2.1.0: Conversion fell on 2026-01-15 by "))
        #expect(trend.errors.contains("Alert: a fall of 20.0% holds on 2026-01-27"))
        let gauges = try Child.looptrail(["trend"] + asked + ["--format", "prom"]).output
        #expect(gauges.contains("\nlooptrail_trend_alarm{funnel=\"checkout_started > payment_succeeded\"} 1\n"))

        let check = try Child.looptrail(["check", demo + "/events"])
        #expect(check.status == 0)
        // No other file of the demo is taken for events.
        #expect(try Child.looptrail(["check", demo]).status == 0)
        // The loop's times, for `looptrail timings`, for Prometheus and for OpenTelemetry.
        #expect(try Child.looptrail(["timings", demo + "/events"]).output.contains("openProduct"))
        #expect(first.errors.contains("`\(demo)/metrics.prom`") && first.errors.contains("`\(demo)/metrics.otlp.json`"))
        let metrics = try String(contentsOfFile: demo + "/metrics.prom", encoding: .utf8)
        #expect(metrics.contains(#"looptrail_events_total{system="shop",event="openProduct"} "#))
        #expect(metrics.contains("looptrail_file_lines_dropped_total 0\n"))
        #expect(try String(contentsOfFile: demo + "/metrics.otlp.json", encoding: .utf8).hasPrefix(#"{"resourceMetrics":["#))
        #expect(first.errors.contains("`\(demo)/traces.otlp.json`"))
        let spans = try String(contentsOfFile: demo + "/traces.otlp.json", encoding: .utf8)
        #expect(spans.hasPrefix(#"{"resourceSpans":["#) && spans.contains(#""name":"openProduct""#))

        // The recordings of the loops of 40 visits.
        let recordings = try Child.looptrail(["inspect", demo + "/recordings", "--list"])
        #expect(recordings.status == 0 && recordings.output.split(separator: "\n").count == 40)
        let session = demo + "/session.html"
        let nobody = try Child.looptrail(["inspect", demo + "/recordings", "-o", session, "--session", "zz"])
        #expect(nobody.status == 1 && nobody.errors.contains("no session `zz`; there are `"), "\(nobody.errors)")
        #expect(nobody.errors.contains(" and 30 more; `--list` says more"), "\(nobody.errors)")
        let system = try Child.looptrail(["inspect", demo + "/recordings", "-o", session, "--system", "nope"])
        #expect(system.status == 1 && system.errors.contains("no system `nope`; there are `shop`; `--list` says more"), "\(system.errors)")
        #expect(try Child.looptrail(["inspect", demo + "/recordings", "-o", session]).status == 0)
        #expect(try String(contentsOfFile: session, encoding: .utf8).lowercased().hasPrefix("<!doctype html>"))

        let second = try Child.looptrail(["demo", demo, "--people", isNight ? "1000" : "500", "--quiet"])
        #expect(second.status == 0)
        #expect(second.errors == "")
        #expect(second.output.hasPrefix("Checkout   \(all) users"))
        let secondPage = try String(contentsOfFile: demo + "/report.html", encoding: .utf8)
        #expect(secondPage.contains(all) && secondPage != page)
        #expect(try String(contentsOfFile: demo + "/explore.html", encoding: .utf8) != explorer)
        #expect(try Child.looptrail(["check", demo + "/events", "--quiet"]).status == 0)
        // The event files have the timing lines of both runs, under the same keys. The metrics are those of the last process.
        let timings = try Child.looptrail(["timings", demo + "/events", "--format", "csv"]).output
        #expect(timings.split(separator: "\r\n").count == metrics.split(separator: "\n").count { $0.contains("seconds_count") } + 1)
        #expect(try String(contentsOfFile: demo + "/metrics.prom", encoding: .utf8) != metrics)

        let names = try FileManager.default.contentsOfDirectory(atPath: demo + "/events")
        #expect(names.count >= 3)
        #expect(names.allSatisfy { $0.hasPrefix("events-") && $0.hasSuffix(".ndjson.gz") })
    }

    @Test func `the same run in another folder gives the same funnel`() throws {
        let folder = try TemporaryFolder()
        let results = try ["a", "b"].map {
            try Child.looptrail(["demo", folder.path($0), "--people", isNight ? "500" : "150", "--quiet", "--format", "json"])
        }
        func steps(_ json: String) -> Substring? { json.range(of: "\"input\"").map { json[..<$0.lowerBound] } }
        #expect(results.allSatisfy { $0.status == 0 })
        #expect(steps(results[0].output) != nil)
        #expect(steps(results[0].output) == steps(results[1].output))
    }

    @Test func `the demo speaks ASCII where the locale is not UTF-8`() throws {
        let folder = try TemporaryFolder()
        let result = try Child.looptrail(["demo", folder.path("shop"), "--people", "100", "--log"], environment: ["LANG": "C"])
        #expect(result.status == 0 && result.errors.contains("initial -> start"), "\(result.errors)")
        let wrong = (result.output + result.errors).split(separator: "\n").filter { !$0.utf8.allSatisfy { $0 < 0x80 } }
        #expect(wrong.isEmpty, "\(wrong)")
    }

    @Test func `a folder that is not the demo's is refused and left alone`() throws {
        let folder = try TemporaryFolder()
        try folder.file("mine.txt", "precious")
        let result = try Child.looptrail(["demo", folder.path])
        #expect(result.status == 1)
        #expect(result.output == "")
        #expect(result.errors.contains("not empty and not a folder of this demo"))
        #expect(folder.names == ["mine.txt"])
    }

    @Test func `more than one folder is a usage error`() throws {
        #expect(try Child.looptrail(["demo", "a", "b"]).status == 2)
    }
}
