import Basics
import TrackingEvents

/// The lines of one or more recorded sessions, of version 1 or 2: see <doc:FromACrashToATest>. Damage is no error until they are used.
public struct Recording: Sendable {
    package let lines: [String]

    /// The lines of a recording as one text, as in a test: `Recording("""…""")`. An empty line stands between the lines of two recorders.
    public init(_ text: String) { self.init(lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)) }

    package init(lines: [String]) { self.lines = lines }

    /// The lines as one text.
    public var text: String { lines.joined(separator: "\n") }

    /// The sessions in the order of the times at which they began.
    package func sessions() -> [RecordedSteps] {
        var joining = RecordingJoiner()
        for (index, line) in lines.enumerated() { joining.add(line, at: index + 1) }
        return joining.finish()
    }
}

/// What is recorded of one event.
package struct RecordedStep {
    package let number: Int
    /// The line that was written when the event was taken; `null` until it is read.
    package fileprivate(set) var line = RecordedValue.null
    /// The lines about what became of it: one for each loading state, and the last one.
    package fileprivate(set) var ends: [RecordedValue] = []
    /// The state that a head gives after this event; in version 1 as a coder's text.
    fileprivate(set) var head: RecordedValue?
    fileprivate var isLast = false
    /// The lines of its loading states.
    private var loading: Set<String> = []

    fileprivate init(_ number: Int) { self.number = number }

    /// How it ended: `unfinished` where the session ended before the event did, `unknown` where its end was not recorded.
    package var outcome: String {
        guard let last = ends.last, last["phase"] == nil else { return isLast ? "unfinished" : "unknown" }
        return last["outcome"]?.text ?? "finished"
    }

    /// Nanoseconds in the queue, the reducer, the bindings, and the work if there was any.
    package var times: [Int] { ends.last?["ns"]?.elements.compactMap(\.integer) ?? [] }

    fileprivate mutating func begin(_ line: RecordedValue) {
        self.line = line
        // The line of an event may hold the keys of an `of` line, too.
        if ["ns", "patch", "outcome"].contains(where: { line[$0] != nil }) { end(line) }
    }

    fileprivate mutating func end(_ line: RecordedValue) {
        if let last = ends.last, last["phase"] == nil { return }
        // A line that waits in a ring may stand in the file, too; a patch must not be applied twice.
        if line["phase"] == nil || loading.insert(line.json).inserted { ends.append(line) }
    }

    /// A line of version 1 holds all of a step: what coders wrote, and the whole state.
    fileprivate mutating func addVersion1(_ line: RecordedValue) {
        let event = line["event"]?.text.map { ("event", RecordedValue(coded: $0)) }
        self.line = .object([("n", .integer(Int64(number))), line["lost"].map { ("unwritten", $0) } ?? event].compactMap(\.self))
        head = line["state"]
        if line["lost"] == nil { ends = [.object(line.members.filter { ["outcome", "error"].contains($0.0) })] }
    }
}

/// One session of one system: its events in their order, each with what became of it.
package struct RecordedSteps {
    package let id: String
    package let head: RecordedValue
    package fileprivate(set) var steps: [RecordedStep] = []
    /// Lines that belong to no single event: effects, what was tracked, notes of what is missing.
    package fileprivate(set) var others: [RecordedValue] = []
    /// What is missing, in words.
    package fileprivate(set) var problems: [String] = []
    /// How it ended; `nil` for a session that did not end by itself.
    package fileprivate(set) var ended: String?
    fileprivate var found: [Int: RecordedStep] = [:]
    /// The states that heads give after events which were not recorded, by the event's number.
    fileprivate var heads: [Int: RecordedValue] = [:]

    fileprivate init(_ id: String, _ head: RecordedValue) { (self.id, self.head) = (id, head) }

    /// The number of the event before the first.
    package var start: Int { head["after"]?.integer ?? 0 }
    /// When it began, in milliseconds since 1970 UTC.
    package var time: Int { head["t_ms"]?.integer ?? 0 }
    package var system: String? { head["system"]?.text }
    package var version: Int { head["recording"]?.integer ?? 0 }
    /// Whether the states are trees, so that each of them is known.
    package var hasStates: Bool { head["state"] != nil && head["states"]?.text != "text" }

    package var states: RecordedStateWalk { RecordedStateWalk(self) }

    /// Puts what was found in order, and says what is missing.
    fileprivate mutating func finish() {
        steps = found.values.filter { $0.line != .null && $0.number > start }.sorted { $0.number < $1.number }
        heads = found.compactMapValues { $0.line == .null ? $0.head : nil }
        found = [:]
        if !steps.isEmpty { steps[steps.count - 1].isLast = true }
        func counted(_ count: Int) -> String { count == 1 ? "1 step is" : "\(count) steps are" }
        for (before, step) in zip([start] + steps.map(\.number), steps) {
            let missing = step.number.subtractingClamped(before).subtractingClamped(1)
            if missing > 0 { problems.append("\(counted(missing)) missing before \(step.number)") }
        }
        func without(_ details: (steps: Range<Int>, reason: String)) -> String {
            "\(counted(details.steps.count)) without details from \(details.steps.lowerBound): \(details.reason)"
        }
        let givenUp = others.compactMap { line in line.givenUp.map { (steps: $0, reason: line["reason"]?.text ?? "lost") } }
        problems += givenUp.map(without)
        // A session that was killed may end with steps whose outcome was not written yet.
        guard let end = steps.lastIndex(where: { !$0.ends.isEmpty }) else { return }
        let bare = steps[..<end].filter { step in
            step.ends.isEmpty && step.line["unwritten"] == nil && !givenUp.contains { $0.steps.contains(step.number) }
        }
        let unexplained = RangeSet(bare.map { $0.number..<$0.number + 1 })
        problems += unexplained.ranges.map { without(($0, "cause unknown")) }
    }
}

extension RecordedValue {
    /// The numbers of events whose ends the recorder gave up, as this line has it.
    fileprivate var givenUp: Range<Int>? {
        guard let count = self["lost"]?.integer, let from = self["from"]?.integer, count > 0 else { return nil }
        let (end, isTooLarge) = from.addingReportingOverflow(count)
        return isTooLarge ? nil : from..<end
    }
}

/// Goes from state to state of a session. After a hole, the state is unknown until the next head.
package struct RecordedStateWalk {
    /// The state after the last step; `nil` where it is not known.
    package private(set) var state: RecordedValue?
    private var number: Int
    private let givenUp: [Range<Int>]
    private let heads: [Int: RecordedValue]

    init(_ session: RecordedSteps) {
        state = session.hasStates ? session.head["state"].map(Self.tree) : nil
        number = session.start
        (givenUp, heads) = (session.others.compactMap(\.givenUp), session.heads)
    }

    /// A state that is a coder's text becomes a tree only here, so that the trees of a long recording are not all in memory.
    private static func tree(_ state: RecordedValue) -> RecordedValue { state.text.map { RecordedValue(coded: $0) } ?? state }

    /// Goes on to a step, and says whether the state after it is known.
    package mutating func take(_ step: RecordedStep) -> Bool {
        // An end that the recorder gave up is no hole: the next patch starts from the last state that was written.
        let isHole = step.ends.isEmpty && !givenUp.contains { $0.contains(step.number) }
        if step.number != number &+ 1 { state = heads[step.number - 1].map(Self.tree) }
        if isHole { state = nil }
        number = step.number
        for end in step.ends {
            if end["changes"] != nil { state = nil }
            if let patch = end["patch"] { state = state?.applying(patch) }
        }
        if let head = step.head { state = Self.tree(head) }
        return state != nil && (step.head != nil || !step.ends.isEmpty)
    }
}

package struct RecordingJoiner {
    private var sessions: [RecordedSteps] = []
    private var indices: [String: Int] = [:]
    /// The session of lines without an id: that of the last head of a recorder's first system.
    private var current: Int?
    /// Whether lines without an id are those of a session that is not read.
    private var isUnread = false
    /// Lines that came before the head of their session, by its id, or without one.
    private var early: [String?: [RecordedValue]] = [:]
    /// The first session of this recorder of which its lines do not say yet how it ended.
    private(set) var firstOpen = 0
    package private(set) var unreadLines: [Int] = []
    /// The heads of sessions of versions that are not read.
    package private(set) var unreadHeads: [(line: Int, version: Int)] = []
    /// How many lines were taken. One that waited for its head counts twice, however many other heads came first.
    private(set) var taken = 0

    package init() {}

    /// Begins the lines of another recorder.
    package mutating func beginWriter() { (current, isUnread, early, firstOpen) = (nil, false, [:], sessions.count) }

    package mutating func add(_ text: String, at number: Int) {
        if text.isEmpty { return beginWriter() }
        guard let line = RecordedValue.parse(text), line.container?.keys != nil else { return unreadLines.append(number) }
        guard let version = line["recording"] else { return add(line) }
        if [.integer(1), .integer(2)].contains(version) { return addHead(line) }
        unreadHeads.append((number, version.integer ?? 0))
        if line["beside"] == nil { (current, isUnread) = (nil, true) }
    }

    private mutating func add(_ line: RecordedValue) {
        taken += 1
        let id = line["id"]?.text
        if id == nil && isUnread { return }
        guard let index = id.map({ indices[$0] }) ?? current else { return early[id, default: []].append(line) }
        if let number = line["n"]?.integer {
            let isVersion1 = sessions[index].version == 1
            func take(_ step: inout RecordedStep) { isVersion1 ? step.addVersion1(line) : step.begin(line) }
            take(&sessions[index].found[number, default: RecordedStep(number)])
        } else if let number = line["of"]?.integer {
            sessions[index].found[number, default: RecordedStep(number)].end(line)
        } else if let ended = line["ended"]?.text {
            for each in firstOpen..<sessions.count { sessions[each].ended = ended }
            firstOpen = sessions.count
            // This session may have begun in another file.
            sessions[index].ended = ended
        } else {
            sessions[index].others.append(line)
        }
    }

    private mutating func addHead(_ line: RecordedValue) {
        let id = line["id"]?.text ?? "v1-\(sessions.count + 1)"
        if let index = indices[id] {
            let after = line["after"]?.integer ?? 0
            // A head with a text does not say what the state is.
            if line["states"]?.text != "text" { sessions[index].found[after, default: RecordedStep(after)].head = line["state"] }
        } else {
            indices[id] = sessions.count
            sessions.append(RecordedSteps(id, line))
        }
        if line["beside"] == nil { (current, isUnread) = (indices[id], false) }
        for id in current == nil ? [id] : [id, nil] { for line in early.removeValue(forKey: id) ?? [] { add(line) } }
    }

    /// The sessions in the order of the times at which they began. Lines without a head are left out.
    package func finish() -> [RecordedSteps] {
        var finished = sessions
        for index in finished.indices { finished[index].finish() }
        return finished.sorted { $0.time < $1.time }
    }
}
