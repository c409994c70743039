import TrackingEvents

/// The lines of one or more recorded sessions, of version 1 or 2.
///
/// ```swift
/// let recording = try Recording(contentsOf: "recordings")         // LoopLogFiles
/// try await Shop.makeSystem().replay(recording, upTo: 812)
/// ```
/// They are looked at when they are used: damage is no error here.
public struct Recording: Sendable {
    package let lines: [String]

    /// The text of a recording, a line each, as in a test: `Recording("""…""")`. An empty line stands between the lines of two recorders.
    public init(_ text: String) { self.init(lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)) }

    package init(lines: [String]) { self.lines = lines }

    /// The lines as one text.
    public var text: String { lines.joined(separator: "\n") }

    /// The sessions in the order of their first lines.
    package func sessions() -> [RecordedSteps] {
        var joining = RecordingJoiner()
        for (index, line) in lines.enumerated() { joining.add(line, at: index + 1) }
        return joining.finish()
    }
}

/// What is recorded of one event.
package struct RecordedStep {
    package let number: Int
    /// The line that was written when the event was taken.
    package let line: RecordedValue
    /// The lines that were written of what became of it: perhaps some of loading states, and the last one.
    package var ends: [RecordedValue] = []
    /// The state that a head gives after this event.
    package var head: RecordedValue?

    /// How it ended; `unfinished` where the session ended before.
    package var outcome: String {
        guard let last = ends.last, last["phase"] == nil else { return "unfinished" }
        return last["outcome"]?.text ?? "finished"
    }

    /// Nanoseconds in the queue, the reducer, the bindings, and the work if there was any.
    package var times: [Int] { ends.last?["ns"]?.elements.compactMap(\.integer) ?? [] }
}

/// One session of one system: its events in their order, each with what became of it.
package struct RecordedSteps {
    package internal(set) var id = ""
    /// The head that it begins with.
    package internal(set) var head: RecordedValue
    package internal(set) var steps: [RecordedStep] = []
    /// What belongs to no event's own lines: effects, what was tracked, notes of what is missing.
    package internal(set) var others: [RecordedValue] = []
    /// What is missing, in words.
    package internal(set) var problems: [String] = []
    /// How it ended; `nil` for a session that did not end by itself.
    package internal(set) var ended: String?

    /// The number of the event before the first.
    package var start: Int { head["after"]?.integer ?? 0 }
    /// When it began, in milliseconds since 1970 UTC.
    package var time: Int { head["t_ms"]?.integer ?? 0 }
    package var system: String? { head["system"]?.text }
    package var version: Int { head["recording"]?.integer ?? 0 }
    /// Whether the states are trees, so that it is known what each was.
    package var hasStates: Bool { head["state"] != nil && head["states"]?.text != "text" }

    /// The states from one event to the next.
    package var states: RecordedStateWalk { RecordedStateWalk(self) }
}

/// Goes from state to state of a session. After a hole nothing is known before the next head.
package struct RecordedStateWalk {
    /// The state after the last step; `nil` where it is not known.
    package private(set) var state: RecordedValue?
    private var number: Int
    /// The numbers of events whose ends the recorder gave up.
    private let givenUp: [Range<Int>]

    init(_ session: RecordedSteps) {
        state = session.hasStates ? session.head["state"] : nil
        number = session.start
        givenUp = session.others.compactMap { line in
            guard let count = line["lost"]?.integer, let from = line["from"]?.integer, count > 0 else { return nil }
            let (end, isTooLarge) = from.addingReportingOverflow(count)
            return isTooLarge ? nil : from..<end
        }
    }

    /// Goes on to a step.
    ///
    /// - Returns: whether the state after it is known.
    package mutating func take(_ step: RecordedStep) -> Bool {
        if step.number != number + 1 { state = nil }
        number = step.number
        if step.ends.isEmpty {
            // An end that the recorder gave up is no hole: the next patch starts from the last state that was written.
            if !givenUp.contains(where: { $0.contains(step.number) }) { state = nil }
        }
        for end in step.ends {
            if end["changes"] != nil { state = nil }
            if let patch = end["patch"] { state = state.flatMap { RecordedPatch(patch)?.applied(to: $0) } }
        }
        if let head = step.head { state = head }
        return state != nil && (step.head != nil || !step.ends.isEmpty)
    }
}

/// Puts the lines of recordings together.
package struct RecordingJoiner {
    fileprivate struct Draft {
        var head: RecordedValue
        var order: Int
        var events: [Int: RecordedValue] = [:]
        var ends: [Int: [RecordedValue]] = [:]
        var heads: [Int: RecordedValue] = [:]
        var others: [RecordedValue] = []
        var ended: String?
        /// Of version 1: the last state.
        var state: RecordedValue?
    }

    private var drafts: [String: Draft] = [:]
    /// The session of lines without an id: that of the last head of a recorder's first system.
    private var current: String?
    /// Lines that came before the head of their session.
    private var early: [RecordedValue] = []
    /// The sessions of this recorder.
    private var ofWriter: Set<String> = []
    package private(set) var unreadLines: [Int] = []

    package init() {}

    /// What is read now was written by another recorder than what came before.
    package mutating func beginWriter() {
        current = nil
        early = []
        ofWriter = []
    }

    package mutating func add(_ text: String, at number: Int) {
        if text.isEmpty { return beginWriter() }
        guard let line = RecordedValue.parse(text), line.container?.keys != nil else { return unreadLines.append(number) }
        add(line)
    }

    private mutating func add(_ line: RecordedValue) {
        if let version = line["recording"]?.integer {
            let id = line["id"]?.text ?? "v\(version)-\(drafts.count + 1)"
            let head = version == 1 ? Self.head(ofVersion1: line) : line
            if line["beside"] == nil { current = id }
            ofWriter.insert(id)
            let after = head["after"]?.integer ?? 0
            if drafts[id] != nil {
                // One with a text says nothing of the state.
                if let state = head["state"], head["states"]?.text != "text" { drafts[id]?.heads[after] = state }
            } else {
                drafts[id] = Draft(head: head, order: drafts.count, state: head["state"])
            }
            let waiting = early
            early = []
            for line in waiting { add(line) }
            return
        }
        // It is taken out, so that no second reference makes each change copy all that the draft holds.
        guard let id = line["id"]?.text ?? current, var draft = drafts.removeValue(forKey: id) else { return early.append(line) }
        defer { drafts[id] = draft }
        if let number = line["n"]?.integer {
            guard draft.head["recording"]?.integer != 1 else { return draft.addVersion1(line, number) }
            draft.events[number] = line
            // Keys of an `of` line may stand here.
            if line["ns"] != nil || line["patch"] != nil || line["outcome"] != nil || line["ended"] != nil {
                draft.ends[number, default: []].append(line)
            }
        } else if let number = line["of"]?.integer {
            // What waits in a ring may stand in the file, too; a patch must not be applied twice.
            let known = draft.ends[number] ?? []
            if known.contains(where: { $0["phase"] == nil || RecordedValue.areEqual($0, line) }) { return }
            draft.ends[number] = known + [line]
        } else if let ended = line["ended"]?.text {
            for id in ofWriter { drafts[id]?.ended = ended }
            draft.ended = ended
        } else {
            draft.others.append(line)
        }
    }

    /// The sessions. Lines without a head are left out.
    package func finish() -> [RecordedSteps] {
        let ordered = drafts.sorted { a, b in
            let times = [a, b].map { $0.value.head["t_ms"]?.integer ?? 0 }
            return times[0] == times[1] ? a.value.order < b.value.order : times[0] < times[1]
        }
        return ordered.map { id, draft in
            var session = RecordedSteps(head: draft.head)
            session.id = id
            session.ended = draft.ended
            session.others = draft.others
            var expected = session.start + 1
            for number in draft.events.keys.sorted() where number > session.start {
                guard let line = draft.events[number] else { continue }
                if number > expected { session.problems.append("\(Self.steps(number - expected)) missing before \(number)") }
                expected = number + 1
                session.steps.append(
                    RecordedStep(number: number, line: line, ends: draft.ends[number] ?? [], head: draft.heads[number]))
            }
            for line in draft.others {
                guard let count = line["lost"]?.integer, let from = line["from"]?.integer else { continue }
                session.problems.append("\(Self.steps(count)) without details from \(from): \(line["reason"]?.text ?? "lost")")
            }
            return session
        }
    }

    private static func steps(_ count: Int) -> String { count == 1 ? "1 step is" : "\(count) steps are" }

    private static func head(ofVersion1 line: RecordedValue) -> RecordedValue {
        var members: [(String, RecordedValue)] = [("recording", .integer(1)), ("after", line["after"] ?? .integer(0))]
        members += [("states", .text("coded")), ("events", .text("coded"))]
        if let state = line["state"]?.text { members.append(("state", RecordedValue(coded: state))) }
        return .object(members)
    }
}

extension RecordingJoiner.Draft {
    /// A line of version 1 becomes the two of version 2.
    fileprivate mutating func addVersion1(_ line: RecordedValue, _ number: Int) {
        let number = (number, RecordedValue.integer(Int64(number)))
        if let reason = line["lost"] {
            events[number.0] = .object([("n", number.1), ("unwritten", reason)])
            return
        }
        guard let event = line["event"]?.text else { return }
        events[number.0] = .object([("n", number.1), ("event", RecordedValue(coded: event))])
        var end = [("of", number.1)]
        if let text = line["state"]?.text {
            let next = RecordedValue(coded: text)
            if let state { end.append(("patch", RecordedPatch(from: state, to: next).json)) }
            state = next
        }
        for key in ["outcome", "error"] { if let value = line[key] { end.append((key, value)) } }
        ends[number.0] = [.object(end)]
    }
}

extension RecordedValue {
    package static func object(_ members: [(String, RecordedValue)]) -> RecordedValue {
        .container(RecordedContainer(keys: members.map(\.0), values: members.map(\.1)))
    }
}
