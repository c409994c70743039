package import EventFiles
package import LoopRecording

package struct InspectedRecording {
    package let sessions: [RecordedSteps]
    /// What could not be read, in words.
    package private(set) var problems: [String]

    /// - Parameter paths: files, folders, or `-` for standard input.
    /// - Throws: ``/EventFiles/EventFileReadError``, and ``InspectError`` where there is no recording. Damage is no error.
    package init(paths: [String], standardInput: Int32 = 0, fileSystem: any FileSystem = PosixFileSystem()) throws {
        var joining = RecordingJoiner()
        var lines = 0
        do {
            problems = try LogFiles.forEachLine(
                of: paths, stem: "recording", standardInput: standardInput, on: fileSystem, beginWriter: { joining.beginWriter() }
            ) { line in
                lines += 1
                joining.add(String(decoding: line, as: UTF8.self), at: lines)
            }.map { "\($0.path) \($0.damaged.map { "is damaged: \($0 == 1 ? "1 part is" : "\($0) parts are") lost" } ?? "cannot be read")" }
        } catch EventFileReadError.noEventFiles(let folders, _) { throw InspectError.noRecording(in: folders.joined(separator: ", ")) }
        sessions = joining.finish()
        if let first = joining.unreadLines.first {
            let count = joining.unreadLines.count
            problems.append(count == 1 ? "line \(first) cannot be read" : "\(count) lines cannot be read, the first is \(first)")
        }
        if let (line, version) = joining.unreadHeads.first {
            let more = joining.unreadHeads.count > 1 ? ", the first of \(joining.unreadHeads.count) such" : ""
            problems.append("line \(line) begins a session of version \(version)\(more): only versions 1 and 2 are read")
        }
        if sessions.isEmpty { throw InspectError.noHead(path: paths.joined(separator: ", "), lines: lines) }
    }

    /// The last session whose id begins with `id`, if one is given, and that belongs to `system`, if one is named.
    package func session(id: String? = nil, system: String? = nil) throws(InspectError) -> RecordedSteps {
        let fitting = sessions.filter { $0.id.hasPrefix(id ?? "") }
        if fitting.isEmpty { throw .noSuch("session", wanted: id ?? "", found: sessions.map(\.id)) }
        if let session = fitting.last(where: { system == nil || $0.system ?? "System" == system }) { return session }
        throw .noSuch("system", wanted: system ?? "", found: fitting.map { $0.system ?? "System" })
    }
}

extension RecordedSteps {
    /// The lines of a page: a head, then the steps in their order, each as one line with what became of it. At the end come the effects and
    /// tracked events of the head's state and of these steps, and those without a cause. All lines but the head have at most `limit` bytes.
    package func pageLines(from first: Int?, to last: Int?, problems: [String], limit: Int = 256 << 20) throws(InspectError) -> [String] {
        let (first, last) = (first ?? 0, last ?? .max)
        var walk = states
        // The number and the state that the page begins with, and the state before each step.
        var (start, opening, before) = (self.start, walk.state, walk.state)
        var number = self.start
        var (lines, bytes) = ([String](), 0)
        func add(_ line: String) throws(InspectError) {
            lines.append(line)
            bytes += line.utf8.count
            if bytes > limit { throw .tooLarge(limit: limit) }
        }
        for step in steps where step.number <= last {
            // No patch leads over missing events.
            if step.number != number &+ 1 { before = nil }
            number = step.number
            let after = walk.take(step) ? walk.state : nil
            defer { before = after }
            guard step.number >= first else {
                (start, opening) = (step.number, after)
                continue
            }
            try add(line(of: step, from: before, to: after))
            // Where the state becomes known again, a head says so.
            guard before == nil, let after else { continue }
            try add(RecordedValue.object([("recording", .integer(2)), ("after", .integer(Int64(step.number))), ("state", after)]).json)
        }
        if lines.isEmpty, let least = steps.first?.number, let most = steps.last?.number {
            throw .noSteps(from: first, to: last, found: least...most)
        }
        // The line of an effect's end does not say what led to the effect.
        var left: Set<Int> = []
        for line in others where line["lost"] == nil {
            let effect = line["effect"]?.integer
            let isLeft = line["by"]?.integer.map { $0 < start || $0 > last } ?? effect.map(left.contains) ?? false
            if !isLeft { try add(line.json) } else if let effect { left.insert(effect) }
        }
        return [pageHead(after: start, opening, problems)] + lines
    }

    private func pageHead(after number: Int, _ state: RecordedValue?, _ problems: [String]) -> String {
        var members: [(String, RecordedValue)] = [("recording", .integer(2)), ("id", .text(id))]
        // Where the first head has a text, a state that is known is a later head's.
        let ofText = state != nil && head["states"]?.text == "text" ? [] : ["states", "reason"]
        members += head.members(["system", "t_ms", "app", "types", "shape"] + ofText + ["events"])
        // A part of the page that is replayed has no other lines that name them.
        if let all = head["hidden"] { members.append(("hidden", all == .null ? all : .array(hidden.map { .text($0) }))) }
        members.append(("after", .integer(Int64(number))))
        if let ended { members.append(("ended", .text(ended))) }
        members.append(("problems", .array((self.problems + problems).map { .text($0) })))
        // A state recorded as text is known only at the head.
        if let state = state ?? (hasStates || number != start ? nil : head["state"]) { members.append(("state", state)) }
        return RecordedValue.object(members).json
    }

    /// A step as one line, between two states, which are `nil` where they are not known.
    private func line(of step: RecordedStep, from before: RecordedValue?, to after: RecordedValue?) -> String {
        var members: [(String, RecordedValue)] = [("n", .integer(Int64(step.number)))]
        members += step.line.members(["t_ms", "by", "via", "at", "name", "hidden", "event", "unwritten"])
        if let end = step.ends.last {
            members.append(("ns", end["ns"] ?? .array([])))
            if step.ends.count > 1 { members.append(("loading", .bool(true))) }
            // The recorder's mark of a state that could not be encoded: no change is known, rather than none made.
            let isMark = before != nil && after == nil && step.head != nil && end["phase"] == nil && end["changes"]?.elements == []
            members += end.members((isMark ? [] : ["changes"]) + ["more", "phase", "outcome", "error"])
        }
        let isUnfinished = step.outcome == "unfinished"
        if isUnfinished { members.append(("unfinished", .bool(true))) }
        if let before, let after {
            // One patch, even where a loading state or a head came between, and even for version 1, which has none.
            let isWhole = step.ends.count == 1 && step.head == nil
            let patch = (isWhole ? step.ends[0]["patch"] : nil) ?? .array(RecordedPatch(from: before, to: after).operations)
            if !patch.elements.isEmpty { members.append(("patch", patch)) }
        } else if before == nil || !isUnfinished {
            members.append(("unknown", .bool(true)))
        }
        return RecordedValue.object(members).json
    }
}

extension RecordedValue {
    fileprivate func members(_ keys: [String]) -> [(String, RecordedValue)] { keys.compactMap { key in self[key].map { (key, $0) } } }
}
