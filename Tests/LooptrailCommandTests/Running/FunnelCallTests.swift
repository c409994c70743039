import Foundation
import Testing

@testable import looptrail

/// `looptrail funnel` as a process of its own, on real files.
@Suite struct FunnelCallTests {
    private let steps = ["--steps", "viewed > added > paid"]

    /// The counts in a JSON report.
    private func counts(_ json: String) throws -> [Int] { try FunnelJSON(json).steps.map(\.count) }

    @Test func `a file's funnel stands on standard output and nothing on standard error`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let result = try Child.looptrail(["funnel", path] + steps)
        #expect(result.status == 0)
        #expect(result.complaints == "")
        let lines = result.output.split(separator: "\n")
        #expect(lines[0].contains("4 users, window 7d from step 1, ordered"))
        #expect(lines[1].contains("1 viewed") && lines[1].contains("100.0%") && lines[1].contains("█"))
        #expect(lines[3].contains("3 paid") && lines[3].contains("25.0%") && lines[3].contains("−1"))
        #expect(result.output.contains("7 events in 1 file"))
    }

    @Test func `the same comes from a file, a folder, a glob, a pipe and a redirection`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let file = try Child.looptrail(["funnel", path, "--format", "json"] + steps)
        #expect(try counts(file.output) == [4, 2, 1])
        for words in [[folder.path], ["\(folder.path)/*.ndjson"]] {
            let result = try Child.looptrail(["funnel"] + words + ["--format", "json"] + steps)
            #expect(result.output == file.output, "\(words)")
        }
        let bytes = Array(Events.shop.utf8)
        #expect(try Child.looptrail(["funnel", "-", "--format", "json"] + steps, input: .pipe(bytes)).output == file.output)
        #expect(try Child.looptrail(["funnel", "--format", "json"] + steps, input: .pipe(bytes)).output == file.output)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        #expect(try Child.looptrail(["funnel", "--format", "json"] + steps, input: .descriptor(descriptor)).output == file.output)
    }

    @Test func `threads change nothing`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let outputs = try ["1", "2", "7"].map { try Child.looptrail(["funnel", path, "--threads", $0, "--format=json"] + steps).output }
        #expect(Set(outputs).count == 1)
    }

    @Test(
        arguments: [
            (["--steps", "viewed > added", "--window", "9s"], [4, 0]), (["--steps", "viewed > added", "--window", "10s"], [4, 2]),
            (["--steps", "viewed[price>=20] > added"], [3, 1]), (["--steps", "(viewed | added) > *"], [4, 2]),
            (["--steps", "viewed > added", "--by", "session"], [0, 0]),
            (["--steps", "viewed > added", "--since", "2026-01-01T12:00:02"], [3, 1]),
            (["--steps", "viewed > added", "--until", "2026-01-01T12:00:02Z"], [1, 1]),
            (["--steps", "viewed > added", "--until", "2026-01-01T13:00:02+01:00"], [1, 1]),
            (["--steps", "viewed > added", "--since", "2026-01-02"], [0, 0]),
            (["--steps", "paid > viewed > added", "--order=any"], [4, 2, 1]),
            (["--steps", "viewed > added? > paid"], [4, 2, 1]),
            (["--steps", "viewed > paid", "--exclude", "added"], [4, 0]), (["--steps", "viewed > paid", "--exclude", "!added"], [2, 0]),
            (["--steps", "viewed > paid", "--exclude", "added", "--exclude=!viewed"], [4, 0]),
            (["--steps", "viewed > added", "--step-window", "1ms"], [4, 0]),
        ] as [([String], [Int])])
    func `the flags of the definition give the expected counts`(_ words: [String], _ expected: [Int]) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let result = try Child.looptrail(["funnel", path, "--format=json"] + words)
        #expect(result.status == 0)
        #expect(try counts(result.output) == expected)
    }

    @Test(
        arguments: [
            (["--steps", "viewed >"], ["--steps: these steps cannot be read", "steps, column 9:", "  viewed >\n          ^"]),
            (["--steps", "viewed", "--window", "1"], ["--window: `1` is not a duration", "for example: --window 1h"]),
            (["--steps", "viewed", "--since", "soon"], ["--since: `soon` is not a date or time"]),
            (["--steps", "viewed", "--since", "2026-01-02", "--until", "2026-01-01"], ["--since is not before --until"]),
            (["--steps", "viewed", "--format", "xml"], ["--format: `xml` is not one of `table`, `json`, `jsonl`, `csv`, `md`, `html`"]),
            (["--step", "viewed"], ["unknown flag `--step`: did you mean `--steps`?"]),
            ([], ["--steps is needed"]),
            (["--steps", "viewed", "--steps", "added"], ["--steps is given twice"]),
            (["--steps", "viewed", "--order", "random"], ["--order: `random` is not one of `ordered`, `strict`, `any`"]),
            (["--steps", "viewed? > added"], ["--steps: these steps cannot be read"]),
            (
                ["--steps", "a > b", "--exclude", "x@2-1"],
                ["--exclude: this exclusion cannot be read", "exclude, column 5:", "  x@2-1\n      ^"]
            ),
            (["--steps", "a > b", "--exclude", "x@1-3"], ["the exclusion `x@1-3` ends after the last step, which is 2"]),
            (["--steps", "a > b", "--compat", "clickhouse", "--order", "strict"], ["--compat does not go with --order strict"]),
            (["--steps", "a > b", "--compat", "clickhouse", "--order", "any"], ["--compat does not go with --order any"]),
            (["--steps", "a > b", "--compat", "clickhouse", "--exclude", "x"], ["--compat does not go with --exclude"]),
            (["--steps", "a > b? > c", "--compat", "clickhouse"], ["--compat does not go with optional steps"]),
            (["--steps", "a > b", "--compat", "clickhouse", "--hold", "props.sku"], ["--compat does not go with --hold"]),
            (["--steps", "a > b", "--compat", "clickhouse", "--count", "attempts"], ["--compat does not go with --count attempts"]),
            (["--steps", "a > b", "--compat", "clickhouse:strict_ordr"], ["--compat: ", "compat, column 12", "`strict_order`"]),
            (["--steps", "a > b", "--breakdown", "plan."], ["--breakdown: `plan.` is not a breakdown", "breakdown, column 6"]),
            (["--steps", "a > b", "--by", ""], ["--by: `` is not a key", "the name of a property"]),
            (["--steps", "a > b", "--hold", "sku"], ["--hold: `sku` is not a property"]),
            (["--steps", "a > b", "--top", "3"], ["--top says how many groups to show: it needs --breakdown"]),
            (["--steps", "a > b", "--breakdown", "props.p", "--top", "0"], ["--top: `0` is not a whole number from 1 to 10000"]),
            (["--steps", "a", "--funnels", "f.json"], ["--steps and --funnels both say what the funnel is"]),
            (["--funnels", "/nowhere/f.json"], ["--funnels: `/nowhere/f.json` cannot be read"]),
            (["--steps", "a > b", "--step-window", "5"], ["--step-window: `5` is not a duration"]),
        ] as [([String], [String])])
    func `a wrong question exits with 2 and says what is wrong`(_ words: [String], _ said: [String]) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let result = try Child.looptrail(["funnel", path] + words)
        #expect(result.status == 2)
        #expect(result.output == "")
        #expect(result.errors.hasPrefix("looptrail funnel: "))
        #expect(result.errors.hasSuffix("See `looptrail help funnel`.\n"))
        for text in said { #expect(result.errors.contains(text), "\(result.errors)") }
    }

    @Test func `a step that does not occur is a warning with the nearest name, and counts 0`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let result = try Child.looptrail(["funnel", path, "--steps", "viewed > aded > zzzzzzz", "--format", "json"])
        #expect(result.status == 0)
        #expect(try counts(result.output) == [4, 0, 0])
        #expect(
            result.complaints == """
                looptrail funnel: warning: no event is named `aded`: did you mean `added`?
                looptrail funnel: warning: no event is named `zzzzzzz`

                """)
        let quiet = try Child.looptrail(["funnel", path, "--steps", "viewed > aded > zzzzzzz", "--format", "json", "--quiet"])
        #expect(quiet.output == result.output)
        #expect(quiet.complaints == "")
    }

    @Test func `a name with a line feed is offered on one line`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.text([Events.line(#"::error::paid\nup"#)]))
        let result = try Child.looptrail(["funnel", path, "--steps", "::error::paidup"])
        #expect(result.errors.contains(#"did you mean `::error::paid\nup`?"#), "\(result.errors)")
        #expect(!result.errors.contains("\nup"))
    }

    @Test func `a step whose events lack the property of :all is a warning, because no value can get there`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let words = ["funnel", path, "--steps", "viewed > added > paid", "--breakdown", "props.price"]
        let result = try Child.looptrail(words.dropLast() + ["props.price:all"])
        #expect(result.status == 0 && result.output.hasPrefix("Funnel   4 pairs of user and value, "), "\(result.output)")
        let said = "nothing gets to step 3 with a value of `props.price:all`: with :all the event of each step must have the property"
        #expect(result.complaints == "looptrail funnel: warning: \(said)\n")
        #expect(try !Child.looptrail(words).errors.contains("nothing gets to"))
    }

    @Test func `no data at all gives zeros`() throws {
        let folder = try TemporaryFolder()
        let empty = try folder.file("e.ndjson", "")
        try FileManager.default.createDirectory(atPath: folder.path("none"), withIntermediateDirectories: false)
        for words in [[empty], [folder.path("none")], ["-"]] {
            let result = try Child.looptrail(["funnel"] + words + ["--format", "json", "--quiet"] + steps)
            #expect(result.status == 0)
            #expect(try counts(result.output) == [0, 0, 0])
            #expect(result.output.contains("\"rate\":null"))
        }
        let implied = try Child.looptrail(["funnel", "--format", "json"] + steps)
        #expect(implied.status == 0)
        #expect(implied.errors.contains("standard input was empty and no PATH was given"))
        for words in [["funnel"] + steps, ["explore", "-o", folder.path("a.html")], ["events"]] {
            let named = try Child.looptrail(words + ["-"])
            let note = "looptrail \(words[0]): standard input was empty: the result counts nothing\n"
            #expect(named.status == 0 && named.errors.contains(note), "\(named.errors)")
        }
    }

    @Test func `a path that leads nowhere is an error that names it`() throws {
        for words in [["/no/such/folder"], ["/no/such/*.ndjson.gz"]] {
            let result = try Child.looptrail(["funnel"] + words + steps)
            #expect(result.status == 1)
            #expect(result.output == "")
            #expect(result.errors.contains(words[0]))
        }
    }

    @Test func `what cannot be read is a warning, and with --strict a failure after the result`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop + "not json\n")
        let lenient = try Child.looptrail(["funnel", path, "--format=json"] + steps)
        #expect(lenient.status == 0)
        #expect(try counts(lenient.output) == [4, 2, 1])
        #expect(lenient.errors.contains("warning: the input has 1 line that cannot be read, left out of the result"))
        let strict = try Child.looptrail(["funnel", path, "--format=json", "--strict", "--quiet"] + steps)
        #expect(strict.status == 3)
        #expect(strict.output == lenient.output)
        #expect(strict.errors.contains("1 line that cannot be read"))
        let sound = try folder.file("s.ndjson", Events.shop)
        #expect(try Child.looptrail(["funnel", sound, "--strict"] + steps).status == 0)
    }

    @Test func `-o writes the file whole, in the format of its ending, and nothing to standard output`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let json = try Child.looptrail(["funnel", path, "--format=json"] + steps).output
        let table = try Child.looptrail(["funnel", path] + steps).output
        for (words, file, expected) in [
            (["-o", folder.path("r.json")], "r.json", json), (["--output=\(folder.path("r.txt"))"], "r.txt", table),
            (["-o\(folder.path("r"))"], "r", table), (["-o", folder.path("x.csv"), "--format", "json"], "x.csv", json),
        ] {
            let result = try Child.looptrail(["funnel", path] + steps + words)
            #expect(result.status == 0 && result.output == "" && result.complaints == "")
            #expect(folder.text(file) == expected)
        }
        #expect(folder.names == ["e.ndjson", "r", "r.json", "r.txt", "x.csv"])
        let nowhere = try Child.looptrail(["funnel", path, "-o", "/no/such/r.json"] + steps)
        #expect(nowhere.status == 1)
        #expect(nowhere.errors.contains("`/no/such/r.json`: No such file or directory"))
    }

    @Test func `without a UTF-8 locale the bars are ASCII`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        for locale in [["LANG": "C"], ["LC_ALL": "POSIX"], ["LANG": ""]] {
            let result = try Child.looptrail(["funnel", path] + steps, environment: locale)
            #expect(result.output.utf8.allSatisfy { $0 < 0x80 })
            #expect(result.output.contains("####"))
        }
    }

    @Test func `COLUMNS bounds every row`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let narrow = try Child.looptrail(["funnel", path] + steps, environment: ["COLUMNS": "60"]).output
        for line in narrow.split(separator: "\n") { #expect(line.count <= 60, "\(line)") }
        let wide = try Child.looptrail(["funnel", path] + steps).output
        #expect(wide.split(separator: "\n").contains { $0.count > 60 })
    }

    @Test func `a reader that has gone is no failure and no message`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let (readEnd, writeEnd) = try Child.makePipe()
        close(readEnd)
        defer { close(writeEnd) }
        let result = try Child.looptrail(["funnel", path] + steps, output: .descriptor(writeEnd))
        #expect(result.status == 0)
        #expect(result.complaints == "")
    }

    @Test func `control characters in names of steps and events never reach the terminal`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.text([Events.line(#"\u001b[31mred\u0007"#)]))
        for arguments in [["funnel", path, "--steps", "\"\u{1B}[31mred\u{07}\" > \"\u{1B}c\""], ["events", path]] {
            let result = try Child.looptrail(arguments)
            #expect(result.status == 0)
            let all = result.output + result.errors
            #expect(all.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
            #expect(all.contains(#"\u{1B}[31mred\u{7}"#))
        }
    }
}
