import LoopCore

extension TestSystem {
    /// Waits until nothing runs, fails if a step was not received or an effect still runs, and stops the system.
    ///
    /// - Parameter sources: how many effects without an end may run, such as those of ``/LoopCore/Effect/stream(_:fileID:line:)`` and
    ///   ``/LoopCore/Feedback/custom(_:)``, which live as long as the system.
    public func finish(
        leaving sources: Int = 0, isolation: isolated any Actor = #isolation, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) async {
        let place = TestFailure(fileID: fileID, filePath: filePath, line: line, column: column)
        system.start(isolation: isolation)
        if !ignoresEffects { await wait(isolation: isolation) { self.isIdle(leaving: sources) } }
        isFinished = true
        if !waiting.isEmpty { fail("the test is finished. \(unreceived)", at: place) }
        if !ignoresEffects && !isIdle(leaving: sources) {
            let running = system.runningEffects
            let what = running > sources ? "effects still run: \(running), and \(sources) may." : "an event's work still runs."
            fail(
                "the test is finished, but \(what) Cancel them by an event, let them end, "
                    + "or say finish(leaving:) or skipEffects().", at: place)
        }
        system.stop(isolation: isolation)
        do { try await recording?.end(keeping: hasFailed) } catch { fail("the recording was not ended: \(error)", at: place) }
    }

    /// Passes over the steps that have come and were not received; their changes count as known.
    ///
    /// - Returns: how many there were.
    @discardableResult
    public func skipReceived() -> Int {
        defer { forgetWaiting() }
        return waiting.count
    }

    /// This test does not care about effects that run from now on: ``finish(leaving:isolation:fileID:filePath:line:column:)`` ignores them.
    public func skipEffects() { ignoresEffects = true }
}
