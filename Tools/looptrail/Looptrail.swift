import Basics
import Funnels
import Reports
import TrackingEvents

/// The command line. It finds the command, runs it, and turns errors into messages and an exit status.
struct Looptrail: Sendable {
    static let version = "0.2.0"

    /// All commands, in the order of the help. A group's tasks are in ``Command/tasks``.
    static let commands: [Command] = [
        .demo, .funnel, .events, .props, .users, .paths, .retention, .trend, .why, .explain, .tail, .timings, .report, .explore, .inspect,
        .sql, .cluster, .check, .repair, .index, .user, .forget, .plan, .completions, .help,
    ]

    /// All commands, each group followed by its tasks.
    static var everyCommand: [Command] { commands.flatMap { [$0] + $0.tasks } }

    private let surroundings: Surroundings

    init(_ surroundings: Surroundings = .process) { self.surroundings = surroundings }

    /// - Parameter arguments: without the program's own name.
    func run(_ arguments: [String]) async -> ExitStatus {
        var console = Console(speaker: "looptrail", descriptor: surroundings.standardError)
        do throws(UsageError) {
            guard let first = arguments.first else {
                console.lines(helpText(on: surroundings.standardError).overview(of: Self.commands))
                return .usage
            }
            var rest = Array(arguments.dropFirst())
            if ["--help", "-h"].contains(first) { return await run(.help, [], console) }
            if first == "--version" {
                if let extra = rest.first { throw UsageError("`\(extra)` is one argument too many after --version") }
                return printVersion(console)
            }
            if first.hasPrefix("-") { throw Self.misplaced(first) }
            var command = try Self.command(named: first)
            // Flags of the task may stand before its name.
            if let index = rest.firstIndex(where: { word in command.tasks.contains { $0.word == word } }) {
                command = try Self.task(rest.remove(at: index), of: command)
            }
            console = Console(speaker: "looptrail \(command.name)", descriptor: surroundings.standardError)
            return await run(command, rest, console)
        } catch {
            return fail(error, console, seeAlso: "looptrail help")
        }
    }

    private func run(_ command: Command, _ arguments: [String], _ console: Console) async -> ExitStatus {
        var console = console
        do {
            switch try ArgumentParser.parse(arguments, of: command) {
            case .help(let isBrief):
                let help = helpText(on: surroundings.standardOutput)
                try Self.print(isBrief ? help.brief(command) : help.full(command), in: surroundings)
                return .fine
            case .run(let parsed):
                console.isQuiet = parsed[CommonFlags.quiet]
                let plan = try PlanFile.flagged(parsed)
                console.isColoured = !parsed[CommonFlags.noColor] && surroundings.allowsColour(on: surroundings.standardError)
                // Every `now` of a call is one moment: --compare now-14d..now-7d ends exactly where --since now-7d begins.
                let now = surroundings.clock.milliseconds
                var fixed = surroundings
                fixed.clock = WallClock { now }
                return try await command.run(
                    Invocation(command: command, arguments: parsed, surroundings: fixed, console: console, plan: plan))
            }
        } catch OutputError.readerGone {
            return .fine
        } catch is NothingToRead {
            console.lines(helpText(on: surroundings.standardError).short(command))
            return .usage
        } catch let error as UsageError {
            return fail(error, console, seeAlso: "looptrail help" + (command.name == "help" ? "" : " \(command.name)"))
        } catch {
            console.error("\(error)")
            return .failure
        }
    }

    private func printVersion(_ console: Console) -> ExitStatus {
        do throws(OutputError) {
            try PlainOutput.write(Array("looptrail \(Self.version)\n".utf8), to: nil, in: surroundings)
            return .fine
        } catch {
            console.error("\(error)")
            return .failure
        }
    }

    private func fail(_ error: UsageError, _ console: Console, seeAlso: String) -> ExitStatus {
        console.error(error.message + (error.detail.map { "\n\($0)" } ?? "") + "\nSee `\(seeAlso)`.")
        return .usage
    }

    private func helpText(on descriptor: Int32) -> HelpText { HelpText(width: surroundings.columns(of: descriptor)) }

    /// The command of that name.
    static func command(named name: String) throws(UsageError) -> Command {
        if let command = commands.first(where: { $0.name == name }) { return command }
        // In earlier versions `prepare`, `split` and `merge` had no group.
        if let command = Command.cluster.tasks.first(where: { $0.word == name }) { return command }
        let nearest = NearestName.find(name, in: commands.map(\.name)).map { ": did you mean `\($0)`?" }
        let all = commands.map(\.name).joined(separator: ", ")
        throw UsageError("unknown command `\(name)`" + (nearest ?? "; there are \(all)"))
    }

    /// The command of that name in a group.
    static func task(_ name: String, of group: Command) throws(UsageError) -> Command {
        if let task = group.tasks.first(where: { $0.word == name }) { return task }
        if group.tasks.isEmpty { throw UsageError("`\(name)` is one argument too many: `looptrail help \(group.name)` says all") }
        let nearest = NearestName.find(name, in: group.tasks.map(\.word)).map { "; did you mean `\($0)`?" } ?? ""
        throw UsageError("`looptrail \(group.name)` has no \(group.operands.placeholder) `\(name)`\(nearest)")
    }

    /// The error for a flag in the place of the command.
    private static func misplaced(_ flag: String) -> UsageError {
        let name = String(flag.drop { $0 == "-" }.prefix { $0 != "=" })
        if everyCommand.contains(where: { $0.flags.contains { $0.name == name || $0.short.map { flag.hasPrefix("-\($0)") } == true } }) {
            return UsageError("`\(flag)` stands before the command: write `looptrail COMMAND \(flag)`")
        }
        guard let nearest = NearestName.find(name, in: ["help", "version"]) else { return UsageError("unknown flag `\(flag)`") }
        return UsageError("unknown flag `\(flag)`: did you mean `--\(nearest)`?")
    }

    static func print(_ text: String, in surroundings: Surroundings) throws(OutputError) { try print(Array(text.utf8), in: surroundings) }

    /// Writes bytes to standard output as they are.
    static func print(_ bytes: [UInt8], in surroundings: Surroundings) throws(OutputError) {
        do {
            try DescriptorWriting.writeAll(bytes, to: surroundings.standardOutput)
        } catch {
            throw error.isClosedPipe ? .readerGone : .standardOutput(error)
        }
    }
}
