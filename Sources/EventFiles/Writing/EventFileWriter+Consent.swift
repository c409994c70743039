public import TrackingEvents

extension EventFileWriter {
    /// Always `true`: while consent is pending, the writer keeps events apart itself, in the folder `.pending/`.
    public var spoolsWhilePending: Bool { true }

    /// Changes the person's consent. Takes effect in order with ``record(_:)``, and on the disk a moment later; ``flush()`` waits for it.
    ///
    /// - `.pending`: what is recorded from now on goes to `.pending/`. What an earlier run left there stays.
    /// - `.granted`: everything in `.pending/` is moved to where the other files are, file by file, each by one rename.
    /// - `.denied`: everything in `.pending/` is erased, and nothing is counted any more. What has consent stays; ``erase()`` removes it.
    ///
    /// A writer begins as if consent was granted, but leaves `.pending/` as it is until the first decision. It has one consent for all
    /// events: for people who decide apart, make a writer with a folder of its own for each.
    ///
    /// If the folder cannot be moved or erased, `onError` is called once, the writer tries again by itself, and writes other events
    /// meanwhile. A process killed in between leaves the rest undone: set the consent again in the next run. A closed writer does nothing.
    public func setConsent(_ consent: TrackingConsent) { monitor.setConsent(consent) }

    /// Removes every event that is written or waits, in the whole folder: files in any state, `.pending/`, `.sent/`, `.quarantine/`.
    ///
    /// Files of other stems and writers go, too, and log files, which say as much about a person. Another writer that is writing one of
    /// them reports that file as lost, and begins a new one. Files with other names stay. What is recorded after the call is written as
    /// ever. If the process is killed in between, the next writer in the folder first finishes erasing.
    ///
    /// - Throws: ``EventFileError/storage(_:)`` if something could not be removed, or if there is no room for the empty file by which
    ///   suspended writers learn of it: the writer writes nothing until it is done, and tries again by itself.
    ///   ``EventFileError/suspended`` or ``EventFileError/locked(path:errno:)``: the writer erases once it opens the folder.
    ///   ``EventFileError/closed`` or ``EventFileError/inForkedChild``.
    public func erase() async throws(EventFileError) { try await ask(.erase) }

    /// ``erase()`` for a tracker, which does not wait.
    public func erase(completion: @escaping @Sendable ((any Error)?) -> Void) { monitor.request(.erase) { completion($0) } }

    /// ``erase()`` for a program without tasks: blocks the calling thread.
    public func eraseAndWait() throws(EventFileError) { try askAndWait(.erase) }
}
