import Testing

@testable import EventFiles

/// What a log says of a recovery.
@Suite struct RecoveryResultTests {
    private typealias Orphan = RecoveryResult.Orphan

    private static let adopted = Orphan(
        name: "a", outcome: .adopted, members: 12, lines: 3_400, salvagedLines: 2, tornBytes: 87, quarantinedBytes: 87)
    private static let late = EventFileError.storage(FileSystemError(.open, errno: 13, path: "b"))

    @Test(
        "a report is one line, and mentions only what there was",
        arguments: [
            ([], "nothing to recover"),
            ([adopted], "adopted 1 orphan, 12 members, 3,400 lines, 87 torn bytes quarantined"),
            ([adopted, adopted], "adopted 2 orphans, 24 members, 6,800 lines, 174 torn bytes quarantined"),
            (
                [adopted, Orphan(name: "r", outcome: .adopted, lines: 5, ringLines: 5)],
                "adopted 2 orphans, 12 members, 3,405 lines, 5 of them from rings, 87 torn bytes quarantined"
            ),
            (
                [Orphan(name: "e", outcome: .empty, tornBytes: 1)],
                "adopted 0 orphans, 0 members, 0 lines, 1 torn byte of which 0 quarantined"
            ),
            (
                [
                    Orphan(name: "p", outcome: .postponed(late)), Orphan(name: "c", outcome: .conflict),
                    Orphan(name: "d", outcome: .alreadyPublished),
                ],
                "adopted 0 orphans, 0 members, 0 lines, 2 files left for later"
            ),
            ([Orphan(name: "c", outcome: .conflict)], "adopted 0 orphans, 0 members, 0 lines, 1 file left for later"),
        ] as [([RecoveryResult.Orphan], String)])
    func descriptions(orphans: [RecoveryResult.Orphan], words: String) {
        var report = RecoveryResult()
        report.orphans = orphans
        #expect(report.description == words)
        #expect(report.isEmpty == orphans.isEmpty)
        report.error = Self.late
        #expect(report.description == "\(orphans.isEmpty ? "adopted 0 orphans, 0 members, 0 lines" : words), \(Self.late)")
    }

    @Test func `a report with a removed temporary file is not empty`() {
        var report = RecoveryResult()
        report.removedTemporaries = 1
        #expect(!report.isEmpty && report.description != "nothing to recover")
    }
}

/// The sentences that a caller prints.
@Suite struct EventFileErrorTests {
    private static let call = FileSystemError(.open, errno: 13, path: "events/a")

    private static let all: [(error: EventFileError, names: String, errno: Int32?)] = [
        (.notAFolder(path: "events/"), "events/", nil), (.notAFolder(path: ""), "name a folder", nil),
        (.folderWritableByOthers(path: "events/", permissions: 0o1777), "mode 1777", nil),
        (.badStem("../x"), "'../x'", nil), (.numbersUsedUp(path: "events/"), "events/", nil), (.storage(call), "events/a", 13),
        (.segmentLost(name: "a-1.ndjson.gz", events: 7), "a-1.ndjson.gz", nil),
        (.ringInMemory(path: "events/", reason: call), "events/", 13),
        (.locked(path: "events/", errno: 1), "unlocked", 1), (.suspended, "resume()", nil), (.closed, "closed", nil),
        (.inForkedChild, "forked child", nil), (.closeTimedOut, "deadline", nil),
        (.onWritersThread, "onError", nil), (.noThread(errno: 11), "error 11", 11),
    ]

    @Test("each error is a sentence that names its cause, and has the errno of the system call if one failed", arguments: all.indices)
    func sentences(place: Int) {
        let (error, names, errno) = Self.all[place]
        let text = error.description
        #expect(text.contains(names) && error.errno == errno, "\(text)")
        #expect(!text.contains("Optional") && !text.contains("\n") && text.count < 300)
        if case .storage = error { return }
        #expect(text.hasSuffix("."), "\(text)")
    }

    @Test(
        "each reason that prevents forgetting says what to do about it, and no two say the same",
        arguments: ForgetResult.Refusal.allCases)
    func advice(refusal: ForgetResult.Refusal) {
        let advice = refusal.advice
        #expect(advice.contains(":") && !advice.hasSuffix("."))
        #expect(ForgetResult.Refusal.allCases.count { $0.advice == advice } == 1)
        // Every reason except the name asks to run the command again: a file of such a name is never touched.
        #expect(advice.contains("run this again") == (refusal != .notASegment))
        // A repair cannot make a sound file of nothing.
        #expect(advice.contains("move it away") == (refusal == .damaged))
    }
}
