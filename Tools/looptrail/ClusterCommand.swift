extension Command {
    static let cluster = Command.group(
        "cluster", "count a funnel in parts, on several machines, with the result of one pass",
        discussion: [
            "The whole way: `looptrail cluster prepare` writes the context, `cluster split` divides the events by key into parts, "
                + "`looptrail funnel - --partial --context FILE` counts each part wherever it is, and `cluster merge` puts the partials "
                + "together. The result is that of one `looptrail funnel` over everything."
        ], [prepare, split, merge])
}
