import Basics

/// Work that holds locks of a writer's folder: a suspension of the writer interrupts the work and waits until it has ended.
final class InterruptibleWork: Sendable {
    private struct State {
        var isInterrupted = false
        var isEnded = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Lock(State())

    /// - Throws: ``EventFileError/suspended`` if the work must end.
    func goOn() throws(EventFileError) { if state.withLock({ $0.isInterrupted }) { throw .suspended } }

    func interrupt() async {
        await withCheckedContinuation { continuation in
            let isEnded = state.withLock { state in
                state.isInterrupted = true
                if !state.isEnded { state.waiting.append(continuation) }
                return state.isEnded
            }
            if isEnded { continuation.resume() }
        }
    }

    /// Does `work`, which must give back every lock before it ends.
    func run<Result>(beside writer: EventFileWriter?, _ work: () throws -> Result) throws -> Result {
        let observation = writer?.observeSegments(lettingGo: { [self] in await interrupt() }) { _ in }
        defer {
            if let observation { writer?.removeObservation(observation) }
            let waiting = state.withLock { state in
                state.isEnded = true
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }
        // A suspension that came before the observation does not wait for this work.
        if writer?.isSuspended ?? false { throw EventFileError.suspended }
        return try work()
    }
}
