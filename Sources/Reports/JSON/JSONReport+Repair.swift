import Basics
public import EventFiles
import TrackingEvents

extension JSONReport {
    public func text(of repair: RepairReport) -> String {
        document { writer in
            writer.breakLine(" ")
            writer.member("sound", repair.isSound)
            writer.key("files")
            writer.array(repair.files, onePerLine: true) { write($1, to: &$0) }
            writer.breakLine(" ")
            writer.key("totals")
            writer.object { writer in
                writer.member("files", repair.files.count)
                writer.member("saved_lines", repair.savedLines)
                writer.member("salvaged_lines", repair.salvagedLines)
                writer.member("mended_lines", repair.mendedLines)
                writer.member("bad_lines", repair.badLines)
                writer.member("duplicates", repair.duplicates)
                writer.member("damaged_places", repair.damagedPlaces)
                writer.member("unusable_bytes", repair.unusableBytes)
                writer.member("missing_sequences", repair.missingSequences)
                // Gaps in files that nothing damaged: no repair explains them.
                writer.member("unexplained_sequences", repair.check?.unexplainedSequences ?? 0)
            }
        }
    }

    private func write(_ file: RepairReport.File, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("path", file.read.path)
            writer.member("outcome", file.outcome.rawValue)
            writer.member("output", file.output)
            writer.member("original", file.original)
            writer.member("framing", file.read.framing.rawValue)
            writer.member("bytes", file.read.bytes)
            writer.member("output_bytes", file.outputBytes)
            writer.member("lines", file.read.lines)
            writer.member("saved_lines", file.savedLines)
            writer.member("salvaged_lines", file.salvagedLines)
            writer.member("mended_lines", file.mendedLines)
            writer.member("bad_lines", file.badLines)
            writer.member("duplicates", file.duplicates)
            writer.member("damaged_members", file.read.damagedMembers)
            writer.member("missing_sequences", file.missingSequences)
            writer.faults(file.read.damage, file.firstBadLines)
        }
    }
}
