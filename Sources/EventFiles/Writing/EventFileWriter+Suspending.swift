/// A process that the system suspends.
///
/// A suspended process that holds a lock keeps every other from what is locked, and iOS ends an app for that when the file lies in a folder
/// that it shares with an extension. So the writer holds no lock while it is suspended.
///
/// What is recorded meanwhile waits in memory, up to the limits of the ring, and is written on resuming: **a process that is ended before
/// that loses it.** If somebody erases the folder meanwhile, it is dropped and counts as ``EventFileWriterStatistics/erased``.
extension EventFileWriter {
    /// Writes what waits, finishes the file under way, and gives back the folder with every lock and descriptor, also those of the folder's
    /// uploaders in this process and of ``EventForgetting`` that was made for this writer.
    ///
    /// When it returns, or throws, the process holds nothing of the folder until ``resume()`` or ``awake(_:)``. What asks the writer for
    /// something on the disk meanwhile throws ``EventFileError/suspended``; a decision about consent is carried out afterwards.
    /// ``close(deadline:)`` opens the folder again if something waits.
    ///
    /// - Throws: ``EventFileError/storage(_:)`` if storage fails: what could not be written is left in the ring file, counts as written,
    ///   and is recovered like a killed writer's. Where there is no ring file it waits in memory.
    public func suspend() async throws(EventFileError) {
        monitor.changeSuspension { $0.set(true) }
        try await letGo()
    }

    private func letGo() async throws(EventFileError) {
        await monitor.observers.letGo()
        try await ask(.suspend)
    }

    package var isSuspended: Bool { monitor.isSuspended }

    /// Takes up work again, on the writer's thread: opens the folder, recovers what was left there, and writes what waits. Returns at once.
    public func resume() { monitor.changeSuspension { $0.set(false) } }

    /// Does a piece of work awake: resumes a suspended writer, and before it returns writes what was recorded and suspends it again.
    ///
    /// A writer that is awake stays so. Pieces of work may overlap: the last one suspends the writer, unless ``suspend()`` or ``resume()``
    /// was called meanwhile. An error of storage goes to `onError` alone.
    public nonisolated(nonsending) func awake<Result, Failure>(_ work: () async throws(Failure) -> Result) async throws(Failure) -> Result {
        guard let began = monitor.changeSuspension({ $0.workBegins() }) ?? nil else { return try await work() }
        func end() async { if monitor.changeSuspension({ $0.workEnds(began) }) == true { try? await letGo() } }
        do throws(Failure) {
            let result = try await work()
            await end()
            return result
        } catch {
            await end()
            throw error
        }
    }
}
