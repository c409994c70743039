import Basics
import Funnels
import Reports

extension Invocation {
    /// A function that gives the day of a time in the zone of `--tz`.
    func day() throws(UsageError) -> @Sendable (Int64) -> Range<Int64> {
        let zone = try zone()
        return { CalendarUnit.day.period(of: $0, in: zone) }
    }

    /// The time zone that `--tz` names, or UTC if the command has no such flag.
    ///
    /// - Throws: ``UsageError`` for a zone that the machine does not know or whose file cannot be read.
    func zone() throws(UsageError) -> TimeZoneRules {
        guard let name = arguments[CommonFlags.zone] else { return .utc }
        return try surroundings.zone(named: name)
    }
}

extension Surroundings {
    /// Where systems keep the compiled IANA time zone database.
    static let zoneFolders = [
        "/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo", "/var/db/timezone/zoneinfo",
    ]

    func zone(named name: String) throws(UsageError) -> TimeZoneRules {
        if name == "UTC" { return .utc }
        let folders = (variable("TZDIR").map { [$0] } ?? []) + Self.zoneFolders
        for folder in folders {
            guard let bytes = WholeFile.bytes(of: "\(folder)/\(name)", atMost: 1 << 20) else { continue }
            do throws(TimeZoneFileError) { return try TimeZoneRules(name: name, file: bytes) } catch {
                throw UsageError("--tz: `\(folder)/\(name)` is not a time zone file: at byte \(error.byteOffset): \(error)")
            }
        }
        let known = folders.lazy.compactMap { WholeFile.bytes(of: "\($0)/tzdata.zi", atMost: 1 << 22) }.first.map(Self.zoneNames) ?? []
        if known.isEmpty && !folders.contains(where: { WholeFile.bytes(of: "\($0)/Europe/Berlin", atMost: 1 << 20) != nil }) {
            throw UsageError("--tz: this machine has no time zones (is the package tzdata missing?); `UTC` needs none")
        }
        // `Berlin` is far from `Europe/Berlin` by letters, so a place is looked for first.
        let place = known.first { $0.lowercased().hasSuffix("/" + name.lowercased()) }
        let nearest = place ?? NearestName.find(name, in: known)
        throw UsageError("--tz: there is no time zone `\(name)`" + (nearest.map { ": did you mean `\($0)`?" } ?? ""))
    }

    /// The names of zones (`Z NAME …`) and of links to them (`L TARGET NAME`) in the database's text.
    private static func zoneNames(_ bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count >= 3 else { return nil }
            return words[0] == "Z" ? String(words[1]) : words[0] == "L" ? String(words[2]) : nil
        }
    }
}
