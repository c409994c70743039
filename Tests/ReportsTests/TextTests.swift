import Foundation
import Testing

@testable import Reports

@Suite("Text for people")
struct TextTests {
    @Test(
        "counts have a comma at each thousand",
        arguments: [
            (0, "0"), (999, "999"), (1000, "1,000"), (-16_207, "−16,207"), (.max, "9,223,372,036,854,775,807"),
            (.min, "−9,223,372,036,854,775,808"),
        ]
            as [(Int64, String)])
    func count(number: Int64, text: String) { #expect(NumberFormat.count(number) == text) }

    @Test(
        "only the whole is 100.0% and only nothing is 0.0%",
        arguments: [
            (0, "0.0%"), (1, "100.0%"), (0.223, "22.3%"), (0.9999, "99.9%"), (0.0001, "<0.1%"), (0.9995, "99.9%"), (0.0005, "0.1%"),
        ])
    func percent(share: Double, text: String) { #expect(NumberFormat.percent(share) == text) }

    @Test(
        "durations in at most two units",
        arguments: [
            (0, "0s"), (0.4, "<1ms"), (1, "1ms"), (850, "850ms"), (999.4, "999ms"), (999.6, "1s"), (1000, "1s"), (4_240, "4.2s"),
            (9_949, "9.9s"), (9_960, "10s"), (59_400, "59s"), (59_600, "1m"), (72_000, "1m12s"), (400_000, "6m40s"),
            (599_600, "10m"), (840_000, "14m"), (3_569_000, "59m"), (3_600_000, "1h"), (11_100_000, "3h5m"), (50_400_000, "14h"),
            (86_400_000, "1d"), (187_200_000, "2d4h"), (1_209_600_000, "14d"), (Double(Int64.max), "106,751,991,167d"),
        ])
    func duration(milliseconds: Double, text: String) { #expect(NumberFormat.duration(milliseconds) == text) }

    @Test(
        "bytes in decimal units",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1 kB"), (1234, "1.2 kB"), (460_000_000, "460 MB"), (999_999, "1 MB"), (12_345_678, "12 MB"),
        ] as [(Int64, String)])
    func bytes(bytes: Int64, text: String) { #expect(NumberFormat.bytes(bytes) == text) }

    @Test(
        "bytes go on to the next unit where three digits end",
        arguments: [
            (9_949, "9.9 kB"), (9_960, "10 kB"), (999_499, "999 kB"), (999_500, "1 MB"), (999_499_999, "999 MB"), (1_500_000_000, "1.5 GB"),
            (2_000_000_000_000, "2 TB"), (3_100_000_000_000_000, "3.1 PB"), (.max, "9223 PB"),
        ] as [(Int64, String)])
    func largeBytes(bytes: Int64, text: String) { #expect(NumberFormat.bytes(bytes) == text) }

    @Test(
        "numbers have three digits",
        arguments: [
            (0, "0.000"), (0.0004, "<0.001"), (0.0005, "0.001"), (0.374, "0.374"), (0.9994, "0.999"), (0.9996, "1.00"), (1.12, "1.12"),
            (-0.0004, "−<0.001"), (9.994, "9.99"), (9.996, "10.0"), (25.3, "25.3"), (99.94, "99.9"), (99.96, "100"), (1204.4, "1,204"),
            (-0.5, "−0.500"),
            (-1.5, "−1.50"), (-25.3, "−25.3"), (.infinity, "∞"), (-.infinity, "−∞"), (.nan, "–"), (9.994e14, "999,400,000,000,000"),
            (1e15, "1.00e15"), (-1.754e18, "−1.75e18"), (9.996e17, "1.00e18"), (.greatestFiniteMagnitude, "1.80e308"),
        ] as [(Double, String)])
    func number(number: Double, text: String) { #expect(NumberFormat.number(number) == text) }

    @Test(
        "a probability is 0.000 only where it is nothing",
        arguments: [
            (0, "0.000"), (1e-300, "<0.001"), (0.0004, "<0.001"), (0.0006, "0.001"), (0.0321, "0.032"), (0.05, "0.050"), (0.9996, "1.000"),
            (1, "1.000"),
        ] as [(Double, String)])
    func probability(probability: Double, text: String) { #expect(NumberFormat.probability(probability) == text) }

    @Test(
        "a difference is 0.0 only where there is none",
        arguments: [
            (0, "0.0"), (0.0004, "+<0.1"), (-0.0004, "−<0.1"), (0.0006, "+0.1"), (0.052, "+5.2"), (-0.0421, "−4.2"), (-1, "−100.0"),
            (1, "+100.0"),
        ])
    func points(difference: Double, text: String) {
        #expect(NumberFormat.points(difference) == text)
        #expect(NumberFormat.points(difference, minus: "-") == text.replacing("−", with: "-"))
    }

    @Test("seconds of work", arguments: [(2.94, "2.9 s"), (0.0421, "42 ms"), (0.0999, "0.1 s"), (120, "120 s"), (59.96, "60.0 s")])
    func seconds(seconds: Double, text: String) { #expect(NumberFormat.seconds(seconds) == text) }

    @Test func `dates agree with the calendar for 400 years around the epoch and at the ends of leap years`() {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyy-MM-dd HH:mm:ss"
        for step in 0..<2000 {
            let seconds = -6_000_000_000 + Int64(step) * 6_311_111
            #expect(DateFormat.second(seconds * 1000 + 999) == formatter.string(from: Date(timeIntervalSince1970: Double(seconds))))
        }
        #expect(DateFormat.second(951_782_399_999) == "2000-02-28 23:59:59" && DateFormat.day(951_782_400_000) == "2000-02-29")
        #expect(DateFormat.second(-1) == "1969-12-31 23:59:59")
        #expect(!DateFormat.second(.max).isEmpty && !DateFormat.second(.min).isEmpty)
    }

    @Test(
        "what acts on a terminal is spelled out, what shows is left",
        arguments: [
            ("plain", "plain"), ("a\u{1B}[31mred", #"a\u{1B}[31mred"#), ("a\nb\tc\rd", #"a\nb\tc\rd"#),
            ("\u{7F}\u{9B}2J", #"\u{7F}\u{9B}2J"#),
            ("x\u{202E}gpj.exe", #"x\u{202E}gpj.exe"#), ("\u{2066}a\u{2069}", #"\u{2066}a\u{2069}"#),
            ("\u{200F}\u{FEFF}\u{2028}", #"\u{200F}\u{FEFF}\u{2028}"#),
            ("käse 購入 👩‍👩‍👧 שלום", "käse 購入 👩‍👩‍👧 שלום"), ("\u{E0041}\u{AD}", #"\u{E0041}\u{AD}"#), ("\0", #"\u{0}"#),
        ])
    func visible(text: String, expected: String) { #expect(TerminalText.visible(text) == expected) }

    @Test(
        "columns a text takes",
        arguments: [
            ("", 0), ("abc", 3), ("購入", 4), ("e\u{301}", 1), ("👩‍👩‍👧", 2), ("❤️", 2), ("한국", 4), ("é", 1), ("ｱ", 1), ("Ａ", 2), ("\u{301}", 0),
            ("🇩🇪", 2),
        ])
    func width(text: String, columns: Int) { #expect(TerminalText.width(of: text) == columns) }

    @Test func `a cut text fits and says that it is cut`() {
        #expect(TerminalText.cut("abcdef", to: 4) == "abc…" && TerminalText.cut("abcd", to: 4) == "abcd")
        #expect(TerminalText.cut("購入完了", to: 6) == "購入…")
        #expect(TerminalText.cutStart("abcdef", to: 4) == "…def" && TerminalText.cutStart("abcd", to: 4) == "abcd")
        #expect(TerminalText.cutStart("購入完了", to: 6) == "…完了" && TerminalText.cutStart("abc", to: 1) == "…")
        #expect(TerminalText.padded("購入", to: 5) == "購入 " && TerminalText.rightAligned("12", in: 4) == "  12")
    }

    @Test(
        "bars in eighths, or in hashes",
        arguments: [
            (0, "", ""), (1, "████████", "########"), (0.5, "████", "####"), (0.0001, "▏", "#"), (0.999, "███████▉", "#######"),
            (0.14, "█", "#"), (2, "████████", "########"), (-1, "", ""),
        ])
    func bar(share: Double, blocks: String, hashes: String) {
        #expect(TextStyle().bar(share, columns: 8) == blocks)
        #expect(TextStyle(isASCII: true).bar(share, columns: 8) == hashes)
    }
}
