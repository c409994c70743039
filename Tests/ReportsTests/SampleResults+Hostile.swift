import Synchronization
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles
@testable import Funnels
@testable import Reports

/// Names that an attacker or an accident could put into data.
enum HostileName: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case script = "</script><script>alert(1)</script>"
    case image = "\"><img src=x onerror='alert(1)'>"
    case style = "</style></title><svg onload=alert(1)>"
    case comment = "<!--"
    case entity = "&lt;b&gt;&#60;"
    case escape = "\u{1B}[2J\u{1B}]0;x\u{7}"
    case control = "a\u{0}b\u{8}c\u{9B}31m\u{7F}"
    case lines = "a\r\n# b\n| c |\n---\u{2028}d"
    case formula = "=HYPERLINK(\"http://x.example\";\"y\")"
    case command = "+cmd|' /C calc'!A0"
    case minus = "-2+3"
    case mention = "@everyone #1 http://x.example www.x.example a@x.example"
    case blanks = "   =1+1"
    case tab = "\t=1+1"
    case invisible = "\u{FEFF}\u{200B}=1"
    case wide = "＝1+1"
    case pipes = "a|b\\|c"
    case backticks = "`a`` ```b"
    case markdown = "**x** _y_ [z](http://x.example) ![i](j) ~~k~~ <u>"
    case commas = "a,\"b\",c"
    case long =
        "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
    case override = "\u{202E}gpj.exe\u{2066}\u{2069}"
    case hebrew = "שלום 12 (a)"
    case arabic = "مرحبا"
    case wideLetters = "購入完了"
    case template = "{{7*7}}${7*7}<%= 7*7 %>"
    case empty = " "

    var testDescription: String { TerminalText.visible(rawValue) }
}

extension SampleResults {
    /// A funnel, a catalogue and a check, with the name at every place that takes text from data.
    static func results(named name: String) throws -> [any Reportable] {
        var input = InputQuality()
        (input.files, input.bytes, input.events, input.firstMilliseconds, input.lastMilliseconds) = (1, 1000, 9, 0, 86_400_000)
        let step = FunnelStep(
            EventPattern(names: .oneOf([name]), tests: [PropertyTest(path: [name], comparison: .equal, value: name)]))
        let funnel = try FunnelDefinition(name: name, steps: [FunnelStep(name), step, FunnelStep("b")], key: .property([name]))
        let catalogue = EventCatalogue(
            entries: [.init(name: name, count: 5, users: 2, firstMilliseconds: 0, lastMilliseconds: 1)], metaLines: 1, timingLines: 2,
            input: input)
        var file = CheckResult.File(read: FileReadResult(path: name))
        file.read.damage = [Damage(kind: .member, byteOffset: 10, bytes: 5, message: name)]
        (file.read.damagedMembers, file.badLines) = (1, 1)
        file.firstBadLines = [CheckResult.BadLineFound(lineNumber: 3, byteOffset: 50, problem: BadLine(.empty, at: 0))]
        var check = CheckResult()
        check.files = [file]
        (check.leftOut, check.gone) = ([name], [name])
        check.firstGaps = [CheckResult.Gap(session: name, firstMissing: 2, lastMissing: 4, isExplained: false, file: 0)]
        return [self.funnel(funnel, counts: [5, 3, 1], milliseconds: [1000, 60_000], input: input), catalogue, check]
    }

    /// Timings with the name wherever they take text.
    static func timings(named name: String) -> TimingCatalogue {
        let times = TimingCatalogue.Entry(
            system: name, event: name, phase: name, count: 2, total: 3, minimum: 1, maximum: 2, p50: 1, p90: 2, p99: 2)
        let total = TimingCatalogue.Entry(
            system: name, event: name, phase: "total", count: 2, total: 3, minimum: 1, maximum: 2, p50: 1, p90: 2, p99: 2)
        return TimingCatalogue(entries: [times, total], lines: 2, system: name, input: InputQuality())
    }

    private static let known = Mutex<[String: [ReportDocument]]>([:])

    /// ``newDocuments(named:)``, made once for each name.
    static func documents(named name: String) throws -> [ReportDocument] {
        if let documents = known.withLock({ $0[name] }) { return documents }
        let documents = try newDocuments(named: name)
        known.withLock { $0[name] = documents }
        return documents
    }

    /// Which of the documents a test tries with a name: by night all. Otherwise the one with all results, and of the results by themselves
    /// every third; names take turns.
    static func places(for name: HostileName) throws -> [Int] {
        let last = try documents(named: name.rawValue).count - 1
        let turn = HostileName.allCases.firstIndex(of: name).map { $0 % 3 }
        return (0...last).filter { isNight || $0 == last || $0 % 3 == turn }
    }

    /// The documents that a test tries with a name.
    static func tried(with name: HostileName) throws -> [ReportDocument] {
        let documents = try documents(named: name.rawValue)
        return try places(for: name).map { documents[$0] }
    }

    /// Each result by itself, and all of them in one document.
    static func newDocuments(named name: String) throws -> [ReportDocument] {
        let results =
            try results(named: name) + [timings(named: name), why(named: name), indexing(of: name), mature(name), explanation(named: name)]
            + PlanReportsTests.results(named: name)
        return results.map { ReportDocument($0) } + [ReportDocument(title: name, results: results)]
    }
}
