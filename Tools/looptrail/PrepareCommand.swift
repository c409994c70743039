import Funnels

extension Command {
    static let prepare = Command(
        name: "cluster prepare",
        summary: "note what every part of a funnel on a cluster has to know",
        discussion: [
            "Reads all events once and writes a context: the definition with its times resolved, the zone whose days are held equal, which "
                + "anonymous id became whom, and when the data ends. `looptrail cluster split` and `looptrail funnel - --partial` take it. "
                + "`looptrail cluster merge` makes one context of several, each of some of the files.",
            "Funnels with files of users, or with properties of sessions, cannot be counted in parts.",
        ],
        operands: .inputs,
        flags: FunnelFlags.all + [PartialFlags.contextOfFunnel.declaration] + CommonFlags.partial + [
            CommonFlags.zone.declaration, CommonFlags.progress.declaration, CommonFlags.noIndex.declaration,
        ],
        essentials: FunnelFlags.essentials + [PartialFlags.contextOfFunnel.declaration, CommonFlags.output.declaration],
        examples: [
            Example(
                "over a folder", ["cluster", "prepare", "events/", "--steps", "cart_added > paid", "--window", "1h", "-o", "cart.context"])
        ], seeAlso: ["cluster", "funnel"]
    ) { invocation in
        let (definition, zone) = try PartialFlags.funnel(invocation)
        let output = try PlainOutput(invocation)
        let source = try InputPaths(invocation)
        do {
            let context = try source.read { reader, progress in
                try FunnelContext.prepared(definition, daysOf: zone, reading: reader, threads: source.threads, progress: progress)
            }
            try output.write(context.bytes)
        } catch let error as PartialError {
            throw UsageError("\(error)")
        }
        return .fine
    }
}
