import Funnels
import Reports

/// The flags of `plan` beside those of other commands.
enum PlanFlags {
    static let name = Flag(
        "name", .text("name", placeholder: "NAME", example: "Shop"), "infer: what the plan's type is named after (default: Events)",
        repetition: .refused)
    /// The flag of all commands, which means more here.
    static let plan = Flag(
        "plan", .file, "check: the plan that events are held against", example: "tracking-plan.json", repetition: .refused)
    static let funnels = Flag(
        collecting: "funnels", .file, "diff: saved funnels that are to go on matching; may be repeated", example: "funnels.json")

    static let all: [FlagDeclaration] = {
        var flags = [name.declaration, funnels.declaration] + TimeFlags.all + CohortFlags.all
        flags += CommonFlags.report
        flags.append(plan.declaration)
        return flags + CommonFlags.input.filter { $0.name != plan.declaration.name }
    }()
}

/// What `plan` can do; each is a file of its own.
enum PlanTask: String, CaseIterable {
    case infer, check, diff, docs, swift

    func run(_ invocation: Invocation) throws -> ExitStatus {
        if invocation.arguments[PlanFlags.name] != nil && self != .infer { throw refusal("--name", of: .infer) }
        if invocation.arguments[PlanFlags.funnels] != nil && self != .diff { throw refusal("--funnels", of: .diff) }
        if invocation.plan != nil && self != .check { throw refusal("--plan", of: .check) }
        if invocation.arguments[CommonFlags.format] != nil && (self == .infer || self == .swift) {
            throw UsageError("`plan \(rawValue)` writes a file of its own kind: leave out --format")
        }
        if self != .check && self != .docs, let flag = TimeFlags.all.first(where: invocation.arguments.has) {
            throw refusal(flag.dashed, of: .check)
        }
        if self != .check, let flag = CohortFlags.all.first(where: invocation.arguments.has) { throw refusal(flag.dashed, of: .check) }
        return switch self {
        case .infer: try infer(invocation)
        case .check: try check(invocation)
        case .diff: try diff(invocation)
        case .docs: try docs(invocation)
        case .swift: try swift(invocation)
        }
    }

    private func refusal(_ flag: String, of task: PlanTask) -> UsageError {
        UsageError("\(flag) belongs to `plan \(task.rawValue)`, not to `plan \(rawValue)`")
    }
}

extension Command {
    static let plan = Command(
        name: "plan",
        summary: "infer, check, compare and show a tracking plan",
        discussion: [
            "infer [PATH...] writes the plan of what the files hold, to -o or standard output. check [PATH...] --plan FILE holds files "
                + "against a plan and exits with 4 if anything but a deprecated event was found.",
            "diff OLD NEW compares two plans and exits with 4 if a change breaks reports: a removed event or property, a new required "
                + "property, a changed type, a removed value, a narrower range. With --funnels it names each step that no longer "
                + "matches.",
            "docs FILE [PATH...] shows a plan for people, with counts if files are given. swift FILE writes the Swift type that the "
                + "build plugin generates.",
        ],
        operands: .wordAndInputs(placeholder: "TASK", words: PlanTask.allCases.map(\.rawValue), summary: "What to do"),
        flags: PlanFlags.all,
        examples: PlanTask.allCases.compactMap(\.help.examples.first), tasks: PlanTask.allCases.map(\.help)
    ) { invocation in
        guard let task = invocation.arguments.operands.first.flatMap(PlanTask.init) else { throw UsageError("TASK is needed") }
        return try task.run(invocation)
    }
}
