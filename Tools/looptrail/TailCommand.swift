import Basics
import EventFiles
import Funnels
import Reports

/// Flags of `tail`.
enum TailFlags {
    static let pattern = Flag(
        "where", .step, "Show these events only: an event as in --steps, with tests or one of several",
        example: "payment_failed[reason~sheet]", repetition: .refused)
    static let last = Flag(
        "last", in: .output, .count(0...1_000_000, example: "100"),
        "How many of the events already there are shown; of standard input all", standard: "10")
    static let noFollow = Flag("no-follow", in: .input, "Show what is there, and end")
    static let format = Flag(
        "format", in: .output, .word(["compact", "ndjson"], example: "ndjson"),
        "How an event is printed; compact: one line an event for people; ndjson: the line as it stands",
        standard: "compact")

    static let all = [pattern.declaration, last.declaration, noFollow.declaration, format.declaration]
}

extension Command {
    static let tail = Command(
        name: "tail",
        summary: "show events as they arrive, in files that are still written and in new ones",
        discussion: [
            "Looks four times a second for lines that are new in files and folders. A line is shown once its writer has flushed it. A "
                + "file's last line without a line feed is shown with --no-follow only. A test of session.PATH asks the session's lines "
                + "read so far. Ends with ^C, or when nobody reads its output any more. Standard input is read to its end."
        ],
        operands: .inputs,
        flags: TailFlags.all + CohortFlags.all + [
            CommonFlags.zone.declaration, CommonFlags.quiet.declaration, CommonFlags.noColor.declaration,
        ],
        examples: [
            Example("what happens now", ["tail", "events/"]),
            Example(
                "failed payments as lines, for another program", ["tail", "events/", "--where", "payment_failed", "--format", "ndjson"]),
        ], seeAlso: ["events", "user"]
    ) { invocation in
        let arguments = invocation.arguments
        let source = try InputPaths(invocation)
        let isStandardInput = source.paths == ["-"]
        if source.paths.contains("-") && !isStandardInput {
            throw UsageError("`-` cannot be followed beside other paths: standard input is read to its end")
        }
        let printer = TailPrinter(
            isCompact: try arguments.value(of: TailFlags.format) == "compact", zone: try invocation.zone(),
            surroundings: invocation.surroundings,
            isColoured: !arguments[CommonFlags.noColor] && invocation.surroundings.allowsColour(on: invocation.surroundings.standardOutput))
        let tail = try EventTail(
            paths: source.paths, matching: arguments[TailFlags.pattern], cohort: try CohortFlags.filter(invocation))
        let last = try arguments.value(of: TailFlags.last)
        var (damage, unread) = (SteadyCount(), SteadyCount())
        func tellOfDamage(isLast: Bool = true) {
            if let damaged = damage.next(tail.damagedMembers, isLast: isLast) {
                invocation.console.warning(
                    "\(GroupedNumber.counted(damaged, "damaged place")): what stood there is missing; `looptrail check` says more")
            }
            if let lines = unread.next(tail.badLines, isLast: isLast) {
                let lines = GroupedNumber.counted(lines, "line cannot be read", "lines cannot be read")
                invocation.console.warning("\(lines); `looptrail check` lists what is wrong")
            }
        }
        if isStandardInput {
            try tail.read(EventFileReader(paths: ["-"], standardInput: invocation.surroundings.standardInput)) { event, line in
                try printer.print(printer.bytes(event, line))
            }
        } else {
            // `--last` counts the latest events by time over all files, not for each file.
            let isLast = arguments[TailFlags.noFollow]
            let reader = try source.reader()
            if !isLast, let output = FileIdentity(descriptor: invocation.surroundings.standardOutput),
                let own = reader.files.first(where: { FileIdentity($0.path) == output })
            {
                throw UsageError("standard output is `\(own.path)`, which is followed: each event would come again without end")
            }
            invocation.warn(ofUnnameable: reader)
            do { try reader.requireFiles() } catch { invocation.console.note("\(error)") }
            var trouble = PassingTrouble(invocation.console)
            try tail.pollLatest(last, isLast: isLast) { event, line in try printer.print(printer.bytes(event, line)) }
            while !isLast {
                try await Task.sleep(for: .milliseconds(250))
                if !invocation.surroundings.hasReader { break }
                try trouble.look { try tail.poll { event, line in try printer.print(printer.bytes(event, line)) } }
                tellOfDamage(isLast: false)
            }
        }
        tellOfDamage()
        return .fine
    }
}

/// Prints events in the format of the call.
private struct TailPrinter {
    let isCompact: Bool
    let zone: TimeZoneRules
    let surroundings: Surroundings
    let isColoured: Bool

    func print(_ bytes: [UInt8]) throws(OutputError) { try Looptrail.print(bytes, in: surroundings) }

    func bytes(_ event: EventTail.Event, _ line: UnsafeRawBufferPointer) -> [UInt8] {
        if !isCompact { return Array(line) + [0x0A] }
        let ellipsis = TextStyle(isASCII: !surroundings.isUTF8).ellipsis
        func visible(_ text: String, _ columns: Int) -> String {
            TerminalText.cut(TerminalText.visible(text), to: columns, ellipsis: ellipsis)
        }
        func painted(_ text: String, _ code: String) -> String { isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text }
        var parts = [painted(DateFormat.exact(event.timeMilliseconds, in: zone), "2"), visible(event.user ?? "-", 40)]
        parts.append(painted(visible(event.name, 60), "1"))
        parts += event.properties.map { property in
            let value = property.value.isEmpty || property.value.contains(" ") ? "\"\(property.value)\"" : property.value
            return painted(visible(property.key, 40) + "=", "2") + visible(value, 80)
        }
        return Array((parts.joined(separator: "  ") + "\n").utf8)
    }
}
