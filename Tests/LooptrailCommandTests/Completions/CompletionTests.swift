import Foundation
import TestSupport
import Testing

@testable import looptrail

/// Runs each completion script in its shell.
@Suite struct CompletionTests {
    private static let (bashShell, fish, zsh) = (InstalledProgram("bash"), InstalledProgram("fish"), InstalledProgram("zsh"))

    /// What bash offers for words, the last of which is being written.
    private func bash(_ words: [String]) throws -> [String] {
        let folder = try TemporaryFolder()
        let script = try folder.file("completion", try Child.looptrail(["completions", "bash"]).output)
        try folder.file("events one", "")
        try FileManager.default.createDirectory(atPath: folder.path("sub"), withIntermediateDirectories: true)
        let array = words.map(ShellWord.quoted).joined(separator: " ")
        let program = """
            cd \(ShellWord.quoted(folder.path))
            source \(ShellWord.quoted(script))
            [[ $(complete -p looptrail) == *'-F _looptrail looptrail' ]] || echo not registered
            # Outside of readline there are no files from it.
            compopt() { return 1; }
            COMP_WORDS=(looptrail \(array)) COMP_CWORD=\(words.count)
            _looptrail
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let result = try Self.bashShell.run(["--norc", "-c", program])
        #expect(result.status == 0 && result.errors == "", "\(result.errors)")
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test(
        arguments: [
            (["fu"], ["funnel"]), (["he"], ["help"]), (["--v"], ["--version"]),
            (["funnel", "--st"], ["--steps", "--step-window", "--strict"]),
            (["funnel", "--format", ""], ["table", "json"]), (["funnel", "--format", "j"], ["json"]),
            (["funnel", "--format", "="], ["table", "json"]), (["funnel", "--format", "=", "ta"], ["table"]),
            (["funnel", "--steps", "f"], []), (["funnel", "--steps", "--"], []), (["help", "ch"], ["check"]),
            (["completions", ""], ["bash", "zsh", "fish"]), (["plan", "d"], ["diff", "docs"]),
            (["help", "plan", "d"], ["diff", "docs"]), (["help", "cluster", ""], ["prepare", "split", "merge"]),
            (["help", "funnel", ""], []), (["help", "funnel", "--m"], ["--man"]), (["help", "--man", "pl"], ["plan"]),
            (["plan", "check", "ev"], ["events", "one"]), (["events", "ev"], ["events", "one"]), (["demo", "s"], ["sub"]),
            (["plan", "docs", "ev"], ["events", "one"]), (["props", "ev"], []),
            (["events", "-o", "ev"], ["events", "one"]), (["nonsense", "x"], []), (["check", "--he"], ["--help"]),
        ] as [([String], [String])])
    func `bash offers the words that can stand at that place`(_ words: [String], _ offered: [String]) throws {
        let found = try bash(words)
        // A format that is added later must not break this.
        #expect(words.contains("--format") ? offered.allSatisfy(found.contains) : found == offered, "\(words): \(found)")
    }

    @Test func `bash offers every command and every flag of it`() throws {
        #expect(try Set(bash([""])) == Set(Looptrail.commands.map(\.name) + ["--help", "--version"]))
        for command in Looptrail.everyCommand {
            let found = Set(try bash(command.name.split(separator: " ").map(String.init) + ["-"]))
            #expect(found.isSuperset(of: command.listedFlags.map(\.dashed) + ["--help", "-h"]), "\(command.name)")
        }
    }

    @Test(arguments: [(bashShell, "-n"), (zsh, "-n"), (fish, "--no-execute")].filter { $0.0.isExpected })
    func `each shell can read its own script`(_ program: InstalledProgram, _ flag: String) throws {
        let folder = try TemporaryFolder()
        let script = try folder.file("script", try Child.looptrail(["completions", program.name]).output)
        let result = try program.run([flag, script])
        #expect(result.status == 0 && result.output + result.errors == "", "\(result.output)\(result.errors)")
    }

    @Test(.enabled(if: fish.isExpected))
    func `fish offers commands, flags and values`() throws {
        let folder = try TemporaryFolder()
        let script = try folder.file("script", try Child.looptrail(["completions", "fish"]).output)
        for (line, offered) in [
            ("looptrail fu", "funnel"), ("looptrail funnel --st", "--steps"), ("looptrail funnel --progress al", "always"),
            ("looptrail plan ch", "check"), ("looptrail plan check --pl", "--plan"), ("looptrail help cluster spl", "split"),
        ] {
            let result = try Self.fish.run(["--no-config", "-c", "source \(script); complete -C '\(line)'"])
            #expect(result.output.contains(offered), "\(line): \(result.output)\(result.errors)")
        }
    }

    @Test(.enabled(if: fish.isExpected), arguments: ["plan check", "help plan infer", "help funnel", "completions bash"])
    func `fish offers no second task behind a task, and no second command or shell`(words: String) throws {
        let folder = try TemporaryFolder()
        let script = try folder.file("script", try Child.looptrail(["completions", "fish"]).output)
        let result = try Self.fish.run(["--no-config", "-c", "source \(script); complete -C 'looptrail \(words) '"])
        let offered = Set(result.output.split(separator: "\n").map(String.init))
        #expect(result.status == 0 && offered.isDisjoint(with: ["infer", "diff", "funnel", "events", "zsh"]), "\(offered)")
    }

    @Test func `a flag that may be repeated has the star with which zsh offers it again`() {
        let script = Shell.zsh.script(for: [.funnel])
        #expect(script.contains("'*--exclude=[") && script.contains("'*'{-o+,--output=}'["))
        #expect(script.contains("'--steps=["))
    }

    @Test(.enabled(if: zsh.isExpected))
    func `zsh takes the script as a function of its own`() throws {
        let folder = try TemporaryFolder()
        let script = try folder.file("script", try Child.looptrail(["completions", "zsh"]).output)
        let program = "autoload -U compinit && compinit -D -u -d \(folder.path("dump")); source \(script); print $_comps[looptrail]"
        let result = try Self.zsh.run(["-f", "-c", program])
        #expect(result.output == "_looptrail\n" && result.errors == "", "\(result.output)\(result.errors)")
    }

    @Test(arguments: Shell.allCases)
    func `every command and flag stands in the script, in ASCII`(_ shell: Shell) {
        let script = shell.script(for: Looptrail.commands)
        #expect(script.utf8.allSatisfy { $0 < 0x80 })
        for command in Looptrail.everyCommand {
            #expect(script.contains(command.name))
            for flag in command.listedFlags { #expect(script.contains(shell == .fish ? "-l \(flag.name)" : flag.dashed)) }
        }
    }

    @Test func `an unknown shell, or none, is a usage error`() throws {
        let unknown = try Child.looptrail(["completions", "bsh"])
        #expect(unknown.status == 2)
        #expect(unknown.errors.contains("`bsh` is not a SHELL, only `bash`, `zsh`, `fish` are; did you mean `bash`?"))
        let none = try Child.looptrail(["completions"])
        #expect(none.status == 2 && none.errors.contains("SHELL is needed: `bash`, `zsh`, `fish`"))
    }
}
