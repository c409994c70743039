/// Lines of events for the command to read.
enum Events {
    /// Noon of 1 January 2026 in UTC, in milliseconds since 1970.
    static let start: Int64 = 1_767_268_800_000

    /// One event as a line without its line feed.
    static func line(
        _ name: String, _ seconds: Int64 = 0, user: String? = "u1", id: String? = nil, props: String = "{}", more: String = ""
    ) -> String {
        var line = #"{"v":1,"t_ms":\#(start + seconds * 1000),"name":"\#(name)""#
        if let user { line += #","user":"\#(user)""# }
        if let id { line += #","id":"\#(id)""# }
        return line + more + #","props":\#(props)}"#
    }

    static func text(_ lines: [String]) -> String { lines.map { "\($0)\n" }.joined() }

    /// Four people view, two of them add ten seconds later, one pays a minute after that.
    static let shop: String = {
        var lines = (1...4).map { line("viewed", Int64($0), user: "u\($0)", id: "v\($0)", props: #"{"price":\#($0 * 10)}"#) }
        lines += (1...2).map { line("added", Int64($0) + 10, user: "u\($0)", id: "a\($0)", props: #"{"price":\#($0 * 10)}"#) }
        lines.append(line("paid", 71, user: "u1", id: "p1", props: #"{"total":9.5}"#))
        return text(lines)
    }()
}
