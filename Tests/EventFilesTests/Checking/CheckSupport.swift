import TrackingEvents

@testable import EventFiles

/// Lines for checks.
enum CheckLine {
    static func event(_ session: String, _ sequence: Int, time: Int64? = nil, id: String? = nil) -> String {
        let (time, id) = (time ?? Int64(1000 + sequence), id ?? "\(session)-\(sequence)")
        return #"{"v":1,"t_ms":\#(time),"name":"e","user":"u","session":"\#(session)","seq":\#(sequence),"id":"\#(id)","props":{}}"# + "\n"
    }

    static func dropped(_ sessions: [String: Int], id: String) -> String {
        let entries = sessions.sorted { $0.key < $1.key }.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",")
        let count = sessions.values.reduce(0, +)
        return #"{"v":1,"t_ms":1,"name":"dropped","id":"\#(id)","type":"meta","props":{"count":\#(count),"sessions":{\#(entries)}}}"# + "\n"
    }
}

extension ReadingFolder {
    /// Writes the files and checks them in this order.
    func check(_ files: [(name: String, bytes: [UInt8])], threads: Int = 2) throws -> CheckResult {
        for file in files { try write(file.bytes, file.name) }
        return try EventFileCheck(EventFileReader(paths: files.map { path + "/" + $0.name })).run(threads: threads)
    }
}
