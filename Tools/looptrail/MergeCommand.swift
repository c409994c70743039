import Basics
import Funnels
import Reports

/// Flags of `merge`.
enum MergeFlags {
    static let asPartial = Flag("partial", in: .output, "Write one partial of all; for a later merge, instead of the result")
}

extension Command {
    static let merge = Command(
        name: "cluster merge",
        summary: "put the parts of a funnel together: the result of one pass",
        discussion: [
            "Takes the partials of `looptrail funnel - --partial` and the quality file of each `looptrail cluster split`, in any order, each once. "
                + "Partials of another definition, context, split or version are refused, and so is a part that is missing, there twice, or not whole.",
            "Contexts of `looptrail cluster prepare`, each of some of the files, become one context.",
        ],
        operands: .files(placeholder: "PART", usage: "PART...", summary: "Partials, or contexts; not both"),
        flags: [MergeFlags.asPartial.declaration] + CommonFlags.reportWithoutThreads + [
            CommonFlags.threads.declaration.unlisted, CommonFlags.zone.declaration,
        ],
        examples: [
            Example("all parts of a folder", ["cluster", "merge", "parts/quality.partial", "parts/0.partial", "parts/1.partial"]),
            Example("two contexts", ["cluster", "merge", "a.context", "b.context", "-o", "all.context"]),
        ], seeAlso: ["cluster", "funnel"]
    ) { invocation in
        let paths = invocation.arguments.operands
        var context: FunnelContext?
        var merged: FunnelPartial?
        for path in paths {
            let bytes = try PartFileError.bytes(of: path)
            do {
                if FunnelContext.isOne(bytes) {
                    let other = try FunnelContext(bytes)
                    if var all = context {
                        try all.merge(other)
                        context = all
                    } else {
                        context = other
                    }
                } else if var all = merged {
                    merged = nil
                    try all.merge(try FunnelPartial(bytes))
                    merged = all
                } else {
                    merged = try FunnelPartial(bytes)
                }
            } catch let error as PartialError {
                throw PartFileError(path: path, reason: "\(error)")
            }
        }
        if let context {
            if merged != nil { throw UsageError("contexts and partials do not go together: merge contexts with contexts") }
            try PlainOutput(invocation).write(context.bytes)
            return .fine
        }
        guard let merged else { throw UsageError("PART is needed") }
        if invocation.arguments[MergeFlags.asPartial] {
            try PlainOutput(invocation).write(merged.bytes)
            return .fine
        }
        let output = try ReportOutput(invocation)
        let result = try merged.result()
        try output.write(ReportDocument(result))
        invocation.warn(of: result.unseenNames)
        invocation.warn(ofOpenWindowsIn: [result])
        return .fine
    }
}
