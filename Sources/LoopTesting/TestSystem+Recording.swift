public import EventFiles
import LoopCore
import LoopLogFiles
import LoopRecording
import TrackingEvents

struct TestRecording: Sendable {
    let recorder: Recorder
    /// The recording's own folder.
    let path: String

    /// Ends the recording, and leaves it where it is or removes it whole.
    func end(keeping isKept: Bool) async throws {
        try await recorder.close()
        if isKept { return }
        let files = PosixFileSystem()
        let own = try files.openFolder(atPath: path)
        defer { files.close(own) }
        for name in try files.names(in: own) { try files.remove(name, in: own) }
        try files.removeFolder(path, in: .working)
    }
}

extension TestSystem where State: Codable & Sendable, Event: Codable & Sendable {
    /// Records the test like a session of the program. Where an expectation fails, the recording is kept, and the failure says
    /// where it lies: for `looptrail inspect`, and to be replayed. `finish` removes the recording of a test that passed.
    ///
    /// ```swift
    /// let test = try TestSystem(System(initialState: 0, reducer: count), onFailure: .testing).recorded(in: "/tmp/recordings")
    /// ```
    /// - Parameter folder: is made where it is missing; each test has a folder of its own in it.
    public func recorded(in folder: String) throws(EventFileError) -> TestSystem {
        var random = SeededRandom()
        let file = "\(madeAt.fileID)".split(separator: "/").joined(separator: "-").replacing(".swift", with: "")
        let path = "\(folder)/\(file)-\(madeAt.line)-\(String(random.next(), radix: 36))"
        let recorder = try Recorder(folder: path)
        system.attach(.record(to: recorder))
        recording = TestRecording(recorder: recorder, path: path)
        return self
    }
}
