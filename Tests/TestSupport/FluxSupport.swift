/// The lines that a test notes, in order.
public final class Log<Line> {
    public private(set) var lines: [Line] = []
    public init() {}
    public func note(_ line: Line) { lines.append(line) }
    public func removeAll() { lines = [] }
}

public enum Fault: Error, Equatable { case dummy, other }

/// An error that is not `Equatable`.
public struct Opaque: Error {
    let code: Int
    public init(code: Int) { self.code = code }
}

/// Holds up work until the test opens the gate.
@MainActor public final class Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    public init() {}

    public func pass() async {
        if isOpen { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    public func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}
