import TrackingEvents

/// What a writer is in a child process: at its first use the inherited copies are closed, and a new writer takes over, with a name, a
/// file and a thread of its own.
///
/// What waited in the ring when the process forked is the parent's to write. Nothing of the parent's is touched here, its locks least of
/// all: one that another thread held at the fork stays locked in the child for ever.
final class ForkedWriter: Sendable {
    private enum State {
        case unused
        case running(EventFileWriter)
        /// No writer could be made; so many events were dropped.
        case failed(EventFileError, events: Int)
    }

    private let inherited: HeldDescriptors
    private let onError: (@Sendable (EventFileError) -> Void)?
    private let make: @Sendable () throws(EventFileError) -> EventFileWriter
    private let state = Lock(State.unused)

    init(
        inherited: HeldDescriptors, onError: (@Sendable (EventFileError) -> Void)?,
        make: @escaping @Sendable () throws(EventFileError) -> EventFileWriter
    ) {
        self.inherited = inherited
        self.onError = onError
        self.make = make
    }

    /// The child's writer. Made at the first call.
    func writer() throws(EventFileError) -> EventFileWriter {
        let (result, isNew): (Result<EventFileWriter, EventFileError>, Bool) = state.withLock { state in
            switch state {
            case .running(let writer): return (.success(writer), false)
            case .failed(let error, _): return (.failure(error), false)
            case .unused: break
            }
            inherited.closeAll()
            do throws(EventFileError) {
                let writer = try make()
                state = .running(writer)
                return (.success(writer), true)
            } catch {
                state = .failed(error, events: 0)
                return (.failure(error), true)
            }
        }
        if isNew, case .failure(let error) = result { onError?(error) }
        return try result.get()
    }

    func record(_ event: TrackedEvent) { use { $0.record(event) } }

    func record(line: String) { use { $0.record(line: line) } }

    private func use(_ body: (EventFileWriter) -> Void) {
        do throws(EventFileError) {
            body(try writer())
        } catch {
            state.withLock { state in
                if case .failed(let error, let events) = state { state = .failed(error, events: events + 1) }
            }
        }
    }

    var statistics: EventFileWriterStatistics {
        let (writer, failed): (EventFileWriter?, Int) = state.withLock { state in
            switch state {
            case .unused: (nil, 0)
            case .running(let writer): (writer, 0)
            case .failed(_, let events): (nil, events)
            }
        }
        if let writer { return writer.statistics }
        var statistics = EventFileWriterStatistics()
        statistics.recorded = failed
        if failed > 0 { statistics.droppedByReason = [.storage: failed] }
        return statistics
    }

    /// What the end of the inherited writer comes to in a child that may never have used it.
    func closeInherited() {
        state.withLock { state in if case .unused = state { inherited.closeAll() } }
    }
}
