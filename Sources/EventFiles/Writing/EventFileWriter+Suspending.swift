/// Suspending the writer before the system suspends its process.
///
/// While a process is suspended, nobody else gets a lock that it holds. iOS ends an app for that if the locked file lies in a folder that
/// the app shares with an extension. So a suspended writer holds no lock.
///
/// Events wait in memory meanwhile, up to the ring's limits, and are written on resuming: **if the process ends before that, they are
/// lost.** If somebody erases the folder meanwhile, they are dropped and count as ``EventFileWriterStatistics/erased``.
extension EventFileWriter {
    /// Writes what waits, finishes the file under way, and closes the folder with every lock and descriptor. Uploaders of this writer, and
    /// an ``EventForgetting`` that was made for it, give theirs back, too.
    ///
    /// Once it returns or throws, none of them holds anything of the folder until ``resume()`` or ``awake(_:)``. Calls that need the disk
    /// then throw ``EventFileError/suspended``; decisions about consent wait; ``close(deadline:)`` opens the folder again if events wait.
    ///
    /// - Throws: ``EventFileError/segmentLost(name:events:)`` if somebody removed the file. ``EventFileError/storage(_:)`` or
    ///   ``EventFileError/locked(path:errno:)`` if storage fails: unwritten events stay in the ring file, count as written, and are
    ///   recovered like a killed writer's. Without a ring file they wait in memory.
    public func suspend() async throws(EventFileError) {
        monitor.changeSuspension { $0.set(true) }
        try await letGo()
    }

    private func letGo() async throws(EventFileError) {
        // An observer may wait long for a request that does not end. The writer's own locks do not wait for it.
        async let observersLetGo: Void = monitor.observers.letGo()
        let error = await failure(of: .suspend)
        await observersLetGo
        // The writer was resumed meanwhile. An observer that let go only after that has missed the notice.
        if !monitor.isSuspended { monitor.observers.notify(.resumed) }
        if let error { throw error }
    }

    package var isSuspended: Bool { monitor.isSuspended }

    /// Takes up work again, on the writer's thread: opens the folder, recovers what was left in it, and writes what waits. Returns at once.
    public func resume() { monitor.changeSuspension { $0.set(false) } }

    /// Runs `work` with the writer awake: resumes a suspended writer first, and afterwards writes what was recorded and suspends it again.
    ///
    /// A writer that was awake before stays awake. Calls may overlap: the last one to end suspends the writer, unless ``suspend()`` or
    /// ``resume()`` was called meanwhile. A storage error while suspending goes only to `onError`.
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
