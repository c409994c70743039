import Foundation
import Testing

@testable import looptrail

/// What every declaration must keep, so that help never lies.
@Suite struct DeclarationTests {
    @Test func `no two commands have the same name`() {
        let names = Looptrail.everyCommand.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.contains("help"))
    }

    private func command(_ name: String) throws -> Command { try #require(Looptrail.everyCommand.first { $0.name == name }) }

    @Test(arguments: Looptrail.everyCommand.map(\.name))
    func `every flag is spelt well, once, and its example and standard value can be read`(_ name: String) throws {
        let command = try command(name)
        var seen: Set<String> = ["help", "h"]
        for flag in command.flags {
            #expect(flag.name.allSatisfy { $0.isLowercase || $0 == "-" } && !flag.name.hasPrefix("-"), "\(flag.name)")
            #expect(seen.insert(flag.name).inserted, "\(flag.name)")
            if let short = flag.short { #expect(seen.insert(String(short)).inserted, "-\(short)") }
            #expect(!flag.summary.hasSuffix("."))
            guard let value = flag.value else { continue }
            #expect(throws: Never.self) { try value.parse(value.example) }
            if let standard = value.defaultText { #expect(throws: Never.self) { try value.parse(standard) } }
            for word in value.allowed { #expect(throws: Never.self) { try value.parse(word) } }
        }
    }

    @Test(arguments: Looptrail.everyCommand.filter(\.tasks.isEmpty).map(\.name))
    func `every example can be parsed`(_ name: String) throws {
        let command = try command(name)
        #expect(!command.summary.hasSuffix("."))
        for example in command.examples {
            let words = name.split(separator: " ").map(String.init)
            #expect(Array(example.arguments.prefix(words.count)) == words)
            #expect(throws: Never.self, "\(example.arguments)") {
                try ArgumentParser.parse(Array(example.arguments.dropFirst(words.count)), of: command)
            }
        }
    }

    @Test(arguments: Looptrail.everyCommand.map(\.name))
    func `a screen of help has at most ten flags, each in a line, and two examples`(_ name: String) throws {
        let command = try command(name)
        let lines = HelpText(width: 80).brief(command).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.count <= 26, "\(lines.count)")
        #expect(command.essentialFlags.count <= Command.mostEssentials)
        for flag in command.essentialFlags {
            #expect(command.listedFlags.contains { $0.name == flag.name })
            #expect(lines.contains { $0.hasSuffix("  \(flag.gist)") && $0.count <= 80 }, "\(flag.dashed): \(flag.gist)")
        }
        #expect(lines.count { $0.hasPrefix("  # ") } <= 4)
        #expect(lines.contains { $0.hasPrefix("See also: looptrail \(name) --help") })
    }

    @Test func `an example's words are a comment on each line that they wrap to`() {
        for command in Looptrail.everyCommand {
            let help = HelpText(width: 40).full(command)
            guard let examples = help.components(separatedBy: "Examples:\n").last, help.contains("Examples:") else { continue }
            for line in examples.split(separator: "\n") where line.hasPrefix("  ") {
                #expect(line.hasPrefix("  # ") || line.hasPrefix("  looptrail "), "\(line)")
            }
        }
    }

    @Test(arguments: Looptrail.everyCommand.map(\.name), [40, 80, 100])
    func `help names every flag under its heading and stays within its columns`(_ name: String, _ width: Int) throws {
        let command = try command(name)
        let help = HelpText(width: width).full(command)
        for flag in command.flags where !flag.isListed { #expect(!help.contains("\(flag.dashed) ")) }
        for (group, _) in command.groupedFlags { #expect(help.contains("\n\(group.rawValue):\n")) }
        for flag in command.listedFlags {
            #expect(help.contains("\(flag.dashed)"))
            if let standard = flag.value?.defaultText { #expect(help.contains("\(standard)")) }
        }
        #expect(help.utf8.allSatisfy { $0 < 0x80 })
        // Lines that a user copies are never broken, and may be longer.
        let prose = help.split(separator: "\n").filter { !$0.contains("looptrail ") && !$0.contains("--") }
        for line in prose { #expect(line.count <= width, "\(line)") }
    }

    @Test(arguments: [
        ("funnel", true), ("cluster split", true), ("plan docs", true), ("user", false), ("explain", false), ("repair", false),
        ("forget", false), ("index", false),
    ])
    func `help says which commands read standard input`(_ name: String, _ reads: Bool) throws {
        #expect(try command(name).operandRows.contains { $0.meaning.contains("standard input") } == reads)
    }

    @Test func `the overview lists every command with its summary`() {
        let overview = HelpText(width: 100).overview(of: Looptrail.commands)
        for command in Looptrail.commands {
            #expect(overview.contains("  \(command.name) "))
            #expect(overview.contains(command.summary))
        }
    }

    @Test(arguments: [
        ("events/", "events/"), ("a > b", "'a > b'"), ("", "''"), ("it's", #"'it'\''s'"#), ("--window=1h", "--window=1h"),
        ("$HOME", "'$HOME'"), ("é", "'é'"), ("'\u{301}", "''\\''\u{301}'"),
    ])
    func `examples are quoted for a shell`(_ word: String, _ quoted: String) {
        #expect(ShellWord.quoted(word) == quoted)
    }
}
