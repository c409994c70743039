public import EventFiles
import TrackingEvents

/// Shows events as they arrive: in files that are still written, and in new ones.
///
/// ```swift
/// let tail = try EventTail(paths: ["events/"], matching: FunnelStep("payment_failed").pattern)
/// try tail.poll { event, line in print(event.timeMilliseconds, event.name, event.user ?? "") }
/// ```
/// Not `Sendable`: one thread at a time.
public final class EventTail {
    /// One event as its line says it.
    public struct Event: Sendable, Hashable {
        /// A property, as it is written on the line; a text without its quotes.
        public struct Property: Sendable, Hashable {
            public let key: String
            public let value: String
        }

        public let timeMilliseconds: Int64
        public let name: String
        public let user: String?
        public let session: String?
        /// In the line's order; an object is one value, as it is written.
        public let properties: [Property]
    }

    private let follower: EventFileFollower
    private let decoder = LineDecoder()
    private let plan: CompiledFunnel?
    private let cohort: CohortTest
    /// How sessions began, if the pattern asks about them.
    private var contexts = SessionContexts()
    /// How many lines so far could not be used, too long ones included.
    public var badLines: Int { unusable + readOnce.longLines + follower.report.longLines }
    private var unusable = 0
    /// In how many places files were damaged so far. What stood there is not shown.
    public var damagedMembers: Int { readOnce.damagedMembers + follower.report.damagedMembers }
    private var readOnce = ReadResult()

    /// - Parameters:
    ///   - paths: files, folders and patterns, as for `EventFileReader`.
    ///   - pattern: which events are shown; `nil` for all. Meta and timing lines are not events. Tests of a session's properties look at
    ///     those lines of the session that were read before the event. Such lines take memory for each session.
    ///   - cohort: whose events are shown. Each event is judged by its own key, of the kind that the list names.
    /// - Throws: ``FunnelDefinitionError``, which no pattern causes at present.
    public init(paths: [String], matching pattern: EventPattern? = nil, cohort: CohortFilter = .everyone) throws(FunnelDefinitionError) {
        follower = EventFileFollower(paths: paths)
        plan = try pattern.map { pattern throws(FunnelDefinitionError) in
            CompiledFunnel([try FunnelDefinition(steps: [FunnelStep(pattern)])])
        }
        self.cohort = CohortTest(cohort, countedBy: nil)
    }

    /// Calls `body` with each event that came since the last call, and its line, whose bytes are valid only inside.
    ///
    /// - Throws: `EventFileReadError`, and what `body` throws.
    public func poll(_ body: (Event, UnsafeRawBufferPointer) throws -> Void) throws { try follower.poll { line in try show(line, body) } }

    /// Reads what came since the last call, and calls `body` with the latest of these events, in the order of time.
    ///
    /// Memory: at most 2 × `count` + 1001 lines.
    ///
    /// - Parameters:
    ///   - count: how many events at most, 0 or more.
    ///   - isLast: whether nothing is read afterwards. A last line that lacks its end is then taken as it is.
    /// - Throws: `EventFileReadError`, and what `body` throws.
    public func pollLatest(_ count: Int, isLast: Bool = false, _ body: (Event, UnsafeRawBufferPointer) throws -> Void) throws {
        var kept: [(time: Int64, line: [UInt8])] = []
        var earliest = Int64.min
        func latest() -> [(time: Int64, line: [UInt8])] { Array(kept.sorted { $0.time < $1.time }.suffix(count)) }
        func take(_ number: Int, _ line: UnsafeRawBufferPointer) {
            guard let time = decode(line, { $0.time }), count > 0, time >= earliest else { return }
            kept.append((time, Array(line)))
            if kept.count > 2 * min(count, .max / 4) + 1000 {
                kept = latest()
                earliest = kept.first?.time ?? .min
            }
        }
        // What was read before a file that cannot be read comes no second time.
        let reading = Result { try follower.poll(take, dropped: isLast ? { _ in } : nil) }
        for one in latest() { try one.line.withUnsafeBytes { try show($0, body) } }
        _ = try reading.get()
    }

    /// Reads everything once and calls `body` with each event: for standard input, which cannot be followed.
    public func read(_ reader: EventFileReader, _ body: (Event, UnsafeRawBufferPointer) throws -> Void) throws {
        readOnce.files += try reader.forEachLine { line in try show(line, body) }.files
    }

    private func show(_ line: UnsafeRawBufferPointer, _ body: (Event, UnsafeRawBufferPointer) throws -> Void) throws {
        if let event = decode(line, { Event($0) }) { try body(event, line) }
    }

    /// What `body` makes of the line's event; `nil` if the line has no event that is to be shown.
    private func decode<Result>(_ line: UnsafeRawBufferPointer, _ body: (EventHead) -> Result) -> Result? {
        var result: Result?
        let isGood = decoder.decode(line) { head in
            if let plan, !plan.sessionPaths.isEmpty, let line = SessionLine(head, plan.sessionPaths) { contexts.insert(line) }
            if head.kind == .event, cohort.admits(head), fits(head) { result = body(head) }
        }
        if !isGood { unusable += 1 }
        return result
    }

    private func fits(_ head: EventHead) -> Bool {
        guard let funnel = plan?.funnels[0] else { return true }
        let byName = funnel.matcher.steps(named: Array(head.name))
        guard byName != 0, funnel.matcher.steps(of: byName, holdingFor: head.properties) != 0 else { return false }
        if funnel.questions.isEmpty { return true }
        return funnel.questions.answered(StepEvent(time: head.time, steps: 1), in: head.session.fingerprint, contexts).steps != 0
    }
}

extension EventTail.Event {
    fileprivate init(_ head: EventHead) {
        func text(_ bytes: UnsafeRawBufferPointer) -> String? { bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
        var properties: [Property] = []
        if !head.props.isEmpty {
            var cursor = JSONCursor(head.props)
            try? cursor.forEachEntry { key, value in
                properties.append(Property(key: key.string(in: head.props), value: value.text.string(in: head.props)))
            }
        }
        self.init(
            timeMilliseconds: head.time, name: text(head.name) ?? "", user: text(head.user), session: text(head.session),
            properties: properties)
    }
}
