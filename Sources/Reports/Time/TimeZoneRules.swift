import Basics
import Funnels

/// The offsets of a time zone from UTC through the years.
///
/// Read from a compiled file of the IANA time zone database, so that the command needs neither Foundation nor the process's own
/// zone: equal input and flags give equal results on every machine with the same database.
public struct TimeZoneRules: Sendable, Hashable {
    /// The zone's name as it was asked for: `Europe/Berlin`.
    public let name: String
    private let table: TimeZoneFileReader.Table

    /// Coordinated universal time; needs no file.
    public static let utc = TimeZoneRules(name: "UTC", .init())

    init(name: String, _ table: TimeZoneFileReader.Table) { (self.name, self.table) = (name, table) }

    /// The rules in a compiled file (TZif, RFC 9636).
    ///
    /// - Parameters:
    ///   - name: how reports call the zone.
    ///   - bytes: the whole file.
    /// - Throws: ``TimeZoneFileError`` if the file has another format or is cut.
    public init(name: String, file bytes: [UInt8]) throws(TimeZoneFileError) {
        var reader = TimeZoneFileReader(bytes)
        self.init(name: name, try reader.table())
    }

    /// How far the zone's clocks are ahead of UTC, in milliseconds; negative west of Greenwich.
    ///
    /// - Parameter milliseconds: since 1970 UTC.
    /// - Complexity: O(log changes)
    public func offset(at milliseconds: Int64) -> Int64 {
        let seconds = CivilDate.floor(milliseconds, 1000)
        let changes = table.changes
        if let later = table.later, changes.last.map({ seconds >= $0 }) ?? true { return later.offset(at: seconds) * 1000 }
        return table.offsets[changes.partitionPoint { $0 > seconds }] * 1000
    }

    /// The moment at which the zone's clocks show a date and time.
    ///
    /// Where they show it twice, because they were set back, it is the first of the two moments. Where they never show it, because
    /// they were set forward past it, the moment is later by as much as they were set.
    ///
    /// - Parameter civil: the date and time as if they were UTC, in milliseconds since 1970.
    public func moment(ofCivil civil: Int64) -> Int64 {
        // No zone has ever been further from UTC than this, and none changes twice within it.
        let day: Int64 = 86_400_000
        let before = offset(at: civil - day)
        let after = offset(at: civil + day)
        for candidate in [before, after] where offset(at: civil - candidate) == candidate { return civil - candidate }
        return civil - before
    }

    /// When clocks are first set between `start` and `end`, which lie no more than a few hours apart; `nil` if they are not set.
    func firstChange(after start: Int64, before end: Int64) -> Int64? {
        let before = offset(at: start)
        if offset(at: end - 1) == before { return nil }
        // Searches over distances, because an `Int` of 32 bits holds no time.
        return start + Int64((0..<Int(end - start)).partitionPoint { offset(at: start + Int64($0)) != before })
    }

    /// The date and time that the zone's clocks show, as if it were UTC: milliseconds since 1970.
    public func civil(at milliseconds: Int64) -> Int64 {
        let (sum, overflow) = milliseconds.addingReportingOverflow(offset(at: milliseconds))
        return overflow ? milliseconds : sum
    }
}

/// A file that holds no time zone.
public struct TimeZoneFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The offset in the file, in bytes.
    public let byteOffset: Int
    /// What stands there or is missing.
    public let description: String
}
