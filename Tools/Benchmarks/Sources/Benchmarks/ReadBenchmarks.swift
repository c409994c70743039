import DeflateReference
import EventFiles
import Foundation

/// The cost of reading and of checking events, beside inflating their files and counting lines in C.
///
/// Measured in processor time, which counts the work and not the number of threads that do it.
struct ReadBenchmarks {
    let events: Int
    let runs: Int

    func run() throws {
        let folder = try SampleFolder(events: events)

        let reader = try EventFileReader(paths: [folder.path])
        var (inflating, counting, checking): ([Double], [Double], [Double]) = ([], [], [])
        // The three take turns, so that a busy moment of the machine affects all of them.
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
