import Basics
import EventFiles
import TrackingEvents

extension JSONWriter {
    /// What is wrong with a file and where, in the words that `check` and `repair` share.
    mutating func faults(_ damage: [Damage], _ firstBadLines: [CheckResult.BadLineFound]) {
        let damage: [JSONObject] = damage.map {
            ["kind": $0.kind.rawValue, "byte_offset": $0.byteOffset, "bytes": $0.bytes, "message": $0.message]
        }
        let badLines: [JSONObject] = firstBadLines.map {
            ["line": $0.lineNumber, "byte_offset": $0.byteOffset, "problem": $0.problem.description]
        }
        fields(["damage": damage, "first_bad_lines": badLines])
    }
}
