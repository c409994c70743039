/// Rows read back as RFC 4180 has them; anything else is an error.
enum CommaSeparated {
    struct NotCommaSeparated: Error {
        let offset: Int
    }

    static func rows(_ text: String) throws -> [[String]] {
        let bytes = Array(text.utf8)
        var rows: [[String]] = []
        var row: [String] = []
        var place = 0
        while place < bytes.count {
            var field: [UInt8] = []
            if bytes[place] == UInt8(ascii: "\"") {
                place += 1
                while true {
                    guard place < bytes.count else { throw NotCommaSeparated(offset: place) }
                    if bytes[place] == UInt8(ascii: "\"") {
                        guard place + 1 < bytes.count, bytes[place + 1] == UInt8(ascii: "\"") else { break }
                        place += 1
                    }
                    field.append(bytes[place])
                    place += 1
                }
                place += 1
            } else {
                while place < bytes.count, bytes[place] != UInt8(ascii: ","), bytes[place] != 0x0D {
                    if bytes[place] == UInt8(ascii: "\"") || bytes[place] == 0x0A { throw NotCommaSeparated(offset: place) }
                    field.append(bytes[place])
                    place += 1
                }
            }
            row.append(String(decoding: field, as: UTF8.self))
            guard place < bytes.count else { throw NotCommaSeparated(offset: place) }
            if bytes[place] == UInt8(ascii: ",") {
                place += 1
            } else {
                guard place + 1 < bytes.count, bytes[place] == 0x0D, bytes[place + 1] == 0x0A else {
                    throw NotCommaSeparated(offset: place)
                }
                place += 2
                rows.append(row)
                row = []
            }
        }
        if !row.isEmpty { throw NotCommaSeparated(offset: place) }
        return rows
    }
}
