import LoopCore
import TestSupport
import Testing

/// Sending from any thread.
@Suite struct EventInboxTests {
    struct Numbered: Sendable { let sender: Int, number: Int }

    /// Owns a system, as an app's model would.
    actor Owner {
        private(set) var received: [Int: [Int]] = [:]
        private var count = 0
        lazy var system = System<Int, Numbered>(
            initialState: 0,
            reducer: { [unowned self] (state: inout Int, event: Numbered) in
                state += 1
                self.assumeIsolated { $0.received[event.sender, default: []].append(event.number) }
            })

        func inbox() -> EventInbox<Numbered> { system.inbox() }
        func stop() -> Int { system.stop() }

        func settled() async -> [Int: [Int]] {
            await system.settled()
            return received
        }
    }

    @Test func `eight senders from eight threads keep their own order, and nothing is lost or doubled`() async {
        let owner = Owner()
        let inbox = await owner.inbox()
        let each = isNight ? 100_000 : 25_000
        await withTaskGroup(of: Void.self) { group in
            for sender in 0..<8 {
                group.addTask { for number in 0..<each { inbox.send(Numbered(sender: sender, number: number)) } }
            }
        }
        let received = await owner.settled()
        #expect(received.count == 8)
        for sender in 0..<8 { #expect(received[sender] == Array(0..<each)) }
    }

    @Test func `settled waits for what is in the inbox`() async {
        let owner = Owner()
        let inbox = await owner.inbox()
        for number in 0..<10 { inbox.send(Numbered(sender: 0, number: number)) }
        #expect(await owner.settled()[0] == Array(0..<10))
    }

    @Test func `an inbox does not keep its system or its actor alive, and says that it dropped the event`() async {
        var owner: Owner? = Owner()
        let inbox = await owner!.inbox()
        #expect(inbox.send(Numbered(sender: 0, number: 0)))
        _ = await owner!.settled()
        let gone = Weak(owner)
        owner = nil
        // The job that carried the event to the actor may not have ended yet.
        while gone.object != nil { await Task.yield() }
        #expect(!inbox.send(Numbered(sender: 0, number: 1)))
    }

    @Test func `a stopped system drops what its inbox holds, counts it, and takes nothing more`() async {
        actor Busy {
            let system = System<Int, Int>(
                initialState: 0,
                next: { (_: Int, _: Int) in .run { try await forever() } })
            func stopAfterSending() -> (dropped: Int, later: Bool) {
                let inbox = system.inbox()
                for event in 0..<5 { inbox.send(event) }
                return (system.stop(), inbox.send(9))
            }
        }
        let result = await Busy().stopAfterSending()
        #expect(result.dropped == 5)
        #expect(!result.later)
    }

    @MainActor @Test func `the numbers of events from an inbox follow on without holes`() async {
        let system = System<Int, Int>(initialState: 0, reducer: { (state: inout Int, event: Int) in state += event })
        var numbers: [Int] = []
        system.attach(Middleware { numbers.append($0.number) })
        let inbox = system.inbox()
        system.send(1)
        inbox.send(10)
        await system.settled()
        system.send(100)
        #expect(system.state == 111)
        #expect(numbers == [0, 1, 2, 3])
    }

    @MainActor @Test func `what the inbox brings while work runs waits for it`() async {
        let system = System<Int, Int>(
            initialState: 0,
            next: { (state: Int, event: Int) -> Next<Int> in
                event == 0
                    ? .run {
                        for _ in 0..<20 { await Task.yield() }
                        return state * 2
                    } : .state(state + event)
            })
        let inbox = system.inbox()
        system.send(1)
        system.send(0)
        inbox.send(10)
        await system.settled()
        #expect(system.state == 12)
    }
}
