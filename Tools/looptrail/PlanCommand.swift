/// The flags of the tasks of `plan`, and the shared flags that they take.
enum PlanFlags {
    static let name = Flag(
        "name", in: .output, .text("name", placeholder: "NAME", example: "Shop"), "What the plan's type is named after (default: Events)",
        repetition: .refused)
    /// In `plan check` the plan is required, and events are held against it. ``CommonFlags/plan`` only serves warnings.
    static let plan = Flag(
        "plan", in: .input, .file, "The plan that events are held against", example: "tracking-plan.json", isRequired: true,
        repetition: .refused)
    static let funnels = Flag(
        collecting: "funnels", in: .input, .file, "Saved funnels that are to go on matching; may be repeated", example: "funnels.json")

    static let output = [CommonFlags.plainOutput.declaration, CommonFlags.quiet.declaration]
    static let report = CommonFlags.reportWithoutThreads
    static let selecting: [FlagDeclaration] = TimeFlags.all + [CommonFlags.zone.declaration]
    static let reading = [CommonFlags.threads.declaration, CommonFlags.progress.declaration, CommonFlags.strict.declaration]
}

extension Command {
    static let plan = Command.group(
        "plan", "infer, check, compare and show a tracking plan",
        discussion: [
            "A tracking plan is a JSON file: which events there are to be, with which properties. infer begins one from what files hold, and "
                + "check holds files against it. diff compares two plans, docs shows one to people, and swift writes the type that the "
                + "build plugin generates."
        ], [planInfer, planCheck, planDiff, planDocs, planSwift])
}
