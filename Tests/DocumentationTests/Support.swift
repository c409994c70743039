/// A view for examples: it remembers what it was told to show.
@MainActor final class Label {
    var text = "" { didSet { shown.append(text) } }
    private(set) var shown: [String] = []
}

/// Holds work until it is opened, so that an example stands still at an `await`.
@MainActor final class Gate {
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private(set) var entered = 0

    func pass() async {
        entered += 1
        await withCheckedContinuation { waiting.append($0) }
    }

    func open() {
        let all = waiting
        waiting = []
        for each in all { each.resume() }
    }

    func whenEntered(_ count: Int) async { while entered < count { await Task.yield() } }
}

/// Ends when its task is cancelled, and at no other time.
@MainActor final class Endless {
    private(set) var started = 0
    private(set) var cancelled = 0

    func run() async {
        started += 1
        let never = AsyncStream<Never> { _ in }
        for await _ in never {}
        cancelled += 1
    }

    func whenStarted(_ count: Int) async { while started < count { await Task.yield() } }
    func whenCancelled(_ count: Int) async { while cancelled < count { await Task.yield() } }
}

/// Looks at an object without keeping it alive.
final class Weak<Object: AnyObject> {
    private(set) weak var object: Object?
    init(_ object: Object?) { self.object = object }
}

struct Offline: Error, Equatable {}
