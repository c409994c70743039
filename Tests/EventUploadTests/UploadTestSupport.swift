import Basics
import EventFiles
import EventUpload
import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

/// A folder for one test. It is removed with this object.
final class UploadTestFolder: Sendable {
    let path: String

    init() throws {
        path = testFolders + "looptrail-upload-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The relative paths of all files, without the uploader's journal, rings and the number of the last erasure.
    var files: [String] {
        let all = FileManager.default.subpaths(atPath: path) ?? []
        return all.filter { name in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isFolder) && !isFolder.boolValue
                && name != UploadLock.name && name != ".erased" && !name.hasSuffix(".ring")
        }.sorted()
    }

    var sealed: [String] { files.filter { SegmentName.parse($0)?.state == .sealed } }

    func put(_ text: String, _ name: String, in inside: String? = nil) throws {
        let folder = inside.map { path + "/" + $0 } ?? path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
    }

    func text(_ name: String) -> String? {
        FileManager.default.contents(atPath: path + "/" + name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// What the uploader's journal says, without the blank lines behind it.
    var journal: String {
        var text = text(UploadLock.name) ?? ""
        while text.hasSuffix("\n\n") || text == "\n" { text.removeLast() }
        return text
    }
}

/// The name of the n-th segment.
func segment(_ number: Int64, writer: UInt64 = 1, stem: String = "events") -> SegmentName {
    SegmentName(stem: stem, writer: writer, number: number)
}

/// Time that a test moves.
final class UploadTestClock: Sendable {
    private let now = Lock(Int64(1_767_225_600_000) * 1_000_000)

    var wall: WallClock { WallClock { [self] in now.withLock { $0 } / 1_000_000 } }
    var monotonic: MonotonicClock { MonotonicClock { [self] in now.withLock { $0 } } }

    func advance(_ duration: Duration) { now.withLock { $0 += duration.clampedNanoseconds } }
}

extension UploadMachine {
    init(
        _ folder: UploadTestFolder, clock: UploadTestClock = UploadTestClock(), fileSystem: any FileSystem = PosixFileSystem(),
        keepSent: Duration = .zero, seed: UInt64 = 1, sendsSummaries: Bool = false, mayLook: @escaping @Sendable () -> Bool = { true },
        mayUpload: @escaping @Sendable () -> Bool = { true }
    ) {
        self.init(
            folder: folder.path, fileSystem: fileSystem, keepSent: keepSent, clock: clock.monotonic, wallClock: clock.wall,
            random: SeededRandom(seed: seed), sendsSummaries: sendsSummaries, mayLook: mayLook, mayUpload: mayUpload)
    }

    /// The name of the segment that is sent next; `nil` if there is none.
    mutating func nextName() throws -> String? {
        if case .send(let segment) = try next() { segment.name } else { nil }
    }

    /// Answers every segment that can be sent with success, and returns their names.
    mutating func sendAll() throws -> [String] {
        var names: [String] = []
        while let name = try nextName() {
            names.append(name)
            _ = answered(.stored)
        }
        return names
    }
}

/// A destination that a test answers for.
final class TestDestination: UploadDestination {
    struct State {
        /// The names of the segments that came, in order.
        var names: [String] = []
        var underWay = 0
        var mostAtOnce = 0
        var contents: [String: [UInt8]] = [:]
    }

    let state = Announced(State())
    private let answer: @Sendable (SealedSegment, _ attempt: Int) async throws -> UploadAnswer

    init(_ answer: @escaping @Sendable (SealedSegment, _ attempt: Int) async throws -> UploadAnswer = { _, _ in .stored }) {
        self.answer = answer
    }

    var names: [String] { state.value.names }

    func upload(_ segment: SealedSegment) async throws -> UploadAnswer {
        let attempt = state.change { state in
            state.names.append(segment.name)
            state.underWay += 1
            state.mostAtOnce = max(state.mostAtOnce, state.underWay)
            return state.names.count
        }
        defer { state.change { $0.underWay -= 1 } }
        let answer = try await answer(segment, attempt)
        if answer == .stored, let bytes = FileManager.default.contents(atPath: segment.path) {
            state.change { $0.contents[segment.name] = Array(bytes) }
        }
        return answer
    }
}

/// The n-th event of a session.
func testEvent(_ number: Int, session: String = "s1") -> StampedEvent {
    var random = SeededRandom(seed: UInt64(number) &* 31 &+ UInt64(session.utf8.count))
    return StampedEvent(
        timeMilliseconds: 1_767_225_600_000 + Int64(number), event: TrackingEvent("cart_added", ["price": 9.5]), user: "u1",
        session: session, sequence: Int64(number), id: EventID(milliseconds: 1_767_225_600_000 + Int64(number), random: &random),
        kind: .track)
}
