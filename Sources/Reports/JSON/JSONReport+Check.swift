import Basics
public import EventFiles
import TrackingEvents

extension JSONReport {
    public func text(of check: CheckReport) -> String {
        document { writer in
            writer.breakLine(" ")
            writer.member("sound", check.isSound)
            writer.key("faults")
            writer.object { writer in
                writer.member("damaged_members", check.count(of: .damagedMember))
                writer.member("foreign_bytes", check.count(of: .foreignBytes))
                writer.member("missing_end_members", check.count(of: .missingEndMember))
                writer.member("bad_lines", check.count(of: .badLine))
                writer.member("duplicates", check.count(of: .duplicateID))
                writer.member("unexplained_sequences", check.count(of: .unexplainedGap))
            }
            writer.breakLine(" ")
            writer.key("files")
            writer.array(check.files, onePerLine: true) { write($1, to: &$0) }
            writer.breakLine(" ")
            writer.key("left_out")
            writer.array(check.leftOut) { $0.string($1) }
            writer.breakLine(" ")
            writer.key("gone")
            writer.array(check.gone) { $0.string($1) }
            writer.breakLine(" ")
            writer.key("gaps")
            writer.array(check.firstGaps, onePerLine: true) { writer, gap in
                writer.object { writer in
                    writer.member("session", gap.session)
                    writer.member("first_missing", gap.firstMissing)
                    writer.member("last_missing", gap.lastMissing)
                    writer.member("explained", gap.isExplained)
                    writer.member("file", check.files.indices.contains(gap.file) ? check.files[gap.file].read.path : nil)
                }
            }
            writer.breakLine(" ")
            writeTotals(of: check, to: &writer)
        }
    }

    private func writeTotals(of check: CheckReport, to writer: inout JSONWriter) {
        writer.key("totals")
        writer.object { writer in
            writer.member("files", check.files.count)
            writer.member("bytes", check.bytes)
            writer.member("members", check.members)
            writer.member("lines", check.lines)
            writer.member("events", check.events)
            writer.member("meta_lines", check.metaLines)
            writer.member("timing_lines", check.timingLines)
            writer.member("sessions", check.sessions)
            writer.member("dropped_events", check.droppedEvents)
            writer.member("missing_sequences", check.missingSequences)
            writer.member("clock_steps", check.clockSteps)
            writer.member("largest_clock_step_ms", check.largestClockStep)
        }
    }

    private func write(_ file: CheckReport.File, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("path", file.read.path)
            writer.member("framing", file.read.framing.rawValue)
            writer.member("open", file.read.isOpen)
            writer.member("end_member", file.read.hasEndMember)
            writer.member("bytes", file.read.bytes)
            writer.member("members", file.read.members)
            writer.member("lines", file.read.lines)
            writer.member("bad_lines", file.badLines)
            writer.member("damaged_members", file.read.damagedMembers)
            writer.member("duplicates", file.duplicates)
            writer.member("missing_sequences", file.missingSequences)
            writer.member("clock_steps", file.clockSteps)
            writer.faults(file.read.damage, file.firstBadLines)
        }
    }
}
