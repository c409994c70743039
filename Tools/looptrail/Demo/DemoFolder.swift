import Basics

/// The folder that the demo writes to: one of earlier runs, an empty one, or a new one. It refuses any other folder.
///
/// A hidden marker file says that the folder is the demo's, and counts the runs. A run is counted before it begins, so that a run after a
/// killed one has other people.
struct DemoFolder {
    enum Failure: Error, CustomStringConvertible {
        case notADirectory(String)
        case foreign(String)
        case busy(String)
        case system(path: String, doing: String, SystemError)

        var description: String {
            switch self {
            case .notADirectory(let path): "`\(path)` is no folder; name one that is empty or not there yet"
            case .foreign(let path):
                "`\(path)` is not empty and not a folder of this demo; nothing was written to it. Name one that is empty or not there yet"
            case .busy(let path): "another demo is running in `\(path)`; wait for it, or name another folder"
            case .system(let path, let doing, let error): "cannot \(doing) `\(path)`: \(error)"
            }
        }
    }

    static let markerName = ".looptrail-demo"
    /// A marker that counts this many runs must be damaged: their four weeks would lie thousands of years from now.
    private static let mostRuns = 100_000

    let path: String
    /// How many runs there were before this one.
    let earlierRuns: Int
    /// The marker file's descriptor. Its lock keeps other runs out until ``release()``.
    private let marker: Int32

    /// Where the event files lie.
    var events: String { path + "/events" }
    /// The timeline of the last run's first visits.
    var timeline: String { path + "/loop.trace.json" }

    /// What the loops of the first visits did, for `looptrail inspect`.
    var recordings: String { path + "/recordings" }

    /// The page about the events of all runs.
    var report: String { path + "/" + DemoReport.fileName }
    /// The page that answers other funnels of these events.
    var explorer: String { path + "/" + DemoReport.explorerName }

    /// Takes the folder for one run, and makes it if it is not there.
    init(path: String) throws(Failure) {
        self.path = path
        if mkdir(path, 0o777) != 0 && errno != EEXIST { throw .system(path: path, doing: "make the folder", .current) }
        var status = stat()
        guard stat(path, &status) == 0 else { throw .system(path: path, doing: "look at", .current) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .notADirectory(path) }

        let markerPath = "\(path)/\(Self.markerName)"
        var descriptor = open(markerPath, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        if descriptor < 0 && errno == ENOENT {
            let isEmpty: Bool
            do throws(SystemError) { isEmpty = try OutputFolder.isEmpty(path) } catch { throw .system(path: path, doing: "list", error) }
            guard isEmpty else { throw .foreign(path) }
            descriptor = open(markerPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
        }
        guard descriptor >= 0 else { throw .system(path: markerPath, doing: "open", .current) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let busy = errno == EWOULDBLOCK
            let error = SystemError.current
            close(descriptor)
            throw busy ? .busy(path) : .system(path: markerPath, doing: "lock", error)
        }
        marker = descriptor
        do {
            earlierRuns = try Self.countRun(descriptor, path: markerPath)
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Releases the lock, so that another run can begin.
    func release() {
        // Closing alone may not unlock: a child process that another thread is starting may hold a copy of the descriptor.
        flock(marker, LOCK_UN)
        close(marker)
    }

    /// Returns the number of earlier runs, and counts this run in the marker.
    private static func countRun(_ descriptor: Int32, path: String) throws(Failure) -> Int {
        var bytes = [UInt8](repeating: 0, count: 32)
        let length = pread(descriptor, &bytes, bytes.count, 0)
        guard length >= 0 else { throw .system(path: path, doing: "read", .current) }
        // An empty marker is new. One without a number, or with too many runs, counts as one run, so that its people do not come again.
        let text = String(decoding: bytes[..<length], as: UTF8.self)
        let counted = length == 0 ? 0 : Int(text.prefix { $0.isNumber }) ?? 1
        let runs = counted < mostRuns ? counted : 1
        let next = Array("\(runs + 1)\n".utf8)
        guard pwrite(descriptor, next, next.count, 0) == next.count, fsync(descriptor) == 0 else {
            throw .system(path: path, doing: "write", .current)
        }
        return runs
    }
}
