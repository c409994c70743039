import Basics
import EventFiles
import Foundation
import ParquetFiles
import Testing
import TrackingEvents

@testable import Funnels

/// A result never depends on whether a summary was there.
@Suite struct SummaryReadingTests {
    /// Event files of random lines in a folder of their own. Releasing the object removes the folder.
    private final class Folder {
        let path = NSTemporaryDirectory() + "looptrail-summaries-\(UUID().uuidString)"
        private(set) var files: [String] = []

        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func write(_ lines: [String], _ name: String, linesPerMember: Int) throws {
            let deflater = BGZFDeflater(level: 1)
            let output = ByteBuffer(capacity: 1024)
            for start in stride(from: 0, to: lines.count, by: linesPerMember) {
                let text = lines[start..<min(start + linesPerMember, lines.count)].map { $0 + "\n" }.joined()
                Array(text.utf8).withUnsafeBufferPointer { deflater.appendMember(of: $0, to: output) }
            }
            output.append(BGZF.endMember)
            try Data(output.bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
            files.append("\(path)/\(name)")
        }

        func reader(summaries: Bool) throws -> EventFileReader {
            var reader = try EventFileReader(paths: [path])
            reader.usesSummaries = summaries
            return reader
        }
    }

    private static let definitions: [FunnelDefinition] = {
        func make(_ steps: String, _ change: (inout FunnelDefinition) throws -> Void = { _ in }) -> FunnelDefinition {
            var definition = try! FunnelDefinition(steps: FunnelStep.parse(steps), windowMilliseconds: 60_000)
            try! change(&definition)
            return definition
        }
        return [
            make("a > b > c"), make("a[price>=50] > b[sku=A1]"), make("* > b[order.deep.x=1]"), make("a[order~1] > *[k3!=1]?  > d"),
            try! FunnelDefinition(steps: FunnelStep.parse("a > b"), key: .session),
            try! FunnelDefinition(steps: FunnelStep.parse("a > b"), key: .system),
            try! FunnelDefinition(steps: FunnelStep.parse("a > b"), key: .property(["sku"])),
            try! FunnelDefinition(steps: FunnelStep.parse("a > b > c"), order: .strict),
            try! FunnelDefinition(steps: FunnelStep.parse("a > c"), hold: ["price"]),
            try! FunnelDefinition(steps: FunnelStep.parse("a > c"), exclusions: [FunnelExclusion.parse("d[price<60]")]),
            try! FunnelDefinition(steps: FunnelStep.parse("a > b"), breakdown: FunnelBreakdown(path: ["order", "ID"], attribution: .last)),
            try! FunnelDefinition(steps: FunnelStep.parse("a > b"), breakdown: FunnelBreakdown(path: ["price"], attribution: .all)),
            make("a > b[session.os.name=Linux] > c[session.app!=x]?  > d"), make("a[pric>1] > b[session.ap=x]"),
            try! FunnelDefinition(steps: FunnelStep.parse("a > b"), breakdown: FunnelBreakdown(path: ["ap"])),
            try! FunnelDefinition(steps: FunnelStep.parse("a > b"), key: .context(["os", "name"])),
            try! FunnelDefinition(steps: FunnelStep.parse("a > b"), breakdown: FunnelBreakdown(path: ["app"], in: .session)),
            try! FunnelDefinition(steps: FunnelStep.parse("a > b"), breakdown: FunnelBreakdown.parse("sku,price:last")),
            try! FunnelDefinition(steps: FunnelStep.parse("a > b"), breakdown: FunnelBreakdown.parse("session.app,order.ID")),
        ]
    }()

    /// The answers to every kind of question, and what the pass says of its files.
    private struct Answers: Equatable {
        var results: [FunnelResult]
        var alone: [FunnelResult]
        var overview: EventCatalogue
        var catalogue: EventCatalogue
        var paths: EventPaths
        var members: FunnelPeople
        var properties: [PropertyCatalogue]
        var sessions: PropertyCatalogue
        var trends: [FunnelTrend]
        var pageTrends: [FunnelTrend]
        var pageResults: [FunnelResult]
        var retention: [Retention]
        var why: [Why]
        var partial: [UInt8]
        var files: [FileReadResult]
    }

    private static func minute(_ time: Int64) -> Range<Int64> {
        let start: Int64 = time - time % 60_000
        return start..<start + 60_000
    }

    private static let minutes = CalendarPeriods(start: { minute($0).lowerBound }, next: { $0 + 60_000 })

    private static func whys(_ definitions: [FunnelDefinition]) -> [WhyDefinition] {
        definitions.compactMap { try? WhyDefinition($0, minCount: 1, besideFunnel: true) }
    }

    /// - Parameter alone: the definitions that are also counted one at a time, and for which ``WhyDefinition`` is asked.
    private func answers(
        _ reader: EventFileReader, _ definitions: [FunnelDefinition] = [definitions[0]], alone: [FunnelDefinition] = [definitions[0]]
    ) throws -> (Answers, used: Int) {
        let outcome = try FunnelRun(definitions).results(reading: reader, threads: 2)
        let overview = try FunnelRun([Self.definitions[1]]).overview(reading: reader, threads: 3)
        let page = try FunnelRun(definitions).overview(reading: reader, threads: 2, period: Self.minute)
        let retention = try ["a", "b[price>=50]"].map { returning in
            try RetentionDefinition(
                start: FunnelStep.parse("a")[0].pattern, returning: FunnelStep.parse(returning)[0].pattern, periods: 3,
                breakdown: FunnelBreakdown(path: ["sku"]))
        }
        let context = try FunnelContext.prepared(definitions[0], reading: reader, threads: 1)
        let trends = try FunnelRun(definitions).trends(reading: reader, period: Self.minute).trends
        let kept = try retention.map { try RetentionRun($0, every: Self.minutes).answer(reading: reader).answer }
        let why = try Self.whys(alone).map { try $0.answer(reading: reader).answer }
        let properties = try ["a", "b", "b\"q"].map { try PropertyRun(name: $0).answer(reading: reader).answer }
        let answers = Answers(
            results: outcome.results,
            // A pass for one funnel reads less of the rows than a pass for several.
            alone: try alone.flatMap { try FunnelRun([$0]).results(reading: reader, threads: 1).results },
            overview: overview.catalogue,
            catalogue: try CatalogueRun().answer(reading: reader, threads: 1).answer,
            paths: try PathsDefinition(from: "a").answer(reading: reader).answer,
            members: try FunnelRun([definitions[0]]).members(.reached(step: 1), reading: reader).members,
            properties: properties, sessions: try PropertyRun.sessions.answer(reading: reader).answer, trends: trends,
            pageTrends: page.trends, pageResults: page.results, retention: kept, why: why,
            partial: try FunnelPartial.counted(context, part: FunnelPart(1, of: 1), reading: reader, threads: 2).partial.bytes,
            files: outcome.reading.files)
        return (answers, outcome.reading.summariesUsed)
    }

    /// With `LOOPTRAIL_FUZZ_INPUTS` there are 60 seeds, and every definition is counted alone, too, not only the random ones. Seed 24
    /// damages a column that only the look for a misspelt property reads.
    private static let isNight = ProcessInfo.processInfo.environment["LOOPTRAIL_FUZZ_INPUTS"] != nil
    private static let seeds = isNight ? Array(0..<60) : [0, 1, 24]

    @Test(arguments: seeds) func summariesChangeNothing(seed: Int) throws {
        let folder = try Folder()
        var lines = HostileLines(seed: UInt64(seed))
        let files = Int(lines.random.next() % 5) + 1
        let (isNative, copies) = (seed % 3 != 0, seed % 4 == 1)
        for number in 1...files {
            let name = seed % 5 == 4 ? "part-\(number).ndjson.gz" : "events-0123456789abcdef-\(String(format: "%010d", number)).ndjson.gz"
            try folder.write(
                lines.lines(Int(lines.random.next() % 400), isNative: isNative, copies: copies), name,
                linesPerMember: [1, 7, 60, 150][Int(lines.random.next() % 4)])
        }
        var questions = RandomQuestions(seed: UInt64(seed))
        let random = questions.definitions(6)
        let definitions = Self.definitions + random
        let alone = Self.isNight ? definitions : random
        let wanted = try answers(folder.reader(summaries: false), definitions, alone: alone)
        #expect(wanted.used == 0)
        let report = EventFileIndexer(try EventFileReader(paths: [folder.path]), keepsProperties: seed % 2 == 0).run(threads: 2)
        #expect(report.made == files, "\(report)")
        let (found, used) = try answers(folder.reader(summaries: true), definitions, alone: alone)
        #expect(used == files)
        #expect(found == wanted.0)

        // Some summaries are removed, some are damaged, and some are replaced by a copy of their segment.
        for path in folder.files {
            switch lines.random.next() % 4 {
            case 0: try FileManager.default.removeItem(atPath: path + ".parquet")
            case 1:
                var bytes = try Data(contentsOf: URL(fileURLWithPath: path + ".parquet"))
                bytes[Int(lines.random.next() % UInt64(bytes.count))] ^= 1 << UInt8(lines.random.next() % 8)
                try bytes.write(to: URL(fileURLWithPath: path + ".parquet"))
            case 2:
                try FileManager.default.removeItem(atPath: path + ".parquet")
                try FileManager.default.copyItem(atPath: path, toPath: path + ".parquet")
            default: break
            }
        }
        #expect(try answers(folder.reader(summaries: true), definitions, alone: alone).0 == wanted.0)
    }

    @Test func whoValidatesLinesReadsThem() throws {
        let folder = try Folder()
        let sound = #"{"v":1,"t_ms":1,"name":"a","user":"u"}"#
        try folder.write([sound, sound.dropLast() + #","props":{"x":tru}}"#], "x.ndjson.gz", linesPerMember: 9)
        #expect(EventFileIndexer(try folder.reader(summaries: true)).run().made == 1)
        var reader = try folder.reader(summaries: true)
        #expect(try CatalogueRun().answer(reading: reader).answer.input.badLines == 0)
        reader.validatesLines = true
        let outcome = try CatalogueRun().answer(reading: reader)
        #expect(outcome.answer.input.badLines == 1)
        #expect(outcome.reading.summariesUsed == 0)
    }

    @Test(arguments: [1, 7, 8, 17]) func `a summary is used, however few rows it has`(rows: Int) throws {
        let folder = try Folder()
        try folder.write((1...rows).map { #"{"t_ms":\#($0),"name":"a","user":"u"}"# }, "x.ndjson.gz", linesPerMember: 9)
        #expect(EventFileIndexer(try folder.reader(summaries: true)).run().made == 1)
        let (found, used) = try answers(folder.reader(summaries: true))
        #expect(try used == 1 && found == answers(folder.reader(summaries: false)).0)
    }

    @Test(arguments: ["a[nope=1] > b", "a > b"]) func `the summary knows that no event has a property, and no line is read`(
        steps: String
    ) throws {
        let folder = try Folder()
        var lines = HostileLines(seed: 9)
        try folder.write(lines.lines(50, isNative: true, copies: false), "x.ndjson.gz", linesPerMember: 9)
        #expect(EventFileIndexer(try folder.reader(summaries: true)).run().made == 1)
        let definition = try FunnelDefinition(
            steps: FunnelStep.parse(steps), breakdown: FunnelBreakdown(path: ["nope"], attribution: .first))
        #expect(try FunnelRun([definition]).results(reading: folder.reader(summaries: true)).reading.summariesUsed == 1)
    }

    @Test(arguments: ["a[order=1]", "a[session.order=1]"]) func `an object occurs where a property in it does, from a summary too`(
        steps: String
    ) throws {
        let folder = try Folder()
        // The object comes after the events and sessions among which the nearest to a missing property is looked for.
        let lines = (1...41).flatMap { number -> [String] in
            [#""session_started","type":"meta""#, #""a""#].map { name -> String in
                let props = number == 41 ? #"{"order":{"id":1}}"# : #"{"q":1}"#
                return #"{"t_ms":\#(number),"name":\#(name),"user":"u","session":"s\#(number)","props":\#(props)}"#
            }
        }
        try folder.write(lines, "x.ndjson.gz", linesPerMember: 100)
        #expect(EventFileIndexer(try folder.reader(summaries: true)).run().made == 1)
        let run = FunnelRun([try FunnelDefinition(steps: FunnelStep.parse(steps))])
        for usesSummaries in [false, true] {
            let outcome = try run.results(reading: folder.reader(summaries: usesSummaries))
            #expect(outcome.results[0].unseenPaths.isEmpty && outcome.reading.summariesUsed == (usesSummaries ? 1 : 0))
        }
    }

    @Test func `files with many properties in sum are read from their summaries, also beside a file without one`() throws {
        let folder = try Folder()
        for file in 0..<60 {
            let props = (0..<20).map { #""k\#($0)":\#(file)"# }.joined(separator: ",")
            let line = #"{"t_ms":1767225600000,"name":"a","user":"u\#(file)","props":{\#(props)}}"#
            try folder.write(Array(repeating: line, count: 8), "\(file).ndjson.gz", linesPerMember: 9)
        }
        #expect(EventFileIndexer(try folder.reader(summaries: true)).run().made == 60)
        try FileManager.default.removeItem(atPath: folder.files[7] + ".parquet")
        let (lines, summaries) = try (folder.reader(summaries: false), folder.reader(summaries: true))
        let run = PropertyRun(name: "a")
        let properties = try run.answer(reading: summaries)
        #expect(try properties.reading.summariesUsed == 59 && properties.answer == run.answer(reading: lines).answer)
        let definition = try FunnelDefinition(steps: FunnelStep.parse("a[k30=1] > b"))
        let question = try WhyDefinition(definition, minCount: 1)
        let why = try question.answer(reading: summaries)
        #expect(try why.reading.summariesUsed == 59 && why.answer == question.answer(reading: lines).answer)
        // The search for what a misspelt property may mean looks at the summaries alone.
        let plan = CompiledFunnel([definition])
        let sample = try summaries.read(
            plan.sampleNeeds, threads: 1, progress: nil, into: { _ in PathSample(plan) }, consume: { _ in })
        #expect(sample.summariesUsed == 59 && sample.files.count == 59)
        let found = try FunnelRun([definition]).results(reading: summaries).results
        #expect(try found == FunnelRun([definition]).results(reading: lines).results && found[0].unseenPaths.first?.nearest != nil)
    }

    @Test func `beside a pipe, which cannot be read again, lines are read in place of summaries`() throws {
        let folder = try Folder()
        let line = #"{"t_ms":1767225600000,"name":"a","user":"u"}"#
        try folder.write(Array(repeating: line, count: 9), "x.ndjson.gz", linesPerMember: 9)
        #expect(EventFileIndexer(try folder.reader(summaries: true)).run().made == 1)
        let pipe = folder.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        Thread.detachNewThread {
            let writer = FileHandle(forWritingAtPath: pipe)
            try? writer?.write(contentsOf: Data((line + "\n").utf8))
            try? writer?.close()
        }
        let outcome = try CatalogueRun().answer(reading: EventFileReader(paths: [folder.path, pipe]))
        #expect(outcome.reading.summariesUsed == 0 && outcome.answer.input.events == 10)
    }

    @Test func `progress adds up over files with a summary and files without one`() throws {
        let folder = try Folder()
        var lines = HostileLines(seed: 5)
        for file in 0..<4 { try folder.write(lines.lines(50, isNative: true, copies: false), "\(file).ndjson.gz", linesPerMember: 20) }
        #expect(EventFileIndexer(try folder.reader(summaries: true)).run().made == 4)
        try FileManager.default.removeItem(atPath: folder.files[1] + ".parquet")
        var seen: [ReadProgress] = []
        let reading = try CatalogueRun().answer(reading: folder.reader(summaries: true), progress: { seen.append($0) }).reading
        #expect(reading.summariesUsed == 3 && seen.last == ReadProgress(bytes: reading.bytes, lines: reading.lines))
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.bytes <= $1.bytes && $0.lines <= $1.lines })
    }

    @Test func `where an event has more properties than are told apart, lines decide which are`() throws {
        let folder = try Folder()
        let props = (0..<PropertyCatalogue.keyLimit + 100).map { #""k\#($0)":1"# }.joined(separator: ",")
        let line = #"{"t_ms":1767225600000,"name":"a","user":"u","props":{\#(props)}}"#
        try folder.write(Array(repeating: line, count: 8), "x.ndjson.gz", linesPerMember: 2)
        try folder.write([line], "y.ndjson.gz", linesPerMember: 2)
        #expect(EventFileIndexer(try folder.reader(summaries: true)).run().made == 2)
        try folder.write([line, line], "y.ndjson.gz", linesPerMember: 2)
        let found = try PropertyRun(name: "a").answer(reading: folder.reader(summaries: true))
        #expect(found.reading.ignoredSummaries.count == 1, "the first reading met a summary that is not of its segment")
        #expect(found.reading.summariesUsed == 0 && found.answer.hasMoreKeys)
        #expect(try found.answer == PropertyRun(name: "a").answer(reading: folder.reader(summaries: false)).answer)
    }

    @Test(arguments: [
        #"{"k":"","k":{"a":1}}"#, #"{"k":{"a":1},"k":""}"#, #"{"k":{"a":1},"k":{"a":2}}"#, #"{"k":{"b":{"c":1}},"k":{"b":0,"b":{"c":3}}}"#,
        #"{"k":{"a":1},"k":{}}"#, #"{"k":{"a":1},"k":{ }}"#, #"{"k":7,"k":{"a":1},"\u006b":null}"#, #"{"k":{ }}"#,
    ]) func `of a key that stands twice the last value counts, from a summary too`(properties: String) throws {
        let folder = try Folder()
        let others = Array(repeating: #"{"k":{"a":1,"b":{"c":2}},"q":1}"#, count: 7)
        let lines = ([properties] + others).map { #"{"t_ms":1767225600000,"name":"a","user":"u","props":\#($0)}"# }
        try folder.write(lines, "x.ndjson.gz", linesPerMember: 9)
        #expect(EventFileIndexer(try folder.reader(summaries: true)).run().made == 1)
        let (wanted, found) = try (folder.reader(summaries: false), folder.reader(summaries: true))
        let fromSummary = try PropertyRun(name: "a").answer(reading: found)
        #expect(fromSummary.reading.summariesUsed == 1)
        #expect(try fromSummary.answer == PropertyRun(name: "a").answer(reading: wanted).answer)
        for step in ["a[k.a=1]", "a[k.a=2]", "a[k.b.c=3]", "a[k.b.c=1]", #"a[k=""]"#] {
            let run = FunnelRun([try FunnelDefinition(steps: FunnelStep.parse(step + " > a"))])
            #expect(try run.results(reading: found).results == run.results(reading: wanted).results, "\(step)")
        }
    }

    @Test func `properties that only look alike are two, from a summary too`() throws {
        let folder = try Folder()
        let props = "{\"\u{E9}\":\"x\",\"e\u{301}\":\"y\"}"
        let line = "{\"t_ms\":1767225600000,\"name\":\"a\",\"user\":\"u\",\"props\":\(props)}"
        try folder.write(Array(repeating: line, count: 8), "x.ndjson.gz", linesPerMember: 9)
        #expect(EventFileIndexer(try folder.reader(summaries: true)).run().made == 1)
        let run = FunnelRun(
            try ["\u{E9}=x", "\u{E9}=y", "e\u{301}=y", "e\u{301}=x"].map { try FunnelDefinition(steps: FunnelStep.parse("a[\($0)]")) })
        for usesSummaries in [false, true] {
            let outcome = try run.results(reading: folder.reader(summaries: usesSummaries))
            #expect(outcome.results.map(\.entered) == [1, 0, 1, 0] && outcome.reading.summariesUsed == (usesSummaries ? 1 : 0))
        }
    }

    @Test func `a line that repeats a session's rate does not hide the session's context, indexed or not`() throws {
        let folder = try Folder()
        for (session, isSampled) in [("s", true), ("t", false)] {
            func line(_ name: String, _ time: Int, _ rest: String) -> String {
                #"{"t_ms":\#(time),"name":"\#(name)","user":"\#(session)","session":"\#(session)"\#(rest)}"#
            }
            let head = line("session_started", 1, #","type":"meta","props":{"platform":"ios"}"#)
            let again = line("session_started", 2, #","type":"meta","props":{"sample_rate":0.5,"repeat":true}"#)
            let others = Array(repeating: line("a", 3, #","props":{"k":{"a":1},"q":1}"#), count: 7)
            try folder.write([head] + (isSampled ? [again] : []) + others, "\(session).ndjson.gz", linesPerMember: 9)
        }
        #expect(EventFileIndexer(try folder.reader(summaries: true)).run().made == 2)
        let run = FunnelRun([try FunnelDefinition(steps: FunnelStep.parse("a[session.platform=ios]"))])
        for usesSummaries in [false, true] {
            let outcome = try run.results(reading: folder.reader(summaries: usesSummaries))
            #expect(outcome.results[0].entered == 2 && outcome.reading.summariesUsed == (usesSummaries ? 2 : 0))
            let events = try CatalogueRun().answer(reading: folder.reader(summaries: usesSummaries)).answer
            #expect(outcome.results[0].input.sampleRate == 0.5 && events.input.sampleRate == 0.5, "the smallest rate of all files")
        }
    }

    @Test func aStaleSummaryIsIgnoredAndNamed() throws {
        let folder = try Folder()
        var lines = HostileLines(seed: 9)
        try folder.write(lines.lines(50, isNative: true, copies: false), "x.ndjson.gz", linesPerMember: 9)
        #expect(EventFileIndexer(try folder.reader(summaries: true)).run().made == 1)
        try folder.write(lines.lines(50, isNative: true, copies: false), "x.ndjson.gz", linesPerMember: 9)
        let outcome = try FunnelRun([Self.definitions[0]]).results(reading: folder.reader(summaries: true))
        #expect(outcome.reading.summariesUsed == 0)
        #expect(outcome.reading.ignoredSummaries.count == 1)
        #expect(outcome.reading.ignoredSummaries.first?.contains("x.ndjson.gz.parquet: the segment is not the one") == true)
        #expect(try outcome.results == FunnelRun([Self.definitions[0]]).results(reading: folder.reader(summaries: false)).results)
        #expect(EventFileIndexer(try folder.reader(summaries: true)).run().made == 1, "the index makes a new one")
        #expect(try FunnelRun([Self.definitions[0]]).results(reading: folder.reader(summaries: true)).reading.summariesUsed == 1)
    }

    @Test(arguments: [Int64.max, .min, (1 << 53) + 1, -(1 << 53) - 1])
    func `a summary with a time that no line can have is ignored and named`(time: Int64) throws {
        let folder = try Folder()
        try folder.write((1...8).map { #"{"t_ms":\#($0),"name":"a","user":"u\#($0 % 3)"}"# }, "x.ndjson.gz", linesPerMember: 9)
        #expect(EventFileIndexer(try folder.reader(summaries: true)).run().made == 1)
        try write(time, ontoSummaryOf: folder.files[0])
        let (found, used) = try answers(folder.reader(summaries: true))
        #expect(try used == 0 && found == answers(folder.reader(summaries: false)).0)
        let reading = try CatalogueRun().answer(reading: folder.reader(summaries: true)).reading
        #expect(reading.ignoredSummaries.count == 1 && reading.ignoredSummaries[0].contains("a time that a line can have"))
    }

    /// Writes the summary of lines without properties anew, with right checksums and another time in its last row.
    private func write(_ time: Int64, ontoSummaryOf path: String) throws {
        let file = try #require(try SegmentSummary.open(forSegmentAt: path, on: PosixFileSystem())).file
        let builders = try file.columns.indices.map { column in
            let (values, builder) = (try file.values(ofColumn: column, inGroup: 0), ColumnBuilder(file.columns[column]))
            for index in 0..<values.count {
                let row = values.present.map { Int($0[index]) } ?? index
                let isReplaced = values.column.name == "t_ms" && row == values.rows - 1
                switch values.storage {
                case .integers(let numbers): builder.append(isReplaced ? time : numbers[index], row: row)
                case .texts(let texts, let codes): builder.append(texts[Int(codes[index])], row: row)
                case .doubles, .flags: break
                }
            }
            return builder
        }
        let bytes = ByteBuffer(capacity: 4096)
        let writer = ParquetFileWriter<Never>(columns: file.columns) { bytes.append($0) }
        writer.append(builders, rows: file.groupRows[0])
        writer.append(region: try file.region(0).bytes)
        writer.finish(metadata: file.metadata.filter { $0.key.hasPrefix("looptrail") })
        try Data(bytes.bytes).write(to: URL(fileURLWithPath: path + SegmentSummary.ending))
    }

    @Test func onlyIDsThatTwoFilesHaveAreCompared() throws {
        func compared(copies: Bool, names: [String]) throws -> [ComparedIDs] {
            let folder = try Folder()
            var lines = HostileLines(seed: 3)
            let all = lines.lines(300, isNative: true, copies: false)
            // Every second line goes to the other file, so that the ranges of ids overlap.
            try folder.write(all.indices.filter { $0 % 2 == 0 }.map { all[$0] }, names[0], linesPerMember: 50)
            let copy = all.indices.first { $0 % 2 == 0 && all[$0].contains(#""name":"a""#) && all[$0].hasSuffix("}}") }
            let others = all.indices.filter { $0 % 2 == 1 || copies && $0 == copy }
            try folder.write(others.map { all[$0] }, names[1], linesPerMember: 50)
            let reader = try folder.reader(summaries: true)
            _ = EventFileIndexer(reader).run()
            return SummaryProof.comparedIDs(reader.openSummaries().all) { _, error in Issue.record(error) }
        }
        let native = ["events-0123456789abcdef-0000000001.ndjson.gz", "events-fedcba9876543210-0000000001.ndjson.gz"]
        for names in [native, ["one.ndjson.gz", "two.ndjson.gz"]] {
            #expect(try compared(copies: false, names: names).map(\.mostIDs) == [0, 0])
            #expect(try compared(copies: true, names: names).map(\.mostIDs) == [1, 1])
        }
    }

    /// Some lines stand twice in their own file, and some also once or twice in another file. Each is counted once.
    @Test func repeatedLinesAreCountedOnceInAFileAndInTwo() throws {
        let folder = try Folder()
        var lines = HostileLines(seed: 8)
        let files = (0..<4).map { _ in lines.lines(40, isNative: true, copies: false) }
        for (number, own) in files.enumerated() {
            let others = files[(number + 1) % files.count]
            try folder.write(own + others.prefix(9) + own.suffix(7) + others.prefix(3), "part-\(number).ndjson.gz", linesPerMember: 11)
        }
        let wanted = try answers(folder.reader(summaries: false)).0
        #expect(wanted.overview.input.duplicates > 4 * 7)
        #expect(EventFileIndexer(try folder.reader(summaries: true)).run().made == files.count)
        let (found, used) = try answers(folder.reader(summaries: true))
        #expect(found == wanted && used == files.count)
    }

    @Test func `a summary whose ids are damaged is ignored and named, also by a question that reads them late`() throws {
        let folder = try Folder()
        let ids = ["apple", "fig", "grape", "kiwi", "lemon", "melon", "peach", "plum", "zebra"]
        let lines = ids.enumerated().map { #"{"t_ms":\#($0),"name":"a","user":"u","id":"\#($1)"}"# }
        try folder.write(lines, "x.ndjson.gz", linesPerMember: 9)
        #expect(EventFileIndexer(try folder.reader(summaries: true)).run().made == 1)
        let path = folder.files[0] + ".parquet"
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        // The smallest and the largest id stand in the footer, too.
        let id = try #require(bytes.range(of: Data("melon".utf8)))
        bytes[id.lowerBound] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))
        let run = try ExplainRun(FunnelDefinition(steps: FunnelStep.parse("a > b")))
        let (found, reading) = try run.explanation(of: "u", reading: folder.reader(summaries: true))
        #expect(reading.summariesUsed == 0 && reading.ignoredSummaries.count == 1)
        #expect(try found == run.explanation(of: "u", reading: folder.reader(summaries: false)).explanation)
    }

    @Test func aSummaryWithDamagedDigestsIsIgnoredAndNamed() throws {
        let folder = try Folder()
        var lines = HostileLines(seed: 4)
        let all = lines.lines(200, isNative: true, copies: true)
        for part in 0..<2 {
            try folder.write(all.indices.filter { $0 % 2 == part }.map { all[$0] }, "part-\(part).ndjson.gz", linesPerMember: 50)
        }
        let wanted = try answers(folder.reader(summaries: false)).0
        let reader = try folder.reader(summaries: true)
        #expect(EventFileIndexer(reader).run().made == 2)

        let path = folder.files[0] + ".parquet"
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let footer = bytes.suffix(8).prefix(4).enumerated().reduce(0) { $0 + Int($1.element) << (8 * $1.offset) }
        // This changes the last byte of the digests, which end where the footer begins.
        bytes[bytes.count - 8 - footer - 1] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))
        let (found, used) = try answers(folder.reader(summaries: true))
        #expect(found == wanted && used == 1)
        let reading = try FunnelRun([Self.definitions[0]]).results(reading: folder.reader(summaries: true)).reading
        #expect(reading.ignoredSummaries.count == 1)
        #expect(reading.ignoredSummaries.first?.contains("part-0.ndjson.gz.parquet: it is damaged: ") == true)

        // The index looks at footers alone, so it would keep this summary. It makes the summary anew once the file is removed.
        try FileManager.default.removeItem(atPath: path)
        let report = EventFileIndexer(reader).run()
        #expect(report.made == 1 && report.files.count == 2, "it keeps the other")
        #expect(try answers(folder.reader(summaries: true)).used == 2)
    }
}
