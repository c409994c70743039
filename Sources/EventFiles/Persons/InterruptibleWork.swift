import Basics

/// Work that holds locks of a writer's folder. A suspension of the writer interrupts the work and waits until it has ended. An erasure
/// interrupts it, too: the writer's thread then waits for the lock.
package final class InterruptibleWork: Sendable {
    private let reason = Lock<EventFileError?>(nil)
    private let end: AsyncStream<Void>.Continuation
    private let lifetime: Task<Void, Never>

    package init() {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        (self.end, lifetime) = (end, Task { for await _ in ends {} })
    }

    /// - Throws: if the work must end, ``EventFileError/suspended``, or for an erasure ``EventFileError/storage(_:)``: a locked folder.
    func goOn() throws(EventFileError) { if let reason = reason.withLock({ $0 }) { throw reason } }

    private func interrupt(_ new: EventFileError) { reason.withLock { $0 = $0 ?? new } }

    /// Runs `work`. It has to call `goOn()` first, and to give back every lock before it returns.
    package func run<Result, Failure>(beside writer: EventFileWriter?, _ work: () throws(Failure) -> Result) throws(Failure) -> Result {
        let erasing = EventFileError.storage(.isLocked(Erasure.markerName))
        let letGo: @Sendable () async -> Void = { [self] in
            interrupt(.suspended)
            await lifetime.value
        }
        let observation = writer?.observeSegments(lettingGo: letGo) { [self] in if $0 == .erasing { interrupt(erasing) } }
        defer {
            if let observation { writer?.removeObservation(observation) }
            end.finish()
        }
        // The observer learns nothing of a suspension or an erasure that began before it was there.
        if writer?.isSuspended ?? false { interrupt(.suspended) }
        if writer?.monitor.isErasing ?? false { interrupt(erasing) }
        return try work()
    }
}
