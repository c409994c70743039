import Reports

extension PlanTask {
    /// What a stranger needs to know of it.
    var help: CommandTask {
        switch self {
        case .infer: Self.inferHelp
        case .check: Self.checkHelp
        case .diff: Self.diffHelp
        case .docs: Self.docsHelp
        case .swift: Self.swiftHelp
        }
    }

    private static let inferHelp = CommandTask(
        name: "infer", operands: "[PATH...]", summary: "write the plan of what event files hold, to begin with",
        discussion: [
            "Reads every event and writes a plan: the events by name with their properties, in the order of their first appearance, and the "
                + "properties of sessions. A property that some events lack is optional. Whole numbers are `int`, mixed ones `number`. "
                + "There are no ranges: the plan is a beginning, to be gone through by hand.",
            "A string has a list of values if at most 12 were seen, together at least 50 times and each at least twice. Texts of more than "
                + "64 bytes, and those that look like numbers, versions or dates, are never listed: tomorrow there are others.",
            "The plan passes `looptrail plan check` on the same files. What no plan can say has a note on standard error, and `plan check` "
                + "reports it: a property of several types, which the plan has as a string; a name without a letter or digit; two names "
                + "that are one in Swift.",
        ],
        flags: [PlanFlags.name.declaration] + outputFlags + readingFlags,
        examples: [
            Command.Example("begin with what the files hold", ["plan", "infer", "events/", "--name", "Shop", "-o", "tracking-plan.json"])
        ])

    private static let checkHelp = CommandTask(
        name: "check", operands: "[PATH...] --plan FILE", summary: "find what in event files is not as planned, by version of the app",
        discussion: [
            "Holds each event, and each session's first line, against the plan, and lists the differences: unplanned_event, "
                + "missing_property, wrong_type, unknown_value, out_of_range, unplanned_property, deprecated_event. For each: how many "
                + "events, the share of all with the name, the first time, an example, the first place as FILE:LINE, and how many by the "
                + "session's app_version.",
            "`null` is missing. A sensitive property may be absent or of any type, as it may be dropped, masked or hashed. `number` takes "
                + "whole numbers, too; `int` takes no 9.0.",
            "Exits with 4 if anything but deprecated_event was found, with 0 if not.",
        ],
        flags: [PlanFlags.plan.declaration] + selectingFlags + CohortFlags.all + reportFlags + readingFlags,
        examples: [
            Command.Example("find what is not as planned", ["plan", "check", "events/", "--plan", "tracking-plan.json"]),
            Command.Example(
                "in a build, of the last day",
                ["plan", "check", "events/", "--plan", "tracking-plan.json", "--since", "now-1d", "--strict", "-o", "drift.html"]),
        ])

    private static let diffHelp = CommandTask(
        name: "diff", operands: "OLD NEW", summary: "compare two plans, and name what the change breaks",
        discussion: [
            "Lists what was added, removed and changed. These break reports over files of both plans: a removed event or property, a new "
                + "property that is needed, a changed type, a removed value, a narrower range. A removed and an added event with the same "
                + "properties are shown as a possible rename.",
            "With --funnels it names each place of a saved funnel that matched before and cannot match any more: the funnel, the step, and the "
                + "column in its text.",
            "Exits with 4 if anything breaks, with 0 if not.",
        ],
        flags: [PlanFlags.funnels.declaration] + reportFlags,
        examples: [
            Command.Example(
                "which reports does this change break?", ["plan", "diff", "old.json", "tracking-plan.json", "--funnels", "funnels.json"])
        ])

    private static let docsHelp = CommandTask(
        name: "docs", operands: "FILE [PATH...]", summary: "show a plan for people to read, with counts if there are files",
        discussion: [
            "A catalogue of the events and their properties. With event files each event has its count and when it was last seen, and events "
                + "that the plan does not have are listed, too."
        ],
        flags: selectingFlags + reportFlags + readingFlags,
        examples: [
            Command.Example("a page for everyone", ["plan", "docs", "tracking-plan.json", "events/", "-o", "plan.html"])
        ])

    private static let swiftHelp = CommandTask(
        name: "swift", operands: "FILE", summary: "write the Swift type of a plan, as the build plugin generates it",
        discussion: [
            "For builds without plugins. The type has a function for each event, so that an event that is not planned does not compile. Equal "
                + "plans give equal bytes: a test can hold a file that was checked in against its plan."
        ],
        flags: outputFlags,
        examples: [
            Command.Example("the Swift type, where no plugin runs", ["plan", "swift", "tracking-plan.json", "-o", "ShopEvent.swift"])
        ])

    private static let outputFlags = [CommonFlags.output.declaration, CommonFlags.quiet.declaration]
    private static let reportFlags: [FlagDeclaration] =
        [CommonFlags.format.declaration] + outputFlags + [CommonFlags.noColor.declaration]
    private static let selectingFlags: [FlagDeclaration] = TimeFlags.all + [CommonFlags.zone.declaration]
    private static let readingFlags = [
        CommonFlags.threads.declaration, CommonFlags.progress.declaration, CommonFlags.strict.declaration,
    ]
}
