import Basics
public import TrackingEvents

/// What becomes of events by the will of the person they are about.
extension EventFileWriter {
    /// Events of which nobody knows yet whether they may be kept go to a folder of their own, `.pending/`.
    public var spoolsWhilePending: Bool { true }

    /// Says that consent is another from now on. Takes effect in order with ``record(_:)``, on the disk a moment later: ``flush()`` waits for it.
    ///
    /// - `.pending`: what is recorded from now on goes to `.pending/`. What an earlier run left there stays.
    /// - `.granted`: everything in `.pending/` is moved to where the other files are, file by file, each by one rename.
    /// - `.denied`: everything in `.pending/` is erased, and what is recorded from now on is not even counted. What was written with consent
    ///   stays; ``erase()`` removes it.
    ///
    /// A writer begins as if consent was granted, but leaves `.pending/` as it finds it until somebody says something. It has one consent: trackers
    /// of several people who decide apart need writers with folders of their own.
    ///
    /// Where the folder cannot be moved or erased, `onError` hears of it once, it is tried again by itself, and other events are written meanwhile.
    /// When the process is killed in between, say it again in the next run: what is left is moved or erased then. A closed writer takes no
    /// decision: say it to the next one.
    public func setConsent(_ consent: TrackingConsent) {
        if fork.isInherited {
            // A child that cannot write has told so by itself.
            try? child.writer().setConsent(consent)
            return
        }
        core.setConsent(consent)
    }

    /// Removes every event that is written or waits to be, in the whole folder: finished files and those under way, `.pending/`, `.quarantine/`.
    ///
    /// Files of other stems and of other writers go, too, and log files, which say as much about a person; a writer that is at work on one says that it is lost, and begins another. Names that are
    /// none of event files are left alone. What is recorded after the call is written as ever. Killed in between, the next writer in the folder
    /// finishes it before it does anything else.
    ///
    /// - Throws: ``EventFileError/storage(_:)`` if something could not be removed: nothing is written before it is, and it is tried again by itself.
    ///   ``EventFileError/closed``.
    public func erase() async throws(EventFileError) {
        let error: EventFileError? = await withCheckedContinuation { continuation in
            erase { (error: EventFileError?) in continuation.resume(returning: error) }
        }
        if let error { throw error }
    }

    /// ``erase()`` for a tracker, which does not wait.
    public func erase(completion: @escaping @Sendable ((any Error)?) -> Void) {
        erase { (error: EventFileError?) in completion(error) }
    }

    /// ``erase()`` for a program without tasks: blocks the calling thread.
    public func eraseAndWait() throws(EventFileError) {
        if !fork.isInherited, core.isOnThread { throw .onWritersThread }
        let erasing = Completion()
        erase { (error: EventFileError?) in erasing.end(error) }
        _ = erasing.wait(nil)
        if let error = erasing.error { throw error }
    }

    private func erase(_ completion: @escaping @Sendable (EventFileError?) -> Void) {
        guard fork.isInherited else { return core.requestErase(completion: completion) }
        do throws(EventFileError) {
            try child.writer().core.requestErase(completion: completion)
        } catch {
            completion(error)
        }
    }
}
