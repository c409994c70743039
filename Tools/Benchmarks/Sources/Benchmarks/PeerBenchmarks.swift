/// Looptrail and the published libraries at the same work, side by side in one run.
///
/// The contenders take turns, each round in the opposite order to the one before, so that other load on the machine affects them alike.
struct PeerBenchmarks {
    let events: Int
    let rounds: Int

    private var contenders: [Contender] {
        var all: [Contender] = [.bare, .idle, .watched, .watchedWhole]
        #if PEER_RESWIFT
        all.append(.reSwift)
        #endif
        #if PEER_MOBIUS
        all.append(.mobius)
        #endif
        #if PEER_LOOP
        all.append(.loop)
        #endif
        #if PEER_PROMISED_ARCHITECTURE_KIT
        all.append(.promisedArchitectureKit)
        #endif
        return all
    }

    @MainActor func run() async {
        let contenders = contenders
        var rounds = contenders.map { _ in [Double]() }
        for contender in contenders { _ = await seconds(contender, events: events / 10) }
        for round in 0..<self.rounds {
            let order = round.isMultiple(of: 2) ? Array(contenders.indices) : contenders.indices.reversed()
            for index in order { rounds[index].append(await seconds(contenders[index], events: events)) }
        }
        let rows = Rows(contenders, rounds, events: events)
        show(rows)
        judge(rows)
    }

    /// Processor time, because other programs' work is not in it.
    @MainActor private func seconds(_ contender: Contender, events: Int) async -> Double {
        let start = processorSeconds()
        let tally = await contender.count(events)
        let seconds = processorSeconds() - start
        precondition(
            tally.state == events && tally.shown == events && (events...events + 1).contains(tally.showings),
            "\(contender.name) counted to \(tally.state) and showed \(tally.showings) states, the last \(tally.shown), for \(events) events."
        )
        return seconds
    }

    private struct Rows {
        let ours: [Measurement]
        let peers: [Measurement]

        init(_ contenders: [Contender], _ seconds: [[Double]], events: Int) {
            let rows = zip(contenders, seconds).map { ($0, Measurement(name: $0.name, events: events, seconds: $1)) }
            ours = rows.filter(\.0.isOurs).map(\.1)
            peers = rows.filter { !$0.0.isOurs }.map(\.1)
        }

        var fastestPeer: Measurement? { peers.max { $0.eventsPerSecond < $1.eventsPerSecond } }

        func row(of contender: Contender) -> Measurement? { ours.first { $0.name == contender.name } }
    }

    private func show(_ rows: Rows) {
        let fastest = rows.fastestPeer
        var table = Table(
            "**Beside the published systems**, \(thousands(Double(events))) increments of an integer counter with one observer, processor time",
            comparedWith: fastest == nil ? "bare" : "the fastest peer", base: fastest ?? rows.row(of: .bare))
        for row in (rows.ours + rows.peers).sorted(by: { $0.eventsPerSecond > $1.eventsPerSecond }) { table.add(row) }
        table.show()
    }

    @MainActor private func judge(_ rows: Rows) {
        guard let bare = rows.row(of: .bare), let idle = rows.row(of: .idle), let watched = rows.row(of: .watched) else { return }
        // Subtracts round by round, and not the medians, because the two runs of a round followed each other.
        let prices = zip(bare.seconds, idle.seconds).map { ($1 - $0) * 1e9 / Double(events) }.sorted()
        let price = prices[prices.count / 2]
        Benchmarks.judge("an idle middleware costs \(fixed(price)) ns a step", target: "at most 50 ns", isMet: price <= 50)
        guard let fastest = rows.fastestPeer else { return print("\nNo peer was built in: README.md says how.") }
        let (plain, three) = (bare.eventsPerSecond / fastest.eventsPerSecond, watched.eventsPerSecond / fastest.eventsPerSecond)
        Benchmarks.judge("bare is \(fixed(plain)) times \(fastest.name), the fastest peer", target: "at least 5", isMet: plain >= 5)
        Benchmarks.judge("with three middlewares it is \(fixed(three)) times \(fastest.name)", target: "at least 2", isMet: three >= 2)
    }
}
