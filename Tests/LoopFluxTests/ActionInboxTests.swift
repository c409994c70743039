import LoopCore
import LoopFlux
import TestSupport
import Testing

private struct Numbered: Action { let sender: Int, number: Int }
private struct Marker: Action {}

@Suite struct ActionInboxTests {
    /// Owns a dispatcher, as an app's model would.
    actor Owner {
        let dispatcher = Dispatcher()
        private let log = Log<Numbered>()

        var received: [Int: [Int]] { Dictionary(grouping: log.lines, by: \.sender).mapValues { $0.map(\.number) } }
        var told: Int { log.lines.count }

        func inbox() -> ActionInbox {
            dispatcher.subscribe(to: Numbered.self) { [log] in log.note($0) }
            return dispatcher.inbox()
        }

        /// Sends and dispatches in turn, without leaving the actor.
        func inTurns() -> [Int] {
            let inbox = inbox()
            for number in 0..<10 {
                if number.isMultiple(of: 2) {
                    inbox.send(Numbered(sender: 0, number: number))
                } else {
                    dispatcher.dispatch(Numbered(sender: 0, number: number))
                }
            }
            return received[0] ?? []
        }
    }

    @Test func `eight senders from eight threads keep their own order, and nothing is lost or doubled`() async {
        let owner = Owner()
        let inbox = await owner.inbox()
        let each = 10_000
        await withTaskGroup(of: Void.self) { group in
            for sender in 0..<8 {
                group.addTask {
                    for number in 0..<each { inbox.send(Numbered(sender: sender, number: number)) }
                    #expect(await inbox.dispatch(Marker()))
                }
            }
        }
        let received = await owner.received
        #expect(received.count == 8)
        for sender in 0..<8 { #expect(received[sender] == Array(0..<each)) }
        #expect(await owner.told == 8 * each)
    }

    @Test func `dispatch returns when the action has been told`() async {
        let owner = Owner()
        let inbox = await owner.inbox()
        for number in 0..<100 {
            #expect(await inbox.dispatch(Numbered(sender: 0, number: number)))
            #expect(await owner.told == number + 1)
        }
    }

    @Test func `many may wait at once`() async {
        let owner = Owner()
        let inbox = await owner.inbox()
        let told = await withTaskGroup(of: Bool.self) { group in
            for sender in 0..<50 { group.addTask { await inbox.dispatch(Numbered(sender: sender, number: 0)) } }
            return await group.reduce(0) { $1 ? $0 + 1 : $0 }
        }
        #expect(told == 50)
        #expect(await owner.told == 50)
    }

    @Test func `actions of one sender keep their order, also where it dispatches directly in between`() async {
        #expect(await Owner().inTurns() == Array(0..<10))
    }

    @Test func `every handle leads to the same inbox`() async {
        actor Home {
            let dispatcher = Dispatcher()
            private let log = Log<Int>()
            var seen: [Int] { log.lines }
            func handles() -> [ActionInbox] {
                dispatcher.subscribe(to: Numbered.self) { [log] in log.note($0.number) }
                return [dispatcher.inbox(), dispatcher.inbox()]
            }
        }
        let home = Home()
        let handles = await home.handles()
        for number in 0..<6 { handles[number % 2].send(Numbered(sender: 0, number: number)) }
        #expect(await handles[1].dispatch(Marker()))
        #expect(await home.seen == Array(0..<6))
    }

    @Test func `an inbox does not keep its dispatcher alive, and says that it dropped the action`() async {
        var owner: Owner? = Owner()
        let inbox = await owner!.inbox()
        #expect(await inbox.dispatch(Numbered(sender: 0, number: 0)))
        let gone = Weak(owner)
        owner = nil
        // The job that carried the action to the actor may not have ended yet.
        while gone.object != nil { await Task.yield() }
        #expect(!inbox.send(Marker()))
        #expect(await inbox.dispatch(Marker()) == false)
    }

    @MainActor @Test func `who waits for an action that is dropped with its dispatcher is woken and told so`() async {
        var dispatcher: Dispatcher? = Dispatcher()
        let inbox = dispatcher!.inbox()
        // Both tasks run on the main actor, so that the action may still wait in the inbox when the dispatcher goes.
        let waiting = Task { @MainActor in await inbox.dispatch(Marker()) }
        var isGone = false
        let letting = Task { @MainActor in
            dispatcher = nil
            isGone = true
        }
        await letting.value
        #expect(isGone)
        // Whichever task ran first, the wait has ended, and the inbox is closed now.
        _ = await waiting.value
        #expect(!inbox.send(Marker()))
    }

    @MainActor @Test func `who waits is woken when its own task is cancelled, and the action is told still`() async {
        let dispatcher = Dispatcher()
        var count = 0
        dispatcher.subscribe(to: Marker.self) { _ in count += 1 }
        let inbox = dispatcher.inbox()
        let waiting = Task { @MainActor in await inbox.dispatch(Marker()) }
        waiting.cancel()
        _ = await waiting.value
        #expect(await inbox.dispatch(Marker()))
        #expect(count == 2)
    }

    @MainActor @Test func `an action from the inbox passes both kinds of middleware like any other`() async {
        let dispatcher = Dispatcher()
        let log = Log<String>()
        dispatcher.add(
            DispatchMiddleware { action, chain in
                log.note("middleware")
                chain.proceed(action)
            })
        dispatcher.attach(Middleware { log.note("step \($0.number) \($0.origin?.line ?? 0)") })
        #expect(await dispatcher.inbox().dispatch(Marker(), line: 7))
        #expect(log.lines == ["step 0 0", "middleware", "step 1 7"])
    }

    @MainActor @Test func `a swallowed action counts as told`() async {
        let dispatcher = Dispatcher()
        dispatcher.add(DispatchMiddleware { _, _ in })
        #expect(await dispatcher.inbox().dispatch(Marker()))
    }

    @MainActor @Test func `an action that comes while another is told waits its turn`() async {
        let dispatcher = Dispatcher()
        let log = Log<String>()
        let inbox = dispatcher.inbox()
        dispatcher.subscribe(to: Numbered.self) { action in
            log.note("\(action.number)")
            if action.number == 1 { inbox.send(Numbered(sender: 0, number: 3)) }
            if action.number == 1 { dispatcher.dispatch(Numbered(sender: 0, number: 4)) }
            log.note("\(action.number) ends")
        }
        dispatcher.dispatch(Numbered(sender: 0, number: 1))
        #expect(log.lines == ["1", "1 ends", "3", "3 ends", "4", "4 ends"])
    }
}
