import LoopCore

#if PEER_MOBIUS
import Dispatch
import MobiusCore
#endif

/// A login as an app writes it: the benchmark submits a name, and an effect answers with a token. It submits the next name after that.
/// Looptrail and Mobius take turns. Each runs once with an answer at once, and once with an answer from asynchronous work.
struct LoginBenchmarks {
    let logins: Int
    let rounds: Int

    fileprivate enum Event: Sendable { case submit(name: Int), answered(token: Int) }

    fileprivate struct Model: Sendable {
        var isBusy = false
        var token = 0

        /// - Returns: the name to ask for.
        mutating func reduce(_ event: Event) -> Int? {
            switch event {
            case .submit(let name):
                isBusy = true
                return name
            case .answered(let token):
                (isBusy, self.token) = (false, token)
                return nil
            }
        }
    }

    private struct Contender {
        let name: String
        /// Logs in this many times, and returns the last token.
        let run: @MainActor (Int) async -> Int
    }

    private static let ours = [
        looptrail("Looptrail, answered at once") { name in .event(.answered(token: name)) },
        looptrail("Looptrail, answered by work") { name in .run { .answered(token: name) }.id("sign in") },
    ]

    @MainActor func run() async {
        var contenders = Self.ours
        #if PEER_MOBIUS
        contenders += Self.mobius
        #endif
        var seconds = contenders.map { _ in [Double]() }
        for round in 0...rounds {
            let order = round.isMultiple(of: 2) ? Array(contenders.indices) : contenders.indices.reversed()
            for index in order {
                let start = processorSeconds()
                let token = await contenders[index].run(logins)
                let elapsed = processorSeconds() - start
                precondition(token == logins, "\(contenders[index].name) ended with token \(token).")
                if round > 0 { seconds[index].append(elapsed) }
            }
        }
        var table = Table("**A login**, \(thousands(Double(logins))) of them, processor time", comparedWith: "the first")
        let rows = zip(contenders, seconds).map { Measurement(name: $0.name, events: logins, seconds: $1) }
        for row in rows { table.add(row) }
        table.show()
        guard rows.count == 4 else { return print("\nMobius was not built in: README.md says how.") }
        for (ours, peer) in [(rows[0], rows[2]), (rows[1], rows[3])] {
            let ratio = ours.eventsPerSecond / peer.eventsPerSecond
            judge("\(ours.name) is \(fixed(ratio)) times \(peer.name)", target: "at least 5", isMet: ratio >= 5)
        }
    }

    private static func looptrail(_ name: String, _ signIn: @escaping @MainActor (Int) -> Effect<Event>) -> Contender {
        Contender(name: name) { logins in
            let system = System(initialState: Model()) { (model: inout Model, event: Event) -> Effect<Event> in
                if let name = model.reduce(event) { signIn(name) } else { .none }
            }
            for name in 1...logins {
                system.send(.submit(name: name))
                if system.state.isBusy { await system.settled() }
            }
            return system.state.token
        }
    }
}

#if PEER_MOBIUS
extension LoginBenchmarks {
    private static let mobius = [
        mobius("Mobius, answered at once") { $0() },
        mobius("Mobius, answered by a queue") { DispatchQueue.global().async(execute: $0) },
    ]

    private static func mobius(_ name: String, _ work: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) -> Contender {
        Contender(name: name) { logins in signIn(logins, work) }
    }

    /// Not isolated, because Mobius runs effects on the thread that sends the event.
    private static func signIn(_ logins: Int, _ work: @escaping (@escaping @Sendable () -> Void) -> Void) -> Int {
        let answered = DispatchSemaphore(value: 0)
        let effects = AnyConnectable<Int, Event> { answer in
            nonisolated(unsafe) let answer = answer
            return Connection(acceptClosure: { name in work { answer(.answered(token: name)) } }, disposeClosure: {})
        }
        let update: (Model, Event) -> MobiusCore.Next<Model, Int> = { model, event in
            var model = model
            return if let name = model.reduce(event) { .next(model, effects: [name]) } else { .next(model) }
        }
        let loop = Mobius.loop(update: update, effectHandler: effects).start(from: Model())
        loop.addObserver { if !$0.isBusy { answered.signal() } }
        answered.wait()
        for name in 1...logins {
            loop.dispatchEvent(.submit(name: name))
            answered.wait()
        }
        defer { loop.dispose() }
        return loop.latestModel.token
    }
}
#endif
