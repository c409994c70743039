import DeflateReference
import EventFiles
import Foundation

/// What it costs to read and to check a million events, beside inflating and counting lines in C.
///
/// Processor time, because the two are compared by the work they do and not by how many threads do it.
struct ReadBenchmarks {
    let events: Int
    let runs: Int

    func run() throws {
        let folder = try SampleFolder(events: events)

        let reader = try EventFileReader(paths: [folder.path])
        var (inflating, counting, checking): ([Double], [Double], [Double]) = ([], [], [])
        // In turns, so that a machine that is busy for a while is so for all.
        for run in 0...runs {
            let start = processorSeconds()
            let inflated = folder.files.reduce(0) { $0 + inflate_and_count_lines($1) }
            let afterInflating = processorSeconds()
            var counted = 0
            _ = try reader.read(threads: 1, map: { $0.lineCount }, consume: { counted += $0 })
            let afterCounting = processorSeconds()
            let checked = try EventFileCheck(reader).run(threads: 1)
            let end = processorSeconds()
            precondition(inflated == events && counted == events && checked.lines == events)
            if run == 0 { continue }
            inflating.append(afterInflating - start)
            counting.append(afterCounting - afterInflating)
            checking.append(end - afterCounting)
        }
        var table = Table(
            "**Reading**, \(thousands(Double(events))) events, every CRC checked, processor time", comparedWith: "inflating alone")
        table.add(Measurement(name: "inflate and count lines in C (zlib), one thread", events: events, seconds: inflating))
        table.add(Measurement(name: "`EventFileReader`, counting lines, one thread", events: events, seconds: counting))
        table.add(Measurement(name: "`EventFileCheck`, one thread", events: events, seconds: checking))
        table.show()
    }
}
