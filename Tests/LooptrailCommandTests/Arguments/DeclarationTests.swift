import Testing

@testable import looptrail

/// What every declaration must keep, so that help never lies.
@Suite struct DeclarationTests {
    @Test func `names of commands are unlike`() {
        let names = Looptrail.commands.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.contains("help"))
    }

    @Test(arguments: Looptrail.commands.map(\.name))
    func `every flag is spelt well, once, and its example and standard value can be read`(_ name: String) throws {
        let command = try Looptrail.command(named: name)
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

    @Test(arguments: Looptrail.commands.map(\.name))
    func `every example can be parsed`(_ name: String) throws {
        let command = try Looptrail.command(named: name)
        #expect(!command.summary.hasSuffix("."))
        for example in command.examples {
            #expect(example.arguments.first == name)
            #expect(throws: Never.self, "\(example.arguments)") {
                try ArgumentParser.parse(Array(example.arguments.dropFirst()), of: command)
            }
        }
    }

    @Test(arguments: Looptrail.commands.map(\.name), [40, 80, 100])
    func `help names every flag and stays within its columns`(_ name: String, _ width: Int) throws {
        let command = try Looptrail.command(named: name)
        let help = HelpText(width: width).full(command)
        for flag in command.flags {
            #expect(help.contains("\(flag.dashed)"))
            if let standard = flag.value?.defaultText { #expect(help.contains("\(standard)")) }
        }
        #expect(help.utf8.allSatisfy { $0 < 0x80 })
        // What a user copies is never broken.
        let prose = help.split(separator: "\n").filter { !$0.contains("looptrail ") && !$0.contains("--") }
        for line in prose { #expect(line.count <= width, "\(line)") }
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
        ("$HOME", "'$HOME'"), ("é", "'é'"),
    ])
    func `examples are quoted for a shell`(_ word: String, _ quoted: String) {
        #expect(ShellWord.quoted(word) == quoted)
    }
}
