import Testing

@testable import looptrail

/// A command with a flag of every sort.
private enum Sample {
    static let window = Flag("window", .duration("window"), "How long", standard: "7d", repetition: .refused)
    static let format = Flag("format", .word(["table", "json"], example: "json"), "How it looks")
    static let output = Flag("output", short: "o", .file, "Where to")
    static let threads = Flag("threads", .count(1...8, example: "2"), "How many")
    static let quiet = Flag("quiet", short: "q", "Say less")
    static let steps = Flag("steps", .steps, "What", isRequired: true)

    static func command(_ operands: Command.Operands = .inputs, steps needsSteps: Bool = false) -> Command {
        Command(
            name: "sample", summary: "try the parser", discussion: [], operands: operands,
            flags: [window.declaration, format.declaration, output.declaration, threads.declaration, quiet.declaration]
                + (needsSteps ? [steps.declaration] : []),
            examples: [], run: { _ in .fine })
    }

    static func parse(_ words: [String], _ command: Command = command()) throws -> Arguments {
        guard case .run(let arguments) = try ArgumentParser.parse(words, of: command) else { throw Unexpected.help }
        return arguments
    }

    static func failure(_ words: [String], _ command: Command = command()) -> UsageError? {
        do throws(UsageError) {
            _ = try ArgumentParser.parse(words, of: command)
            return nil
        } catch { return error }
    }
}

private enum Unexpected: Error { case help }

@Suite struct ArgumentParserTests {
    @Test(arguments: [
        ["--format", "json", "a", "b"], ["a", "--format", "json", "b"], ["a", "b", "--format", "json"], ["a", "--format=json", "b"],
        ["--format=json", "--", "a", "b"], ["--format", "table", "a", "b", "--format", "json"],
    ])
    func `flags stand anywhere, with a blank or an equals sign`(_ words: [String]) throws {
        let arguments = try Sample.parse(words)
        #expect(arguments.operands == ["a", "b"])
        #expect(arguments[Sample.format] == "json")
    }

    @Test(arguments: [["-o", "x.json"], ["-ox.json"], ["-o=x.json"], ["--output", "x.json"], ["--output=x.json"]])
    func `a flag with a letter takes its value in every usual way`(_ words: [String]) throws {
        let arguments = try Sample.parse(words)
        #expect(arguments[Sample.output] == "x.json")
        #expect(arguments.operands.isEmpty)
    }

    @Test func `a dash alone is a path, and two end the flags`() throws {
        #expect(try Sample.parse(["-", "--", "--quiet", "-o", "--"]).operands == ["-", "--quiet", "-o", "--"])
    }

    @Test func `switches are off until given, and twice is once`() throws {
        #expect(try !Sample.parse([])[Sample.quiet])
        #expect(try Sample.parse(["--quiet"])[Sample.quiet])
        #expect(try Sample.parse(["-q", "--quiet"])[Sample.quiet])
    }

    @Test func `a flag that is not given has its standard value or none`() throws {
        let arguments = try Sample.parse([])
        #expect(arguments[Sample.window] == Int64(604_800_000))
        #expect(try arguments.value(of: Sample.window) == 7 * 86_400_000)
        #expect(arguments[Sample.format] == nil)
        #expect(throws: UsageError.self) { try arguments.value(of: Sample.format) }
    }

    @Test func `a value may hold equals signs, blanks and dashes`() throws {
        let command = Sample.command(steps: true)
        let arguments = try Sample.parse(["--steps=a[x=1] > b", "--output", "-strange-", "p"], command)
        #expect(arguments[Sample.steps]?.count == 2)
        #expect(arguments[Sample.output] == "-strange-")
        #expect(arguments.operands == ["p"])
    }

    @Test(arguments: [
        (["--widnow", "1h"], "unknown flag `--widnow`: did you mean `--window`?"),
        (["--widnow=1h"], "unknown flag `--widnow`: did you mean `--window`?"),
        (["-window", "1h"], "unknown flag `-window`: did you mean `--window`?"),
        (["--halp"], "unknown flag `--halp`: did you mean `--help`?"), (["--help=1"], "--help takes no value"),
        (["--utterly-unlike"], "unknown flag `--utterly-unlike`"),
        (["-z"], "unknown flag `-z`"),
        (["--form", "json"], "unknown flag `--form`: did you mean `--format`?"),
        (["--quiet=yes"], "--quiet takes no value, but `yes` was given"),
        (["-qx"], "-q takes no value, but `x` was given"),
        (["--window"], "--window needs a value, for example `--window 1h`"),
        (["--window", "--quiet"], "--window needs a value, for example `--window 1h`"),
        (["--window", "--format=json"], "--window needs a value, for example `--window 1h`"),
        (["--window", "-o"], "--window needs a value, for example `--window 1h`"),
        (["-o"], "-o needs a value, for example `--output report.json`"),
        (["--output="], "--output: the name is empty"),
        (["--window", "1h", "--window=1h"], "--window is given twice: give it once"),
        (["--format", "jsno"], "--format: `jsno` is not one of `table`, `json`; did you mean `json`?"),
        (["--format", "html"], "--format: `html` is not one of `table`, `json`"),
        (["--threads", "0"], "--threads: `0` is not a whole number from 1 to 8"),
        (["--threads", "9"], "--threads: `9` is not a whole number from 1 to 8"),
        (["--threads", "+2"], "--threads: `+2` is not a whole number from 1 to 8"),
        (["--threads", "-2"], "--threads: `-2` is not a whole number from 1 to 8"),
        (["--threads", "two"], "--threads: `two` is not a whole number from 1 to 8"),
        (["--threads", ""], "--threads: `` is not a whole number from 1 to 8"),
        (["--threads", "99999999999999999999"], "--threads: `99999999999999999999` is not a whole number from 1 to 8"),
        (["--window", "1"], "--window: `1` is not a duration"),
        ([""], "a path is empty: is a variable unset?"),
    ])
    func `a wrong command line gets a message that says what is wrong`(_ words: [String], _ message: String) {
        #expect(Sample.failure(words)?.message == message)
    }

    @Test func `a bad value shows the place and an example`() {
        #expect(
            Sample.failure(["--window", "1x"])?.detail
                == "window, column 2: found `x`, expected a unit: `ms`, `s`, `m`, `h`, `d` or `w`\n  1x\n   ^\nfor example: --window 1h")
    }

    @Test func `a flag that is needed and missing is named with an example`() {
        #expect(
            Sample.failure(["a"], Sample.command(steps: true))?.message
                == "--steps is needed, for example `--steps 'viewed > added > paid'`")
    }

    @Test func `a command with one optional word refuses a second and an empty one`() throws {
        let command = Sample.command(.optional(placeholder: "DIR", summary: "Where"))
        #expect(try Sample.parse([], command).operands.isEmpty)
        #expect(try Sample.parse(["x"], command).operands == ["x"])
        #expect(Sample.failure(["x", "y"], command)?.message == "`y` is one too many: DIR is `x` already")
        #expect(Sample.failure([""], command)?.message == "DIR is empty: is a variable unset?")
    }

    @Test func `a command with a word of its own takes one of them and needs it`() throws {
        let command = Sample.command(.word(placeholder: "SHELL", words: ["bash", "zsh"], summary: "Which"))
        #expect(try Sample.parse(["zsh"], command).operands == ["zsh"])
        #expect(Sample.failure([], command)?.message == "SHELL is needed: `bash`, `zsh`")
        #expect(Sample.failure(["bahs"], command)?.message == "`bahs` is not a SHELL, only `bash`, `zsh` are; did you mean `bash`?")
        #expect(Sample.failure(["zsh", "bash"], command)?.message == "`bash` is one too many: SHELL is `zsh` already")
    }

    @Test func `a command with a text before its paths needs the text and takes any`() throws {
        let command = Sample.command(.textAndInputs(placeholder: "NAME", example: "cart added", summary: "What"))
        #expect(try Sample.parse(["x > y", "a", "b"], command).operands == ["x > y", "a", "b"])
        #expect(try Sample.parse(["--quiet", "--", "-x"], command).operands == ["-x"])
        #expect(Sample.failure([], command)?.message == "NAME is needed, for example `looptrail sample 'cart added'`")
        #expect(Sample.failure([""], command)?.message == "NAME is empty: is a variable unset?")
        #expect(Sample.failure(["x", ""], command)?.message == "a path is empty: is a variable unset?")
    }

    @Test(arguments: [["--help"], ["-h"], ["a", "--help"], ["--nonsense", "-h"], ["--window", "--help"]])
    func `help is given whatever else is wrong`(_ words: [String]) throws {
        guard case .help(let isBrief) = try ArgumentParser.parse(words, of: Sample.command(steps: true)) else {
            Issue.record("no help for \(words)")
            return
        }
        #expect(isBrief == !words.contains("--help"))
    }

    @Test func `after two dashes help is a path`() throws {
        #expect(try Sample.parse(["--", "--help"]).operands == ["--help"])
    }
}
