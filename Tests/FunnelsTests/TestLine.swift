import EventFiles

@testable import Funnels

/// One line as a test writes it, without a file and without a decoder.
struct TestLine {
    var name: String
    var time: Int64
    var user = "u"
    var session = ""
    var sequence: Int64 = 0
    var id = ""
    var system = ""
    var kind = EventHead.Kind.event
    /// A JSON object.
    var props = "{}"

    init(
        _ name: String, _ time: Int64, user: String = "u", session: String = "", sequence: Int64 = 0, id: String = "", system: String = "",
        kind: EventHead.Kind = .event, props: String = "{}"
    ) {
        self.name = name
        self.time = time
        self.user = user
        self.session = session
        self.sequence = sequence
        self.id = id
        self.system = system
        self.kind = kind
        self.props = props
    }

    func withHead(_ body: (EventHead) -> Void) {
        let texts = [name, user, session, id, system, props].map { Array($0.utf8) }
        texts[0].withUnsafeBytes { name in
            var head = EventHead(time: time, name: name)
            head.sequence = sequence
            head.kind = kind
            texts[1].withUnsafeBytes { user in
                head.user = user
                texts[2].withUnsafeBytes { session in
                    head.session = session
                    texts[3].withUnsafeBytes { id in
                        if !id.isEmpty { head.id = .of(id) }
                        head.idText = id
                        texts[4].withUnsafeBytes { system in
                            head.system = system
                            texts[5].withUnsafeBytes { props in
                                head.properties = EventProperties(props)
                                body(head)
                            }
                        }
                    }
                }
            }
        }
    }
}

/// One pass over lines, in batches of a given size.
enum TestPass {
    static func read<Batch: DecodedBatch>(
        _ lines: [TestLine], _ batchSize: Int, into makeBatch: (Int) -> Batch, consume: (Batch) -> Void
    ) {
        for start in stride(from: 0, to: lines.count, by: batchSize) {
            var batch = makeBatch(batchSize)
            for line in lines[start..<min(start + batchSize, lines.count)] { line.withHead { batch.take($0) } }
            consume(batch)
        }
    }

    static func funnels(_ definitions: [FunnelDefinition], _ lines: [TestLine], batchSize: Int = 3) -> [FunnelResult] {
        let plan = CompiledFunnel(definitions)
        var accumulator = FunnelAccumulator(plan)
        read(lines, batchSize) {
            FunnelBatch(plan, expecting: $0)
        } consume: {
            accumulator.take($0)
        }
        return accumulator.trends(ReadResult(), of: FunnelRun(definitions), period: nil).map(\.result)
    }

    static func funnel(_ definition: FunnelDefinition, _ lines: [TestLine], batchSize: Int = 3) -> FunnelResult {
        funnels([definition], lines, batchSize: batchSize)[0]
    }

    static func catalogue(_ lines: [TestLine], range: TimeRange = .all, batchSize: Int = 3) -> EventCatalogue {
        catalogue(CatalogueRun(range: range), lines, batchSize: batchSize)
    }

    static func catalogue(_ run: CatalogueRun, _ lines: [TestLine], batchSize: Int = 3) -> EventCatalogue {
        let plan = CompiledFunnel([], catalogue: run)
        var accumulator = FunnelAccumulator(plan)
        read(lines, batchSize) {
            FunnelBatch(plan, expecting: $0)
        } consume: {
            accumulator.take($0)
        }
        return accumulator.catalogue(ReadResult())
    }
}
