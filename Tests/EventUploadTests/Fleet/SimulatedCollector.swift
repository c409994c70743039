import EventUpload
import Foundation
import LoopTesting
import TrackingEvents

@testable import EventFiles

/// A server's folder of everybody's segments. It never replaces a file.
final class SimulatedCollector {
    static let folder = "in"

    /// All files by name, including those that are no segments.
    private(set) var files: [String: [UInt8]] = [:]
    /// The number of the device that sent each segment.
    private(set) var senders: [String: Int] = [:]
    /// A fault to plant: a segment that is there already is stored under another name.
    var storesTwice = false
    /// A fault to plant: forgetting a person removes the old file and leaves no tombstone.
    var buriesNothing = false
    /// Events that were removed for good.
    private(set) var forgotten: Set<SimulatedDevice.Event> = []
    /// Events that may or may not have been removed, because a run was killed or did not complete.
    private(set) var perhapsForgotten: Set<SimulatedDevice.Event> = []
    private(set) var broken: [String] = []
    /// Persons whose events are not all removed yet, because a run was killed or did not complete.
    private var unfinished: Set<String> = []
    private var random: SeededRandom
    var log: ((String) -> Void)?

    init(random: SeededRandom) { self.random = random }

    /// - Returns: `false` if the name is taken, unless ``storesTwice`` is planted.
    func store(_ name: String, _ bytes: [UInt8], from device: Int) -> Bool {
        if files[name] == nil {
            files[name] = bytes
            senders[name] = device
            if !forgotten.isEmpty, SegmentReading(bytes).events.contains(where: forgotten.contains) {
                broken.append("\(name) brings back what was forgotten")
            }
            return true
        }
        if storesTwice {
            files["again-\(name)"] = bytes
            senders["again-\(name)"] = device
        }
        return storesTwice
    }

    func length(of name: String) -> Int64? { files[name].map { Int64($0.count) } }

    /// Removes one person's events, and is perhaps killed meanwhile.
    ///
    /// - Parameter mayDie: whether it may be killed.
    func forget(_ user: String, mayDie: Bool) {
        if files.isEmpty { return }
        let killAt = mayDie && Bool.random(using: &random) ? Int.random(in: 1..<80, using: &random) : nil
        let before = files.map { (path: "\(Self.folder)/\($0.key)", bytes: $0.value) }
        var theirs: Set<SimulatedDevice.Event> = []
        for (_, bytes) in before { theirs.formUnion(SegmentReading(bytes).events(of: user)) }
        // This draw keeps the runs of seeds that once found a fault.
        _ = random.next()
        let run = Forgetting.run(user, in: Self.folder, of: before, killAt: killAt)
        let new = Dictionary(uniqueKeysWithValues: run.files.map { (String($0.path.dropFirst(Self.folder.count + 1)), $0.bytes) })
        for name in new.keys where senders[name] == nil {
            let old = files.keys.first { name == SegmentName.parse($0).map { ForgetRewriting.replacement(of: $0.name).sealed } }
            if let old { senders[name] = senders[old] }
        }
        let removed = files.filter { name, bytes in new[name] != bytes }
        files = new
        if buriesNothing { for name in removed.keys { files[name] = nil } }
        if run.report?.isComplete == true {
            forgotten.formUnion(theirs)
            unfinished.remove(user)
            if files.values.contains(where: { !SegmentReading($0).events(of: user).isEmpty }) { broken.append("\(user) is left after all") }
        } else {
            perhapsForgotten.formUnion(theirs)
            unfinished.insert(user)
            log?("  collector: \(run.report?.files.map { "\($0.path.suffix(50)) \($0.outcome)" } ?? ["\(run.error as Any)"])")
        }
    }

    /// Repeats the runs that were killed.
    func finishForgetting() {
        for user in unfinished.sorted() { forget(user, mayDie: false) }
        if !unfinished.isEmpty { broken.append("nobody can forget \(unfinished.sorted())") }
    }
}

/// Runs ``EventForgetting`` on a copy of files in a real folder, because it finds files only by real paths.
enum Forgetting {
    /// - Parameters:
    ///   - folder: the folder of segments among the files.
    ///   - killAt: before which call the process dies; `nil` for none.
    ///   - interruptAt: before which step a suspension ends the run; `nil` for none.
    /// - Returns: the files afterwards, and the report of a run that reached its end, or its error.
    static func run(
        _ user: String, in folder: String, of files: [(path: String, bytes: [UInt8])], killAt: Int?, interruptAt: Int? = nil
    ) -> (files: [(path: String, bytes: [UInt8])], report: ForgetResult?, error: (any Error)?) {
        guard let place = try? UploadTestFolder() else { return (files, nil, nil) }
        for (path, bytes) in files.sorted(by: { $0.path < $1.path }) {
            let whole = URL(fileURLWithPath: "\(place.path)/\(path)")
            try? FileManager.default.createDirectory(
                at: whole.deletingLastPathComponent(), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            _ = FileManager.default.createFile(atPath: whole.path, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
        }
        let system = FaultyFileSystem { call in call.number == killAt ? .kill : nil }
        let forgetting = EventForgetting([user], in: ["\(place.path)/\(folder)"], fileSystem: system.fileSystem)
        var steps = 0
        let report = Result {
            try forgetting.run(changes: true, threads: 1, progress: nil) {
                steps += 1
                if steps == interruptAt { throw EventFileError.suspended }
            }
        }
        if system.openDescriptors > 0, !system.isKilled { return (files, nil, EventFileError.closed) }
        let root = place.path + "/"
        let left = (FileManager.default.subpaths(atPath: place.path) ?? []).sorted().compactMap { path -> (path: String, bytes: [UInt8])? in
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: root + path, isDirectory: &isFolder), !isFolder.boolValue else { return nil }
            return FileManager.default.contents(atPath: root + path).map { (path, [UInt8]($0)) }
        }
        switch report {
        case .success(let report) where !system.isKilled: return (left, report, nil)
        case .success: return (left, nil, nil)
        case .failure(let error): return (left, nil, error)
        }
    }
}
