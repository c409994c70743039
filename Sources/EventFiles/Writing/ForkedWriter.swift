import Basics
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

    /// - Parameter make: makes the writer. It may use what is inherited, and closes it before the writer's thread begins: a lock that this
    ///   process holds a copy of would keep the thread from adopting the parent's file.
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
            do throws(EventFileError) {
                let writer = try make()
                inherited.closeAll()
                state = .running(writer)
                return (.success(writer), true)
            } catch {
                inherited.closeAll()
                state = .failed(error, events: 0)
                return (.failure(error), true)
            }
        }
        if isNew, case .failure(let error) = result, error != .closed { onError?(error) }
        return try result.get()
    }

    /// The child's writer; `nil` where the parent had closed its own before the fork.
    func writerIfOpen() throws(EventFileError) -> EventFileWriter? {
        do throws(EventFileError) {
            return try writer()
        } catch {
            if error == .closed { return nil }
            throw error
        }
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
        let (writer, failed): (EventFileWriter?, (reason: DropReason, events: Int)) = state.withLock { state in
            switch state {
            case .unused: (nil, (.closed, 0))
            case .running(let writer): (writer, (.closed, 0))
            case .failed(let error, let events): (nil, (error == .closed ? .closed : .storage, events))
            }
        }
        if let writer { return writer.statistics }
        var statistics = EventFileWriterStatistics()
        statistics.recorded = failed.events
        if failed.events > 0 { statistics.droppedByReason = [failed.reason: failed.events] }
        return statistics
    }

    /// What the end of the inherited writer comes to in a child that may never have used it.
    func closeInherited() {
        state.withLock { state in if case .unused = state { inherited.closeAll() } }
    }
}
