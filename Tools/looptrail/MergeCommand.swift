import Basics
import Funnels
import Reports

/// Flags of `cluster merge`.
enum MergeFlags {
    static let asPartial = Flag("partial", in: .output, "Write one partial of all; for a later merge, not the result")

    /// Refuses flags of the result where none is written. UTC passes: it is also the default.
    fileprivate static func refuseThoseOfResult(_ invocation: Invocation, besides other: String) throws(UsageError) {
        let hasZone = try invocation.zone().name != TimeZoneRules.utc.name
        let hasFormat = invocation.arguments.has(CommonFlags.format.declaration)
        guard let flag = hasFormat ? CommonFlags.format.declaration : hasZone ? CommonFlags.zone.declaration : nil else { return }
        throw UsageError("\(flag.dashed) does not go with \(other): no result is written")
    }
}

/// The contexts of files as one context, or their partials as one partial.
private struct MergedParts {
    private(set) var context: FunnelContext?
    private(set) var partial: FunnelPartial?

    /// The bytes of the one that is there.
    var bytes: [UInt8]? { context?.bytes ?? partial?.bytes }

    mutating func add(contentsOf path: String) throws {
        let bytes = try PartFileError.bytes(of: path)
        do {
            if FunnelContext.isOne(bytes) {
                let other = try FunnelContext(bytes)
                if context == nil { context = other } else { try context?.merge(other) }
            } else {
                let other = try FunnelPartial(bytes)
                if partial == nil { partial = other } else { try partial?.merge(other) }
            }
        } catch {
            throw PartFileError(path: path, reason: "\(error)")
        }
        if context != nil, partial != nil { throw UsageError("contexts and partials do not go together: merge contexts with contexts") }
    }
}

extension Command {
    static let merge = Command(
        name: "cluster merge",
        summary: "put the parts of a funnel together: the result of one pass",
        discussion: [
            "Takes the partials of `looptrail funnel - --partial` and the quality file of each `looptrail cluster split`, in any order, "
                + "each once. Refused: partials of another definition, context, split or version, and a part that is there twice; for the "
                + "result also parts that are missing or not whole.",
            "Contexts of `looptrail cluster prepare`, each of some of the files, become one context.",
        ],
        operands: .files(placeholder: "PART", usage: "PART...", summary: "Partials, or contexts; not both"),
        flags: [MergeFlags.asPartial.declaration] + CommonFlags.reportWithoutThreads + [
            // Earlier versions took --threads. It does nothing here.
            CommonFlags.threads.declaration.unlisted, CommonFlags.zone.declaration,
        ],
        examples: [
            Example("all parts of a folder", ["cluster", "merge", "parts/quality.partial", "parts/0.partial", "parts/1.partial"]),
            Example("two contexts", ["cluster", "merge", "a.context", "b.context", "-o", "all.context"]),
        ], seeAlso: ["cluster", "funnel"]
    ) { invocation in
        let paths = invocation.arguments.operands
        let isPartial = invocation.arguments[MergeFlags.asPartial]
        if isPartial { try MergeFlags.refuseThoseOfResult(invocation, besides: "--partial") }
        var parts = MergedParts()
        // The first file shows what is written. Before the others are read, the output is checked.
        for path in paths.prefix(1) { try parts.add(contentsOf: path) }
        if isPartial || parts.context != nil {
            if parts.context != nil {
                if isPartial { throw UsageError("--partial does not go with contexts: they become one context") }
                try MergeFlags.refuseThoseOfResult(invocation, besides: "contexts")
            }
            let output = try PlainOutput(invocation)
            for path in paths.dropFirst() { try parts.add(contentsOf: path) }
            if let bytes = parts.bytes { try output.write(bytes) }
            return .fine
        }
        let output = try ReportOutput(invocation)
        for path in paths.dropFirst() { try parts.add(contentsOf: path) }
        guard let partial = parts.partial else { throw UsageError("PART is needed") }
        let result = try partial.result()
        try output.write(ReportDocument(result))
        invocation.warn(of: result.unseenNames)
        invocation.warn(ofOpenWindowsIn: [result])
        return .fine
    }
}
