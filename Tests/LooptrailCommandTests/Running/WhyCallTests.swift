import Foundation
import Testing

/// `looptrail why` as a process of its own.
@Suite struct WhyCallTests {
    /// A hundred people at the cart, in as many seconds. 45 of the 50 with a coupon pay, and 10 of the 50 without.
    private static let carts: String = {
        var lines: [String] = []
        for user in 0..<100 {
            let (hasCoupon, pays) = (user < 50, user < 45 || user >= 90)
            let props = #"{"coupon":"\#(hasCoupon ? "TEN" : "none")"}"#
            lines.append(Events.line("cart", 86_400 + Int64(user), user: "u\(user)", props: props))
            if pays { lines.append(Events.line("paid", 86_500 + Int64(user), user: "u\(user)")) }
        }
        lines.append(Events.line("first", 0, user: "z"))
        lines.append(Events.line("last", 30 * 86_400, user: "z"))
        return Events.text(lines)
    }()

    private struct Answer: Decodable {
        struct Definition: Decodable {
            var lookBackMs: Int
            var minCount: Int
        }

        struct Candidate: Decodable {
            var kind: String
            var name: String
            var value: String?
            var convertedWith: Int
            var droppedWith: Int
            var oddsRatio: Double
            var ci95: [Double]
            var pValue: Double
            var qValue: Double
        }

        struct Finding: Decodable {
            struct Thing: Decodable, Equatable {
                var kind: String
                var name: String
                var value: String?
            }

            struct Side: Decodable, Equatable {
                var entered: Int
                var converted: Int
                var rate: Double
            }

            var holds: Bool
            var kind: String
            var difference: Double
            var ci95: [Double]
            var pValue: Double
            var qValue: Double
            var unit: String
            var adjustedFor: [String]
            var sentence: String
            var of: [Thing]
            var same: [Thing]
            var with: Side
            var rest: Side
        }

        var definition: Definition
        var step: Int
        var converted: Int
        var dropped: Int
        var candidates: [Candidate]
        var findings: [Finding]
    }

    private func run(_ words: [String]) throws -> Child.Result {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Self.carts)
        return try Child.looptrail(["why", path, "--steps", "cart > paid"] + words)
    }

    @Test func `the keys of the JSON are fixed`() throws {
        let result = try run(["--format", "json"])
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
        let answer = try Answer(snakeCase: result.output)
        let counts: [Int] = [answer.step, answer.converted, answer.dropped]
        #expect(counts == [2, 55, 45])
        #expect(answer.definition.lookBackMs == 86_400_000 && answer.definition.minCount == 30)
        let coupon = try #require(answer.candidates.first { $0.value == "TEN" })
        #expect(coupon.kind == "property" && coupon.name == "props.coupon")
        #expect(coupon.convertedWith == 45 && coupon.droppedWith == 5)
        #expect(abs(coupon.oddsRatio - 36) < 1e-9 && coupon.ci95[0] > 10 && coupon.pValue < 1e-10 && coupon.qValue < 1e-10)
        #expect(answer.candidates.count == 2)
        let finding = try #require(answer.findings.first)
        #expect(answer.findings.count == 1 && finding.of == [.init(kind: "property", name: "props.coupon", value: "none")])
        #expect(
            finding.with == .init(entered: 50, converted: 10, rate: 0.2) && finding.rest == .init(entered: 50, converted: 45, rate: 0.9))
        #expect(finding.holds && finding.kind == "less" && finding.unit == "visits" && finding.adjustedFor == ["day", "events_before"])
        #expect(abs(finding.difference + 0.7) < 1e-9 && finding.ci95[1] < -0.4 && finding.qValue < 1e-4 && finding.pValue <= finding.qValue)
        #expect(finding.sentence.hasPrefix("Visits with props.coupon = none go on 70.0 points less than other visits of the same day"))
        #expect(try Answer(snakeCase: run(["--format", "json", "--top", "1"]).output).candidates.count == 1)
        #expect(try Answer(snakeCase: run(["--format", "json", "--min-count", "51"]).output).candidates.isEmpty)
    }

    @Test func `a table says what goes with what, and never why`() throws {
        let lines = try run(["--quiet"]).output.split(separator: "\n").map(String.init)
        #expect(lines[0].hasPrefix("Why   100 visits, at step 1 (cart) for the first time, 55 went on to step 2 (paid), 45 did not"))
        #expect(lines[1].hasPrefix("what"))
        #expect(lines.contains { $0.hasPrefix("props.coupon = TEN") && $0.contains("81.8%") && $0.contains("11.1%") })
        #expect(lines.contains { $0.hasPrefix("Visits with props.coupon = none go on 70.0 points less than other visits of the same day") })
        #expect(!lines.joined().contains("because"))
        let csv = try run(["--format", "csv"]).output.split(separator: "\r\n")
        #expect(csv[0].hasPrefix("kind,name,value,converted_with") && csv.count == 3)
        for format in ["md", "html"] { #expect(try run(["--format", format]).output.contains("props.coupon = TEN")) }
    }

    @Test(arguments: [
        (["--step", "1"], "nobody goes on to step 1"), (["--step", "3"], "--step 3: the funnel has 2 steps"),
        (["--order", "any"], "why does not go with --order any"), (["--hold", "props.sku"], "unknown flag `--hold`"),
        (["--count", "attempts"], "why does not go with --count attempts"), (["--breakdown", "props.p"], "unknown flag `--breakdown`"),
        (["--look-back", "1"], "--look-back: `1` is not a duration"), (["--min-count", "0"], "--min-count: `0`"),
    ])
    func `what makes no sense is a usage error`(words: [String], message: String) throws {
        let result = try Child.looptrail(["why", "x", "--steps", "cart > paid"] + words)
        #expect(result.status == 2 && result.output == "")
        #expect(result.errors.contains(message), "\(result.errors)")
    }

    @Test func `the help lists only flags that can be given`() throws {
        let help = try Child.looptrail(["why", "--help"]).output
        for flag in ["--hold", "--compat", "--include-open"] { #expect(!help.contains(flag), "\(flag)") }
        #expect(help.contains("--step-window") && help.contains("--min-count"))
    }

    @Test func `no data is no error`() throws {
        let result = try Child.looptrail(["why", "--steps", "cart > paid"], input: .pipe([]))
        #expect(result.status == 0 && result.output.contains("Nobody reached step 1 with the window left to go on"))
    }
}
