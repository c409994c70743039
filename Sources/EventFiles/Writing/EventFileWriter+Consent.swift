public import TrackingEvents

extension EventFileWriter {
    /// The writer keeps events apart itself while consent is pending: in the folder `.pending/`.
    public var spoolsWhilePending: Bool { true }

    /// Changes the person's consent. Takes effect in order with ``record(_:)``, on the disk a moment later: ``flush()`` waits for that.
    ///
    /// - `.pending`: what is recorded from now on goes to `.pending/`. What an earlier run left there stays.
    /// - `.granted`: everything in `.pending/` is moved to where the other files are, file by file, each by one rename.
    /// - `.denied`: everything in `.pending/` is erased, and what is recorded from now on is not even counted. What was written with
    ///   consent stays; ``erase()`` removes it.
    ///
    /// A writer begins as if consent was granted, but leaves `.pending/` as it is until the first decision. It has one consent: trackers
    /// of several people who decide apart need writers with folders of their own.
    ///
    /// If the folder cannot be moved or erased, `onError` is called once, the writer tries again by itself, and writes other events
    /// meanwhile. A process that is killed in between leaves the rest undone: set the consent again in the next run. A closed writer takes
    /// no decision.
    public func setConsent(_ consent: TrackingConsent) { monitor.setConsent(consent) }

    /// Removes every event that is written or waits, in the whole folder: files in any state, `.pending/`, `.sent/`, `.quarantine/`.
    ///
    /// Files of other stems and of other writers go, too, and log files, which say as much about a person. A writer that is at work on one
    /// of them reports that it is lost, and begins another. Names that are none of event files are left alone. What is recorded after the
    /// call is written as ever. If the process is killed in between, the next writer in the folder finishes erasing before it does anything
    /// else.
    ///
    /// - Throws: ``EventFileError/storage(_:)`` if something could not be removed: nothing is written before it is, and the writer tries
    ///   again by itself. ``EventFileError/closed``.
    public func erase() async throws(EventFileError) { try await ask(.erase) }

    /// ``erase()`` for a tracker, which does not wait.
    public func erase(completion: @escaping @Sendable ((any Error)?) -> Void) { monitor.request(.erase) { completion($0) } }

    /// ``erase()`` for a program without tasks: blocks the calling thread.
    public func eraseAndWait() throws(EventFileError) { try askAndWait(.erase) }
}
