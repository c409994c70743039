import Basics
import TrackingEvents

/// The lines of one or more recorded sessions, of version 1 or 2: see <doc:FromACrashToATest>. Damage is no error until they are used.
public struct Recording: Sendable {
    package let lines: [String]

    /// The lines of a recording as one text, as in a test: `Recording("""…""")`. An empty line stands between the lines of two recorders.
    public init(_ text: String) {
        // In a text from Windows or from a mail, the carriage return and the line feed are one character.
        self.init(lines: text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init))
    }

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

package struct RecordedStep {
    package let number: Int
    /// The line that was written when the event was taken; `null` until it is read.
    package fileprivate(set) var line = RecordedValue.null
    /// The lines about what became of it: one for each loading state, and the last one.
    package fileprivate(set) var ends: [RecordedValue] = []
    /// The state after this event: that of its newest head, changed by the event's lines behind that head. `nil` where it is not known; a
    /// coder's text in version 1. With `goesOn`, further lines change it.
    package fileprivate(set) var head: (state: RecordedValue?, goesOn: Bool)?
    /// When its last head was written, whether that has a text, and why, if that was not asked for.
    fileprivate var headTime = Int.min
    fileprivate var isTextHead = false
    fileprivate var reason: String?
    fileprivate var isLast = false
    /// Its heads and the lines of its loading states.
    fileprivate var seen: Set<String> = []

    /// How it ended: `unfinished` for a session's last event, if its end was not recorded; `unknown` for any other. Either may have ended.
    package var outcome: String {
        guard let last = ends.last, last["phase"] == nil else { return isLast ? "unfinished" : "unknown" }
        return last["outcome"]?.text ?? "finished"
    }

    fileprivate mutating func begin(_ line: RecordedValue, version: Int) {
        if version == 1 { return addVersion1(line) }
        // A head comes before its event's line only if files are read out of order. Then it has what the lines behind that line did.
        if self.line == .null { head?.goesOn = false }
        self.line = line
        // The line of an event may hold the keys of an `of` line, too.
        if ["ns", "patch", "outcome"].contains(where: { line[$0] != nil }) { end(line) }
    }

    fileprivate mutating func end(_ line: RecordedValue) {
        if let last = ends.last, last["phase"] == nil { return }
        // A line that waits in a ring may stand in the file, too; a patch must not be applied twice.
        if line["phase"] != nil && !seen.insert(line.json).inserted { return }
        ends.append(line)
        if case (let state, true)? = head { head = (state?.after(line), true) }
    }

    fileprivate mutating func take(head line: RecordedValue) {
        if !seen.insert(line.json).inserted { return }
        let time = line["t_ms"]?.integer ?? 0
        // Files may come in any order, and a clock may step back within one. The newer head has what the lines behind an older one did.
        let isInOrder = self.line != .null && head?.goesOn == true
        if !isInOrder, time < headTime || time == headTime && head?.goesOn == false {
            head?.goesOn = false
            return
        }
        (headTime, isTextHead, reason) = (time, line["states"]?.text == "text", line["reason"]?.text)
        head = (isTextHead ? nil : line["state"], true)
    }

    fileprivate mutating func finish() {
        seen = []
        // A head with a text does not say what the state is. A patch in the event's last line does.
        if isTextHead, let last = ends.last, last["phase"] == nil, last["patch"] != nil { head = nil }
    }

    /// A line of version 1 holds all of a step: what coders wrote, and the whole state.
    private mutating func addVersion1(_ line: RecordedValue) {
        let event = line["event"]?.text.map { ("event", RecordedValue(coded: $0)) }
        self.line = .object([("n", .integer(Int64(number))), line["lost"].map { ("unwritten", $0) } ?? event].compactMap(\.self))
        head = line["state"].map { ($0, false) }
        if line["lost"] == nil { ends = [.object(line.members.filter { ["outcome", "error"].contains($0.0) })] }
    }
}

/// One session of one system: its events in their order, each with what became of it.
package struct RecordedSteps {
    package let id: String
    package fileprivate(set) var head: RecordedValue
    package fileprivate(set) var steps: [RecordedStep] = []
    /// Lines that belong to no single event: effects, what was tracked, notes of what is missing.
    package fileprivate(set) var others: [RecordedValue] = []
    /// What is missing, in words.
    package fileprivate(set) var problems: [String] = []
    /// Whether steps are missing, and the state behind them is not known. Where recording was not permitted for a while, it is.
    package fileprivate(set) var hasGaps = false
    /// How it ended; `nil` for a session that did not end by itself.
    package fileprivate(set) var ended: String?
    fileprivate var found: [Int: RecordedStep] = [:]
    /// The states of heads that stand before the first step or behind an event that was not recorded, by the number of the event before.
    fileprivate var heads: [Int: RecordedValue] = [:]

    /// The number of the event before the first.
    package var start: Int { head["after"]?.integer ?? 0 }
    /// When it began, in milliseconds since 1970 UTC.
    package var time: Int { head["t_ms"]?.integer ?? 0 }
    package var system: String? { head["system"]?.text }
    package var version: Int { head["recording"]?.integer ?? 0 }
    /// Whether the state of its first head is a tree. A later head may have a tree where the first has a text, and the other way round.
    package var hasStates: Bool { head["state"] != nil && head["states"]?.text != "text" }

    /// The paths of what is hidden or cut in any of its states.
    package var hidden: [String] { steps.flatMap(\.ends).reduce(into: headsHidden) { $0.formUnion($1["hidden"]?.texts ?? []) }.sorted() }
    /// Those that its heads name: a part may first be hidden in a state that a later head has.
    fileprivate var headsHidden: Set<String> = []

    package var states: RecordedStateWalk { RecordedStateWalk(self) }

    /// Puts what was found in order, and says what is missing.
    fileprivate mutating func finish() {
        for number in found.keys { found[number]?.finish() }
        steps = found.values.filter { $0.line != .null && $0.number > start }.sorted { $0.number < $1.number }
        heads = found.compactMapValues { $0.line == .null || $0.number == start ? $0.head?.state : nil }
        let reasons = Dictionary(found.values.compactMap { step in step.reason.map { ($0, step.number) } }, uniquingKeysWith: min)
        problems = reasons.sorted { $0.value < $1.value }.map { "states are recorded as text after \($0.value): \($0.key)" }
        found = [:]
        var seen: Set<String> = []
        // A line that waits in a ring may stand in the file, too. Events without a number may be alike, and are kept.
        others = others.filter { $0["tracked"] != nil && $0["seq"] == nil || seen.insert($0.json).inserted }
        if !steps.isEmpty { steps[steps.count - 1].isLast = true }
        func counted(_ count: Int) -> String { count == 1 ? "1 step is" : "\(count) steps are" }
        for (before, step) in zip([start] + steps.map(\.number), steps) {
            let missing = step.number.subtractingClamped(before).subtractingClamped(1)
            if missing <= 0 { continue }
            problems.append("\(counted(missing)) missing before \(step.number)")
            if heads[step.number - 1] == nil { hasGaps = true }
        }
        func without(_ steps: Range<Int>, _ reason: String) -> String {
            "\(counted(steps.count)) without details from \(steps.lowerBound): \(reason)"
        }
        problems += others.compactMap { line in line.givenUp.map { without($0, line["reason"]?.text ?? "lost") } }
        // A session that was killed may end with steps whose outcome was not written yet.
        guard let end = steps.lastIndex(where: { !$0.ends.isEmpty }) else { return }
        let lost = RangeSet(others.compactMap(\.givenUp))
        let bare = steps[..<end].filter { $0.ends.isEmpty && $0.reason == nil && $0.line["unwritten"] == nil && !lost.contains($0.number) }
        let unexplained = RangeSet(bare.map { $0.number..<$0.number + 1 })
        problems += unexplained.ranges.map { without($0, "cause unknown") }
    }
}

extension RecordedValue {
    /// The numbers of events whose ends the recorder gave up, as this line has it.
    fileprivate var givenUp: Range<Int>? {
        guard let count = self["lost"]?.integer, let from = self["from"]?.integer, count > 0 else { return nil }
        let (end, isTooLarge) = from.addingReportingOverflow(count)
        return isTooLarge ? nil : from..<end
    }

    /// The state that a line about an event leads to from this one; `nil` where it is not known.
    fileprivate func after(_ line: RecordedValue) -> RecordedValue? {
        if line["changes"] != nil || line["unknown"] != nil { return nil }
        guard let patch = line["patch"] else { return self }
        return applying(patch)
    }
}

/// Goes from state to state of a session. After a hole, the state is unknown until the next head.
package struct RecordedStateWalk {
    /// The state after the last step; `nil` where it is not known.
    package private(set) var state: RecordedValue?
    private var number: Int
    private let givenUp: RangeSet<Int>
    private let heads: [Int: RecordedValue]
    private let isOfTexts: Bool

    init(_ session: RecordedSteps) {
        (number, givenUp, heads) = (session.start, RangeSet(session.others.compactMap(\.givenUp)), session.heads)
        isOfTexts = session.version == 1
        state = session.hasStates ? session.heads[session.start].map(tree) : nil
    }

    /// A coder's text of version 1 becomes a tree only here, so that the trees of a long recording are not all in memory.
    private func tree(_ state: RecordedValue) -> RecordedValue { isOfTexts ? state.text.map { RecordedValue(coded: $0) } ?? state : state }

    /// Goes on to a step, and says whether the state after it is known.
    package mutating func take(_ step: RecordedStep) -> Bool {
        // An end that the recorder gave up is no hole: the next patch starts from the last state that was written.
        let isHole = step.ends.isEmpty && !givenUp.contains(step.number)
        if step.number != number &+ 1 { state = heads[step.number - 1].map(tree) }
        if isHole { state = nil }
        number = step.number
        for end in step.ends { state = state?.after(end) }
        if let head = step.head { state = head.state.map(tree) }
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
            sessions[index].found[number, default: RecordedStep(number: number)].begin(line, version: sessions[index].version)
        } else if let number = line["of"]?.integer {
            sessions[index].found[number, default: RecordedStep(number: number)].end(line)
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
        let (index, after) = (indices[id] ?? sessions.count, line["after"]?.integer ?? 0)
        if index == sessions.count { sessions.append(RecordedSteps(id: id, head: line)) }
        indices[id] = index
        sessions[index].headsHidden.formUnion(line["hidden"]?.texts ?? [])
        // Files come in any order.
        if after < sessions[index].start { sessions[index].head = line }
        if line["beside"] == nil { (current, isUnread) = (index, false) }
        for id in current == nil ? [id] : [id, nil] { for line in early.removeValue(forKey: id) ?? [] { add(line) } }
        sessions[index].found[after, default: RecordedStep(number: after)].take(head: line)
    }

    /// The sessions in the order of the times at which they began. Lines without a head are left out.
    package func finish() -> [RecordedSteps] {
        var finished = sessions
        for index in finished.indices { finished[index].finish() }
        return finished.sorted { $0.time < $1.time }
    }
}
