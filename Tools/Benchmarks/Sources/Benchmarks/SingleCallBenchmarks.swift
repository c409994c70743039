import EventFiles
import Foundation
import LineReference
import LoopTracking
import TrackingEvents

/// What single calls cost, beside one `snprintf` of the same line. The calls are `record()` and `track()` into files, of an event made by
/// hand and of one from a tracking plan.
///
/// Each call is timed on its own, and the cost of reading the clock is subtracted. The calls take turns, so that a machine that slows down
/// slows down all of them.
struct SingleCallBenchmarks {
    let runs: Int

    private static let eventsPerRound = 4_000

    @MainActor func run() throws {
        let sample = FileBenchmarks.sample(Self.eventsPerRound)
        let folder = NSTemporaryDirectory() + "looptrail-calls-\(ProcessInfo.processInfo.processIdentifier)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let writer = try EventFileWriter(folder: folder)
        let tracker = Tracker(to: writer, user: "u1")
        let skus = (0..<64).map { "sku-\($0)" }
        var rows: [[Row]] = Row.Kind.allCases.map { _ in [] }
        for run in 0...runs {
            var times: [[UInt64]] = Row.Kind.allCases.map { _ in [] }
            var empty: [UInt64] = []
            for _ in 0..<5 {
                for _ in sample { empty.append(time {}) }
                bySnprintf(sample, into: &times[0])
                for event in sample { times[1].append(time { writer.record(event) }) }
                try writer.flushAndWait()
                for number in sample.indices {
                    times[2].append(
                        time {
                            tracker.track(
                                .event(
                                    "product_viewed",
                                    [
                                        "sku": .string(skus[number & 63]), "price": .double(Double(number) / 100), "position": .int(number),
                                        "first": .bool(number & 1 == 0),
                                    ]))
                        })
                }
                try writer.flushAndWait()
                for number in sample.indices {
                    times[3].append(
                        time {
                            tracker.track(
                                BenchEvent.productViewed(
                                    sku: skus[number & 63], price: Double(number) / 100, position: number, first: number & 1 == 0))
                        })
                }
                try writer.flushAndWait()
            }
            if run == 0 { continue }
            let clock = Row(of: &empty, less: 0).median
            for kind in times.indices { rows[kind].append(Row(of: &times[kind], less: clock)) }
        }
        try writer.closeAndWait()
        show(rows)
    }

    /// Median and 99th percentile of one run's calls, in nanoseconds.
    private struct Row {
        enum Kind: String, CaseIterable {
            case snprintf = "`snprintf` of the same line"
            case record = "`record()`"
            case byHand = "made and tracked by hand, into files"
            case planned = "the same, of a tracking plan"

            /// How much of the median and of the 99th percentile of `snprintf` a call may cost.
            var limits: (median: Double, late: Double)? {
                switch self {
                case .snprintf: nil
                case .record: (0.33, 1.5)
                case .byHand: (0.75, .infinity)
                case .planned: (0.70, .infinity)
                }
            }
        }

        let median: Double
        let late: Double

        init(of times: inout [UInt64], less clock: Double) {
            times.sort()
            median = Double(times[times.count / 2]) - clock
            late = Double(times[times.count / 100 * 99]) - clock
        }
    }

    @MainActor private func show(_ rows: [[Row]]) {
        print("\n**Single calls** (`Benchmarks calls`), nanoseconds without the clock's own, medians of \(runs) runs (lowest–highest)\n")
        print("| | p50 | p99 | p50 of `snprintf`'s | p99 of `snprintf`'s |\n|---|---:|---:|---:|---:|")
        for (kind, runs) in zip(Row.Kind.allCases, rows) {
            let medians = zip(runs, rows[0]).map { $0.median / $1.median }.sorted()
            let lates = zip(runs, rows[0]).map { $0.late / $1.late }.sorted()
            func middle(_ numbers: [Double]) -> Double { numbers.sorted()[numbers.count / 2] }
            func spread(_ ratios: [Double]) -> String {
                "\(fixed(middle(ratios), 2)) (\(fixed(ratios[0], 2))–\(fixed(ratios[ratios.count - 1], 2)))"
            }
            print(
                "| \(kind.rawValue) | \(fixed(middle(runs.map(\.median)))) | \(fixed(middle(runs.map(\.late)))) "
                    + "| \(spread(medians)) | \(spread(lates)) |")
        }
        for (kind, runs) in zip(Row.Kind.allCases, rows) {
            guard let limits = kind.limits else { continue }
            let median = zip(runs, rows[0]).map { $0.median / $1.median }.sorted()[runs.count / 2]
            let late = zip(runs, rows[0]).map { $0.late / $1.late }.sorted()[runs.count / 2]
            judge(
                "\(kind.rawValue): p50 is \(fixed(median, 2)) of `snprintf`'s, p99 \(fixed(late, 2))",
                target: "at most \(limits.median)" + (limits.late.isFinite ? " and \(limits.late)" : ""),
                isMet: median <= limits.median && late <= limits.late)
        }
    }

    @inline(__always)
    private func time(_ body: () -> Void) -> UInt64 {
        let start = now()
        body()
        return now() - start
    }

    /// The monotonic clock in nanoseconds.
    private func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    private func bySnprintf(_ sample: [StampedEvent], into times: inout [UInt64]) {
        var bytes = [CChar](repeating: 0, count: 4_096)
        for event in sample {
            var line = line_reference()
            (line.t_ms, line.seq) = (event.timeMilliseconds, event.sequence ?? 0)
            var texts = [event.event.name, event.user ?? "", event.session ?? "", "\(event.id)", event.system ?? ""]
            for entry in event.event.properties.entries {
                switch entry.value {
                case .string(let text): texts.append(text)
                case .double(let number): line.price = number
                case .int(let number): line.position = number
                default: break
                }
            }
            withCStrings(texts) { texts in
                (line.name, line.user, line.session, line.id) = (texts[0], texts[1], texts[2], texts[3])
                (line.system, line.screen, line.product) = (texts[4], texts[5], texts[6])
                times.append(time { _ = line_by_snprintf(&bytes, bytes.count, &line) })
            }
        }
    }

    private func withCStrings(_ texts: [String], _ body: ([UnsafePointer<CChar>]) -> Void) {
        let copies = texts.map { strdup($0)! }
        body(copies.map { UnsafePointer($0) })
        for copy in copies { free(copy) }
    }
}
