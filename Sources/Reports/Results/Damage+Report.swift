import Basics
import EventFiles
import TrackingEvents

extension JSONObject {
    /// What is wrong with a file and where, in the words that `check` and `repair` share.
    static func faults(_ damage: [Damage], _ firstBadLines: [CheckResult.BadLineFound]) -> JSONObject {
        [
            "damage": damage.map {
                ["kind": $0.kind.rawValue, "byte_offset": $0.byteOffset, "bytes": $0.bytes, "message": $0.message] as JSONObject
            },
            "first_bad_lines": firstBadLines.map {
                ["line": $0.lineNumber, "byte_offset": $0.byteOffset, "problem": $0.problem.description] as JSONObject
            },
        ]
    }
}
