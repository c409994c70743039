import Funnels

extension Command {
    static let prepare = Command(
        name: "prepare",
        summary: "note what every part of a funnel on a cluster has to know",
        discussion: [
            "Reads all events once and writes a context: the definition with its times resolved, which anonymous id became whom, and when the "
                + "data ends. `looptrail split` and `looptrail funnel - --partial` take it. Several contexts, each of some of the files, are "
                + "one with `looptrail merge`.",
            "The whole way is prepare, split, a `funnel - --partial` for each part, merge: the result is that of one `looptrail funnel` over "
                + "everything, in each definition but those with files of users or the context of sessions.",
        ],
        operands: .inputs,
        flags: FunnelFlags.all + [PartialFlags.contextOfFunnel.declaration] + CommonFlags.partial + [
            CommonFlags.zone.declaration, CommonFlags.progress.declaration, CommonFlags.strict.declaration, CommonFlags.noIndex.declaration,
        ],
        examples: [
            Example("over a folder", ["prepare", "events/", "--steps", "cart_added > paid", "--window", "1h", "-o", "cart.context"])
        ]
    ) { invocation in
        let definition = try PartialFlags.funnel(invocation)
        let output = try PlainOutput(invocation)
        let source = try InputPaths(invocation)
        do {
            let context = try source.read { reader, progress in
                try FunnelContext.prepared(definition, reading: reader, threads: source.threads, progress: progress)
            }
            try output.write(context.bytes)
        } catch let error as PartialError {
            throw UsageError("\(error)")
        }
        return .fine
    }
}
