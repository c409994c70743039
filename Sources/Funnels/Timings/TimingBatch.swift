import EventFiles
import TrackingEvents

/// What a question about timings keeps of one batch of lines.
struct TimingBatch: HeadedBatch {
    var head: BatchHead
    /// The timing lines that the question asks for. `timing` is `nil` where a line's properties cannot be read.
    private(set) var lines: [(id: Fingerprint, time: Int64, system: String?, timing: TimingLine?)] = []

    private static let name = Array(TimingLine.name.utf8)
    private let run: TimingRun
    private let system: [UInt8]?
    private let cohort: CohortTest

    init(_ run: TimingRun, expecting lines: Int) {
        self.run = run
        cohort = CohortTest(run.cohort, countedBy: nil)
        system = run.system.map { Array($0.utf8) }
        head = BatchHead(expecting: lines)
    }

    mutating func take(_ line: EventHead) {
        if head.take(line) { return }
        // Other software may write timing lines, under other names.
        guard line.kind == .timing, line.name.elementsEqual(Self.name), run.range.contains(line.time) else { return }
        if let system, !line.system.elementsEqual(system) { return }
        if cohort.asksLines && !cohort.admits(line) { return }
        let timing = line.props.count <= EventLineScanner.lengthLimit ? TimingLine(properties: line.props) : nil
        lines.append((line.id, line.time, line.system.isEmpty ? nil : String(decoding: line.system, as: UTF8.self), timing))
    }
}
