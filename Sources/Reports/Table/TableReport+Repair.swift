public import EventFiles
import TrackingEvents

extension TableReport {
    public func text(of repair: RepairReport) -> String {
        let rows = repair.files.map { file in
            [
                shown(path: file.output ?? file.read.path, atMost: 80), file.outcome.words, number(file.savedLines),
                number(file.salvagedLines),
                number(file.badLines), number(file.read.damagedMembers), number(file.duplicates),
                NumberFormat.count(file.missingSequences),
            ]
        }
        var lines = columns(
            ["file", "outcome", "saved", "salvaged", "bad", "damaged", "duplicates", "missing"], rows, rightAligned: Set(2...7),
            cutsStart: true)
        if rows.isEmpty { lines = ["no files"] }
        for file in repair.files {
            if let original = file.original { lines.append("the damaged file is kept as \(shown(path: original, atMost: 200))") }
        }
        lines.append(verdict(repair))
        return lines.map { $0 + "\n" }.joined()
    }

    private func verdict(_ repair: RepairReport) -> String {
        if repair.files.isEmpty { return "nothing to repair" }
        if repair.isSound { return style.bold("sound") }
        var faults: [String] = []
        let unsaved = repair.files.count { $0.outcome == .nothingSaved }
        if unsaved > 0 { faults.append("\(NumberFormat.counted(unsaved, "file")) of which nothing could be saved") }
        if unsaved == 0 && repair.check == nil { faults.append("nothing to make a file of") }
        if let missing = repair.check?.unexplainedSequences, missing > 0 {
            faults.append("\(NumberFormat.count(missing)) missing by sequence in files that nothing damaged")
        }
        return style.red((["not sound"] + (faults.isEmpty ? [] : [faults.joined(separator: ", ")])).joined(separator: ": "))
    }
}
