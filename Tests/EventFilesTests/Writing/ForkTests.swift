import Foundation
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// A child that really forks leaves the writer to its parent.
@Suite struct ForkTests {
    @Test func `a forked child drops its events and reports it once, and the parent writes what waited at the fork`() async {
        await #expect(processExitsWith: .success) {
            let folder = try WriterTestFolder()
            let errors = Collected<EventFileError>()
            let writer = try EventFileWriter(folder, onError: { errors.add($0) })
            for number in 1...3 { writer.record(testEvent(number)) }
            try writer.flushAndWait()
            for number in 4...6 { writer.record(testEvent(number)) }
            let child = forkWithAlarms()
            if child == 0 {
                guard errors.all.isEmpty, writer.statistics == EventFileWriterStatistics() else { _exit(1) }
                for number in 7...9 { writer.record(testEvent(number)) }
                writer.record(line: "{}")
                guard writer.offer(testEvent(10)), errors.all == [.inForkedChild] else { _exit(2) }
                guard writer.statistics.recorded == 5, writer.statistics.droppedByReason == [.closed: 5] else { _exit(3) }
                _exit(7)
            }
            #expect(exitCode(ofChild: child) == 7)
            try writer.closeAndWait()
            #expect(try sequences(folder.lines()) == Array(1...6))
            #expect(folder.names == folder.sealed && folder.sealed.count == 1)
            #expect(writer.statistics.recorded == 6 && errors.all.isEmpty)
        }
    }

    @Test func `no call in a child waits for a lock that a thread of the parent holds, or changes a file`() async {
        await #expect(processExitsWith: .success) {
            let folder = try WriterTestFolder()
            let errors = Collected<EventFileError>()
            var writer: EventFileWriter? = try EventFileWriter(folder, onError: { errors.add($0) })
            writer?.record(testEvent(1))
            writer?.setConsent(.pending)
            try writer?.flushAndWait()
            _ = writer?.observeSegments(lettingGo: {}) { [parent = getpid()] _ in if getpid() != parent { _exit(6) } }
            let before = folder.everything
            let isHeld = DispatchSemaphore(value: 0)
            let end = DispatchSemaphore(value: 0)
            Thread.detachNewThread { [monitor = writer!.monitor] in
                monitor.withState { _ in
                    isHeld.signal()
                    end.wait()
                }
            }
            isHeld.wait()
            let child = forkWithAlarms(seconds: 20)
            if child == 0 {
                func failure(_ call: () throws(EventFileError) -> Void) -> EventFileError? {
                    do throws(EventFileError) { try call() } catch { return error }
                    return nil
                }
                writer?.record(testEvent(2))
                writer?.setConsent(.denied)
                guard failure({ () throws(EventFileError) in try writer?.flushAndWait(.durable) }) == .inForkedChild else { _exit(1) }
                guard failure({ () throws(EventFileError) in try writer?.eraseAndWait() }) == .inForkedChild else { _exit(2) }
                guard failure({ () throws(EventFileError) in try writer?.closeAndWait() }) == nil else { _exit(3) }
                // The timer of a close without time gives up, too.
                writer?.monitor.giveUp()
                guard writer?.statistics.dropped == 1, errors.all == [.inForkedChild] else { _exit(4) }
                writer = nil
                _exit(folder.everything == before ? 7 : 5)
            }
            #expect(exitCode(ofChild: child) == 7)
            end.signal()
            try writer?.closeAndWait()
            #expect(try sequences(folder.lines()) == [1])
        }
    }

    @Test func `a child may make a writer of its own in the same folder`() async {
        await #expect(processExitsWith: .success) {
            let folder = try WriterTestFolder()
            let writer = try EventFileWriter(folder)
            writer.record(testEvent(1, session: "parent"))
            try writer.flushAndWait()
            let child = forkWithAlarms()
            if child == 0 {
                guard let own = try? EventFileWriter(folder: folder.path) else { _exit(1) }
                own.record(testEvent(1, session: "child"))
                _exit((try? own.closeAndWait()) == nil ? 2 : 7)
            }
            #expect(exitCode(ofChild: child) == 7)
            try writer.closeAndWait()
            let report = try EventFileCheck(EventFileReader(paths: [folder.path])).run()
            #expect(report.isSound && report.events == 2 && report.files.count == 2)
        }
    }
}
