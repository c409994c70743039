import Basics
import Testing

@Suite struct NumbersTests {
    @Test(
        arguments: [
            (0, 16, "0000000000000000"), (255, 2, "ff"), (.max, 16, "ffffffffffffffff"), (0x1234, 2, "1234"), (10, 4, "000a"),
        ] as [(UInt64, Int, String)])
    func `hexadecimal text has zeros in front and never loses a digit`(number: UInt64, digits: Int, text: String) {
        #expect(Hexadecimal.text(number, digits: digits) == text)
        #expect(Hexadecimal.number(text, digits: text.utf8.count) == number)
    }

    @Test(arguments: ["", "0", "000G", "00FF", "+0ff", "-0ff", "00ff0", "٠٠٠١"])
    func `only a text of exactly as many lower-case digits as asked for is a number`(text: String) {
        #expect(Hexadecimal.number(text, digits: 4) == nil)
    }

    @Test(
        arguments: [
            (0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567"), (.min, "-9,223,372,036,854,775,808"),
        ] as [(Int64, String)])
    func `thousands are separated`(number: Int64, text: String) { #expect(GroupedNumber.text(number) == text) }

    @Test func `a count of one takes the singular, and any other count takes the plural`() {
        #expect([0, 1, 2_000].map { GroupedNumber.counted($0, "file") } == ["0 files", "1 file", "2,000 files"])
        #expect(GroupedNumber.counted(2, "entry", "entries") == "2 entries")
    }

    @Test(
        arguments: [
            (.seconds(1), 1_000_000_000, 1000), (.nanoseconds(-1_500_000), -1_500_000, -1), (.seconds(Int64.max), .max, .max),
            (.seconds(Int64.min), .min, .min), (.milliseconds(9_223_372_036_854), 9_223_372_036_854_000_000, 9_223_372_036_854),
        ] as [(Duration, Int64, Int64)])
    func `a duration becomes whole units, or the nearest number that fits`(duration: Duration, nanoseconds: Int64, milliseconds: Int64) {
        #expect(duration.clampedNanoseconds == nanoseconds)
        #expect(duration.clampedMilliseconds == milliseconds)
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.max) * 2])
    func `a sleep that is meant for ever is a hundred years, and shorter ones stay`(duration: Duration) {
        #expect(duration.asSleep == .seconds(3_153_600_000))
        #expect([Duration.seconds(-1), .zero, .milliseconds(5), .seconds(86_400)].allSatisfy { $0.asSleep == $0 })
    }

    @Test func `clamped sums and differences never trap`() {
        #expect(Int64.max.addingClamped(1) == .max)
        #expect(Int64.min.addingClamped(-1) == .min)
        #expect(Int64.min.subtractingClamped(1) == .min)
        #expect(Int64.max.subtractingClamped(-1) == .max)
        #expect((5 as Int).addingClamped(-7) == -2)
    }
}
