import Basics
import Testing

@Suite struct UTCTimeTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_752_999_999_123, "2025-07-20T08:26:39.123Z"), (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"), (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"), (-62_135_596_800_001, "0000-12-31T23:59:59.999Z"),
            (-62_198_755_200_000, "-0001-01-01T00:00:00.000Z"), (253_402_300_800_000, "10000-01-01T00:00:00.000Z"),
            (.max, "292278994-08-17T07:12:55.807Z"), (.min, "-292275055-05-16T16:47:04.192Z"),
        ] as [(Int64, String)])
    func `times are written as in RFC 3339, also before 1970 and with years of more than four digits`(milliseconds: Int64, text: String) {
        let bytes = ByteBuffer(capacity: 32)
        UTCTime.append(milliseconds: milliseconds, to: bytes)
        #expect(String(decoding: bytes.raw, as: UTF8.self) == text)
    }

    @Test func `every day of four centuries has the date that follows the day before`() {
        var date = CivilDate(year: 1600, month: 1, day: 1)
        for days in date.daysSince1970..<date.daysSince1970 + 146_097 {
            #expect(CivilDate(daysSince1970: days) == date && date.daysSince1970 == days)
            date.day += 1
            if date.day > CivilDate.days(of: date.month, year: date.year) { (date.month, date.day) = (date.month + 1, 1) }
            if date.month > 12 { (date.year, date.month) = (date.year + 1, 1) }
        }
        #expect(date == CivilDate(year: 2000, month: 1, day: 1))
    }
}
