import Basics
import EventFiles
import Funnels
import Reports

/// The flags of funnels that are counted in parts.
enum PartialFlags {
    static let context = Flag(
        "context", in: .input, .file, "The context of `cluster prepare`", example: "cart.context", isRequired: true,
        repetition: .refused)
    static let partial = Flag(
        "partial", in: .output, "Write the partial of one part for `looptrail cluster merge`; needs --context")
    static let part = Flag(
        "part", in: .input, .part, "Which part the lines of --partial are, K/N; lines of `looptrail cluster split` say it themselves",
        repetition: .refused)
    /// ``context`` for a command that also counts whole funnels, where it is not required.
    static let contextOfPart = Flag(
        "context", in: .input, .file, "The context of a --partial", example: "cart.context", repetition: .refused)

    /// ``context`` for the command that makes a context.
    static let contextOfFunnel = Flag(
        "context", in: .input, .file, "Reuse the funnel, times and zone of another context; contexts of one cluster have to agree in all",
        example: "cart.context", repetition: .refused)

    /// The funnel of a context to make, and the name of the zone by whose days visits are compared.
    static func funnel(_ invocation: Invocation) throws -> (definition: FunnelDefinition, zone: String) {
        guard invocation.arguments.has(contextOfFunnel.declaration) else {
            return try (FunnelFlags.single(invocation), invocation.zone().name)
        }
        try refuse(FunnelFlags.all, invocation, besides: "--context")
        let context = try readContext(invocation)
        try checkZone(of: context, invocation)
        return (context.definition, context.zone)
    }

    /// Refuses another zone than the context's, because parts counted by other days do not add up. UTC passes: it is also the default.
    private static func checkZone(of context: FunnelContext, _ invocation: Invocation) throws(UsageError) {
        let asked = try invocation.zone().name
        if asked == context.zone || asked == TimeZoneRules.utc.name { return }
        throw UsageError("--tz \(asked) does not go with --context: its days are those of \(context.zone)")
    }

    private static func refuse(
        _ flags: [FlagDeclaration], _ invocation: Invocation, besides other: String,
        because reason: String = "the context says what the funnel is"
    ) throws(UsageError) {
        guard let flag = flags.first(where: invocation.arguments.has) else { return }
        throw UsageError("\(flag.dashed) does not go with \(other): \(reason)")
    }

    /// The flags of `funnel` about parts.
    static let ofFunnel = [partial.declaration, contextOfPart.declaration, part.declaration]

    static func readContext(_ invocation: Invocation) throws -> FunnelContext {
        let path = try invocation.arguments.value(of: context)
        let bytes = try PartFileError.bytes(of: path)
        do { return try FunnelContext(bytes) } catch { throw PartFileError(path: path, reason: "\(error)") }
    }

    /// Counts a part, if the call asks for one.
    ///
    /// - Returns: `nil` if the call asks for a whole funnel.
    static func count(_ invocation: Invocation) throws -> ExitStatus? {
        guard invocation.arguments[partial] else {
            if invocation.arguments.has(contextOfPart.declaration) { throw UsageError("--context is that of a part: it needs --partial") }
            if invocation.arguments.has(part.declaration) {
                throw UsageError("--part says which part --partial counts: it needs --partial")
            }
            return nil
        }
        let context = try readContext(invocation)
        try refuse(FunnelFlags.all, invocation, besides: "--partial")
        let ofResult = ResultFlags.all + [ReportFlags.why.declaration, CommonFlags.format.declaration]
        try refuse(ofResult, invocation, besides: "--partial", because: "no result is written")
        try checkZone(of: context, invocation)
        // Only visits are compared by days. For anything else a machine need not know the zone.
        let hasDays = context.definition.counting == .visits
        let zone = hasDays ? try invocation.surroundings.zone(named: context.zone) : .utc
        let output = try PlainOutput(invocation)
        let source = try InputPaths(invocation)
        let number = invocation.arguments[part]
        let outcome = try source.read { reader, progress in
            try FunnelPartial.counted(
                context, part: number, reading: reader, threads: source.threads, progress: progress,
                day: { CalendarUnit.day.period(of: $0, in: zone) })
        }
        try output.write(outcome.partial.bytes)
        // `cluster split` has already told of lines that cannot be read.
        var input = InputQuality()
        (input.bytes, input.damagedMembers) = (outcome.reading.bytes, outcome.reading.damagedMembers)
        return invocation.verdict(on: input, outcome.reading, from: source)
    }
}

/// A file of parts that cannot be used.
struct PartFileError: Error, Sendable, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "`\(path)`: \(reason)" }

    /// Reads a file of parts.
    static func bytes(of path: String) throws(PartFileError) -> [UInt8] {
        do throws(WholeFile.Unread) { return try WholeFile.contents(of: path, atMost: .max) } catch {
            let isPattern = path.contains { "*?[".contains($0) }
            let advice = path == "-" ? "standard input" : isPattern ? "a pattern" : nil
            throw PartFileError(path: path, reason: "it \(error)" + (advice.map { "; \($0) is not taken here, so name each file" } ?? ""))
        }
    }
}
