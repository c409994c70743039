import Basics
import EventFiles
import TrackingEvents

extension JSONWriter {
    /// What is wrong with a file and where, in the words that `check` and `repair` share.
    mutating func faults(_ damage: [Damage], _ firstBadLines: [CheckResult.BadLineFound]) {
        key("damage")
        array(damage) { writer, damage in
            writer.object { writer in
                writer.member("kind", damage.kind.rawValue)
                writer.member("byte_offset", damage.byteOffset)
                writer.member("bytes", damage.bytes)
                writer.member("message", damage.message)
            }
        }
        key("first_bad_lines")
        array(firstBadLines) { writer, bad in
            writer.object { writer in
                writer.member("line", bad.lineNumber)
                writer.member("byte_offset", bad.byteOffset)
                writer.member("problem", bad.problem.description)
            }
        }
    }
}
