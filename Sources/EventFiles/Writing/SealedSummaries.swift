import Basics

/// Makes the summaries of a writer's finished files on a thread of its own, so that nothing that is recorded waits for them.
///
/// Each look finds every finished file of the writer's stem without a summary, including those that a recovery or a promotion brought.
final class SealedSummaries: Sendable {
    private struct State {
        var isAsked = true
        var isWorking = false
        /// What is under way stops and leaves nothing, and nothing new begins.
        var isHeld = false
        var isEnding = false
    }

    private let folder: EventFolder
    private let options: EventFileWriterOptions
    private let isGivenUp: @Sendable () -> Bool
    private let state = WatchedValue(State())
    private let thread = Lock<PosixThread?>(nil)

    init(folder: EventFolder, options: EventFileWriterOptions, isGivenUp: @escaping @Sendable () -> Bool) {
        (self.folder, self.options, self.isGivenUp) = (folder, options, isGivenUp)
        // Without a thread from the system there are no summaries.
        thread.withLock { $0 = try? PosixThread { [self] in run() } }
    }

    func look() { state.change { $0.isAsked = true } }

    /// Stops what is under way and waits until nothing of it is left. Nothing begins before ``goOn()``.
    func hold() {
        state.change { $0.isHeld = true }
        state.wait { $0.isWorking ? nil : () }
    }

    func goOn() { state.change { ($0.isHeld, $0.isAsked) = (false, true) } }

    /// Ends the thread, after it has made what is missing. With `stopping`, or if the writer gives up, the rest is for a later writer.
    func finish(stopping: Bool) {
        if stopping { hold() }
        state.change { $0.isEnding = true }
        thread.withLock { $0.take() }?.join()
    }

    private func run() {
        /// Files that no summary can be made of as they are.
        var refused: Set<String> = []
        func begins(_ state: inout State) -> Bool? {
            guard state.isAsked, !state.isHeld else { return state.isEnding ? false : nil }
            (state.isAsked, state.isWorking) = (false, true)
            return true
        }
        while state.wait(for: { begins(&$0) }) {
            // What fails is tried again at the next look.
            try? makeMissing(&refused)
            state.change { $0.isWorking = false }
        }
    }

    private func makeMissing(_ refused: inout Set<String>) throws(FileSystemError) {
        let names = Set(try folder.names())
        for (fileName, name, state) in SegmentName.parsed(names.sorted()) where state == .sealed && !mustStop() {
            guard name.stem == options.stem, name.contents == options.contents, !names.contains(name.summary), !refused.contains(fileName)
            else { continue }
            switch try SummaryFile(folder: folder, name: fileName, keepsProperties: false, isCancelled: { [self] in mustStop() }).make() {
            case .refused(.damaged), .refused(.notSealed), .refused(.notUTF8): refused.insert(fileName)
            case .made, .refused: continue
            }
        }
    }

    private func mustStop() -> Bool { state.change { $0.isHeld } || isGivenUp() }
}
