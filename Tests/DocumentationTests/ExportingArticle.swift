import EventFiles
import Foundation
import LoopCore
import LoopTracing
import Testing
import TrackingEvents

/// The code of the article on exporters.
@MainActor @Suite struct ExportingArticle {
    private struct Tap {}

    /// As much of a server as the article needs.
    private final class Server {
        var answers: [String: () -> String] = [:]

        func get(_ path: String, _ answer: @escaping () -> String) { answers[path] = answer }
    }

    private let measurements = Measurements()

    private func system() -> System<Int, Tap> {
        System(initialState: 0) { (count: inout Int, _: Tap) in count += 1 }.attach(.measure(into: measurements))
    }

    private func folder() throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("looptrail-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test func `an exposition is served and lies in a file`() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = Server()
        let exposition = PrometheusText()
        server.get("/metrics") { exposition.text(of: measurements) }
        system().send(Tap())
        #expect(server.answers["/metrics"]?().contains("looptrail_events_total{event=\"Tap\"} 1\n") == true)

        let file = PrometheusFile(path: folder + "/shop.prom")
        try file.write(PrometheusText().text(of: measurements))
        #expect(try String(contentsOfFile: folder + "/shop.prom", encoding: .utf8) == server.answers["/metrics"]?())

        let writer = try EventFileWriter(folder: folder + "/events")
        let dropped = PrometheusCounter(
            "looptrail_file_lines_dropped_total", "Events that did not reach their file.", writer.statistics.dropped)
        let text = exposition.text(of: measurements, counters: [dropped])
        #expect(text.hasSuffix("looptrail_file_lines_dropped_total 0\n"))
        try await writer.close()
    }

    @Test func `timing lines ride along in event files`() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let writer = try EventFileWriter(folder: folder + "/events")
        let timings = TimingLines(of: measurements, to: writer)
        let task = Task { await timings.write(every: .seconds(60)) }
        system().send(Tap())
        task.cancel()
        await task.value
        try await writer.close()
        #expect(writer.statistics.written == measurements.event("Tap").map { tap in TracePhase.allCases.count { !tap[$0].isEmpty } })
    }

    @Test func `metrics and spans are lines for OpenTelemetry`() {
        var log = ""
        let metrics = OTLPMetrics(service: "shop", attributes: ["service.version": "1.4"])
        log.append(metrics.line(of: measurements))
        #expect(log.hasPrefix(#"{"resourceMetrics":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}}"#))

        log = ""
        let system = system()
        let spans = OTLPTraces(service: "shop")
        system.attach(.trace(to: spans))
        system.send(Tap())
        while let line = spans.takeLine() { log.append(line) }
        #expect(log.contains(#""name":"Tap","kind":1,"#))
    }

    @Test func `a phase tells each of its filled buckets`() {
        var sent: [(String, ClosedRange<UInt64>, UInt64)] = []
        func send(_ event: String, _ range: ClosedRange<UInt64>, _ count: UInt64) { sent.append((event, range, count)) }
        system().send(Tap())
        for event in measurements.events {
            for bucket in event[.reduce].filledBuckets { send(event.event, bucket.range, bucket.count) }
        }
        #expect(sent.count == 1 && sent.first?.0 == "Tap" && sent.first?.2 == 1)
    }
}
