import Foundation
import Testing

@testable import looptrail

/// The built command as a script meets it: help, mistakes, and standard descriptors in any state.
@Suite struct CallingTests {
    @Test(arguments: [["--help"], ["-h"], ["help"], ["help", "--help"], ["help", "help"]])
    func `help goes to standard output and is no failure`(_ arguments: [String]) throws {
        let result = try Child.looptrail(arguments)
        #expect(result.status == 0)
        #expect(result.complaints == "")
        #expect(result.output.contains("Usage: looptrail"))
    }

    @Test func `an argument that is not UTF-8 is refused, because it would be read as another`() throws {
        let folder = try TemporaryFolder()
        let errors = folder.path("stderr")
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", #"exec "$0" user "$(printf 'u\377')" 2>"$1""#, try Child.commandPath.get(), errors]
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 2)
        #expect(try String(contentsOfFile: errors, encoding: .utf8).contains("argument 2 is not UTF-8"))
    }

    @Test(arguments: Looptrail.everyCommand.map(\.name))
    func `help NAME and NAME --help say the same, and NAME -h is a screen`(_ name: String) throws {
        let words = name.split(separator: " ").map(String.init)
        let asked = try Child.looptrail(["help"] + words)
        let flagged = try Child.looptrail(words + ["--help"])
        let brief = try Child.looptrail(words + ["-h"])
        #expect(brief.status == 0 && brief.output.hasPrefix("Usage: looptrail \(name)"))
        #expect(asked.status == 0)
        #expect(asked.output == flagged.output)
        #expect(asked.output.hasPrefix("looptrail \(name) - "))
    }

    @Test func `the version is one line`() throws {
        let result = try Child.looptrail(["--version"])
        #expect(result.status == 0)
        #expect(result.output == "looptrail \(Looptrail.version)\n")
    }

    @Test func `a call without arguments prints help on standard error and is a usage error`() throws {
        let result = try Child.looptrail([])
        #expect(result.status == 2)
        #expect(result.output == "")
        #expect(result.errors.contains("Usage: looptrail COMMAND"))
    }

    @Test(arguments: [
        (["hepl"], "looptrail: unknown command `hepl`: did you mean `help`?\nSee `looptrail help`.\n"),
        (["help", "hlep"], "looptrail help: unknown command `hlep`: did you mean `help`?\nSee `looptrail help`.\n"),
        (["--versoin"], "looptrail: unknown flag `--versoin`: did you mean `--version`?\nSee `looptrail help`.\n"),
        (["-o", "x"], "looptrail: `-o` stands before the command: write `looptrail COMMAND -o`\nSee `looptrail help`.\n"),
        (["-ox"], "looptrail: `-ox` stands before the command: write `looptrail COMMAND -ox`\nSee `looptrail help`.\n"),
        (["--o", "x"], "looptrail: unknown flag `--o`\nSee `looptrail help`.\n"),
        (["--version", "x"], "looptrail: `x` is one argument too many after --version\nSee `looptrail help`.\n"),
        (
            ["help", "demo", "b"], "looptrail help: `b` is one argument too many: `looptrail help demo` says all\nSee `looptrail help`.\n"
        ),
        (["help", "--hepl"], "looptrail help: unknown flag `--hepl`: did you mean `--help`?\nSee `looptrail help`.\n"),
    ])
    func `a mistake is told on standard error with what was meant`(_ arguments: [String], _ errors: String) throws {
        let result = try Child.looptrail(arguments)
        #expect(result.status == 2)
        #expect(result.output == "")
        #expect(result.errors == errors)
    }

    @Test func `control characters of an argument never reach the terminal`() throws {
        let result = try Child.looptrail(["\u{1B}[31mx\u{202E}\n"])
        #expect(result.status == 2)
        #expect(result.errors.contains(#"`\u{1B}[31mx\u{202E}"#))
        #expect(!result.errors.unicodeScalars.contains("\u{1B}"))
    }

    @Test func `a reader that has gone is no failure and no message`() throws {
        let (readEnd, writeEnd) = try Child.makePipe()
        close(readEnd)
        defer { close(writeEnd) }
        for arguments in [["--help"], ["--version"], ["help", "help"]] {
            let result = try Child.looptrail(arguments, output: .descriptor(writeEnd))
            #expect(result.status == 0)
            #expect(result.complaints == "")
        }
    }

    @Test(arguments: [["--help"], ["--version"], ["help", "help"]])
    func `standard output that is closed is a failure`(_ arguments: [String]) throws {
        let result = try Child.looptrail(arguments, output: .closed)
        #expect(result.status == 1)
        #expect(result.errors.contains("cannot write to standard output"))
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func `a full disk behind standard output is a failure`() throws {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        let result = try Child.looptrail(["--help"], output: .descriptor(full))
        #expect(result.status == 1)
        #expect(result.errors.contains("No space left on device"))
    }

    @Test func `closed standard error changes nothing`() throws {
        #expect(try Child.looptrail(["nonsense"], errors: .closed).status == 2)
        #expect(try Child.looptrail(["--version"], errors: .closed).output == "looptrail \(Looptrail.version)\n")
    }

    @Test(arguments: ["40", "60", "100"])
    func `help follows COLUMNS`(_ columns: String) throws {
        let help = try Child.looptrail(["help", "help"], environment: ["COLUMNS": columns]).output
        #expect(help == HelpText(width: Int(columns)).full(.help))
    }
}
