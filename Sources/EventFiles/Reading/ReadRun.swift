import Basics

/// One reading of all files: threads cut, decompress and map chunks, and the caller takes the results in order. Each thread works on one
/// chunk at a time. The first file that still has chunks goes first. While one thread cuts that file's next chunk, or decompresses it from
/// ordinary gzip, the others begin later files. No chunk is begun while too many are begun and not taken by the caller. A file's cursor
/// belongs to the thread that has marked the file busy in `state`. Its stitcher belongs to the thread whose chunk is next there.
final class ReadRun<Output: Sendable>: Sendable {
    typealias Delivery = (chunk: Chunk, output: Output?)

    private struct Slot {
        var cursor: FileCursor?
        var stitcher: LineStitcher?
        var isBusy = false
        var isExhausted = false
        var turn = 0
    }

    private struct Key: Hashable {
        var file: Int
        var chunk: Int
    }

    private struct State {
        var slots: [Slot]
        var firstUnexhausted = 0
        var next = Key(file: 0, chunk: 0)
        var ready: [Key: Result<Delivery, EventFileReadError>] = [:]
        /// Chunks that were begun and not yet taken by the caller.
        var pending = 0
        var isStopped = false

        mutating func release(_ file: Int, isExhausted: Bool) {
            slots[file].isBusy = false
            guard isExhausted else { return }
            slots[file].isExhausted = true
            slots[file].cursor = nil
            while firstUnexhausted < slots.count, slots[firstUnexhausted].isExhausted { firstUnexhausted += 1 }
        }
    }

    private enum Turn {
        case deliver(Result<Delivery, EventFileReadError>, file: Int)
        case work(file: Int, cursor: FileCursor)
        case finished
    }

    private let reader: EventFileReader
    private let threads: Int
    private let map: @Sendable (borrowing LineBatch) -> Output
    private let state: WatchedValue<State>

    init(_ reader: EventFileReader, threads: Int, map: @escaping @Sendable (borrowing LineBatch) -> Output) {
        self.reader = reader
        self.threads = threads
        self.map = map
        state = WatchedValue(State(slots: Array(repeating: Slot(), count: reader.files.count)))
    }

    /// Runs on the calling thread: passes each delivery to `take` in order, and works on chunks while there is none.
    func run(_ take: (Delivery, Int) throws -> Void) throws {
        let helpers = WorkerThreads(threads - 1) { self.help() }
        defer {
            state.change { $0.isStopped = true }
            helpers.join()
        }
        let workspace = Workspace()
        while true {
            switch state.wait(for: { self.callerTurn(&$0) }) {
            case .deliver(let result, let file): try take(try result.get(), file)
            case .work(let file, let cursor): work(file, cursor, workspace)
            case .finished: return
            }
        }
    }

    private func help() {
        let workspace = Workspace()
        func turn(_ state: inout State) -> Turn? {
            state.isStopped || state.firstUnexhausted == state.slots.count ? .finished : pick(&state)
        }
        while case .work(let file, let cursor) = state.wait(for: { turn(&$0) }) { work(file, cursor, workspace) }
    }

    private func callerTurn(_ state: inout State) -> Turn? {
        let key = state.next
        guard key.file < state.slots.count else { return .finished }
        if let result = state.ready.removeValue(forKey: key) {
            state.pending -= 1
            let isLast = (try? result.get())?.chunk.isLast ?? true
            state.next = isLast ? Key(file: key.file + 1, chunk: 0) : Key(file: key.file, chunk: key.chunk + 1)
            return .deliver(result, file: key.file)
        }
        return pick(&state)
    }

    private func pick(_ state: inout State) -> Turn? {
        let end = min(state.slots.count, state.firstUnexhausted + threads + 1)
        for file in state.firstUnexhausted..<end where !state.slots[file].isBusy && !state.slots[file].isExhausted {
            // The caller waits for the chunks of this file, so it may always begin a few more.
            let limit = file == state.next.file ? reader.pendingLimit + threads : reader.pendingLimit
            guard state.pending < limit else { continue }
            state.pending += 1
            state.slots[file].isBusy = true
            if let cursor = state.slots[file].cursor { return .work(file: file, cursor: cursor) }
            let cursor = FileCursor(reader.files[file], of: reader)
            state.slots[file].cursor = cursor
            state.slots[file].stitcher = LineStitcher()
            return .work(file: file, cursor: cursor)
        }
        return nil
    }

    private func work(_ file: Int, _ cursor: FileCursor, _ workspace: Workspace) {
        var chunk: Chunk
        do throws(FileSystemError) {
            chunk = try cursor.next(into: workspace)
        } catch {
            // The file ends here; chunks before this one are delivered first.
            state.change { state in
                state.release(file, isExhausted: true)
                state.ready[Key(file: file, chunk: cursor.nextIndex - 1)] = .failure(cursor.readError(error))
            }
            return
        }
        let (index, isLast) = (chunk.index, chunk.isLast)
        state.change { $0.release(file, isExhausted: isLast) }
        if chunk.isCompressed { workspace.inflateMembers(of: &chunk) }
        let stitcher = state.wait { $0.slots[file].turn == index ? $0.slots[file].stitcher : nil }
        let stitched = stitcher.stitch(&chunk, in: workspace)
        state.change { state in
            state.slots[file].turn += 1
            if isLast { state.slots[file].stitcher = nil }
        }
        let output = stitched.withBatch(of: chunk, in: workspace, file: file, path: reader.files[file].path, map)
        state.change { [chunk] state in state.ready[Key(file: file, chunk: index)] = .success((chunk, output)) }
    }
}
