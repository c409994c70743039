import Basics
import Foundation
import LoopTesting
import LoopTracking
import Testing
import TrackingEvents

/// Keeps an id of an earlier run, and refuses calls as a full disk does.
private final class FullStore: AnonymousIDStore {
    let refuses: Lock<Set<String>>
    private let state = Lock((kept: String?.some("a-former"), refusals: 0))

    init(refusing calls: Set<String> = ["replace", "remove"]) { refuses = Lock(calls) }

    var kept: String? { state.withLock { $0.kept } }
    var refusals: Int { state.withLock { $0.refusals } }

    private func enter(_ call: String) throws(AnonymousIDError) {
        if !refuses.withLock({ $0.contains(call) }) { return }
        state.withLock { $0.refusals += 1 }
        throw .unwritable(path: "id", errno: ENOSPC)
    }

    func load(orKeep proposed: String) throws(AnonymousIDError) -> String {
        try enter("load")
        return state.withLock { state in
            state.kept = state.kept ?? proposed
            return state.kept ?? proposed
        }
    }

    func replace(with id: String) throws(AnonymousIDError) {
        try enter("replace")
        state.withLock { $0.kept = id }
    }

    func remove() throws(AnonymousIDError) {
        try enter("remove")
        state.withLock { $0.kept = nil }
    }
}

/// The anonymous id from run to run, from tracker to tracker.
@Suite struct TrackerIdentityTests {
    private let folder: IDFolder
    private let sink = MemorySink()
    private let errors = Lock<[TrackerError]>([])

    init() throws { folder = try IDFolder() }

    private func makeTracker(_ consent: TrackingConsent? = nil, user: String? = nil, store: (any AnonymousIDStore)? = nil) -> Tracker {
        Tracker(
            to: sink, user: user, anonymousIDs: store ?? folder.file, consent: consent,
            onError: { [errors] error in errors.withLock { $0.append(error) } })
    }

    private var said: [AnonymousIDError] {
        errors.withLock { $0.compactMap { if case .anonymousID(let error) = $0 { error } else { nil } } }
    }

    @Test func `the next run, and every other tracker, has the id of the first`() throws {
        let first = makeTracker().user
        #expect(first.hasPrefix("a-"))
        #expect(try folder.text() == first + "\n")
        for _ in 0..<3 { #expect(makeTracker().user == first) }
        #expect(said == [])
    }

    @Test func `a reset reaches other trackers with their next session`() async throws {
        let (one, two) = (makeTracker(), makeTracker())
        two.track(.event("a"))
        let before = two.user
        one.reset()
        try await one.flush()
        two.track(.event("b"))
        #expect(two.user == before, "a session has one anonymous id")
        two.endSession()
        two.track(.event("c"))
        #expect(two.user == one.user && two.user != before)
        #expect(makeTracker().user == one.user)
    }

    @Test func `another user on the device leaves no id of the one before`() async throws {
        let tracker = makeTracker()
        let anonymous = tracker.user
        tracker.identify("u1")
        #expect(try folder.text() == anonymous + "\n")
        tracker.identify("u2")
        try await tracker.flush()
        #expect(makeTracker().user != anonymous)
    }

    @Test(arguments: ["", "garbage", "a-", "\u{0}\u{0}\u{0}\u{0}"])
    func `a damaged file gives a new id, which is kept, and is said once`(text: String) throws {
        try folder.put(text)
        let id = makeTracker().user
        #expect(id.hasPrefix("a-") && id.count > 30)
        #expect(said == [.damaged(path: folder.file.path)])
        #expect(makeTracker().user == id)
        #expect(said.count == 1)
    }

    @Test func `a file that cannot be read is left alone, and the id lasts for the run`() throws {
        try FileManager.default.createDirectory(atPath: folder.file.path, withIntermediateDirectories: false)
        let tracker = makeTracker()
        let id = tracker.user
        tracker.track(.event("a"))
        tracker.endSession()
        tracker.track(.event("b"))
        #expect(tracker.user == id && sink.all.allSatisfy { $0.user == id })
        #expect(!said.isEmpty && said.allSatisfy { $0 == .notAFile(path: folder.file.path) })
        #expect(folder.names == ["id"])
    }

    @Test func `a locked device costs nothing: the kept id is there again afterwards`() throws {
        /// Refuses like a file on a device that is locked.
        final class Locked: AnonymousIDStore {
            let isLocked = Lock(true)
            let replaced = Lock(0)
            func load(orKeep proposed: String) throws(AnonymousIDError) -> String {
                if isLocked.withLock({ $0 }) { throw .unreadable(path: "id", errno: EACCES) }
                return "a-kept"
            }
            func replace(with id: String) throws(AnonymousIDError) { replaced.withLock { $0 += 1 } }
            func remove() throws(AnonymousIDError) {}
        }
        let store = Locked()
        let tracker = makeTracker(store: store)
        #expect(tracker.user != "a-kept" && said == [.unreadable(path: "id", errno: EACCES)])
        store.isLocked.withLock { $0 = false }
        tracker.track(.event("a"))
        #expect(tracker.user == "a-kept" && store.replaced.withLock { $0 } == 0)
    }

    @Test func `a file that somebody removed makes the next session begin with a new id`() throws {
        let tracker = makeTracker()
        tracker.track(.event("a"))
        let before = tracker.user
        try folder.file.remove()
        tracker.endSession()
        tracker.track(.event("b"))
        #expect(tracker.user != before)
        #expect(try folder.text() == tracker.user + "\n")
    }

    @Test func `denied: nothing is on the disk, before, while or after`() throws {
        let tracker = makeTracker(.denied)
        tracker.track(.event("a"))
        tracker.reset()
        tracker.identify("u1")
        tracker.reset()
        #expect(folder.names == [])
        tracker.setConsent(.granted)
        tracker.track(.event("b"))
        #expect(folder.names == ["id"])
        tracker.setConsent(.denied)
        #expect(folder.names == [])
        #expect(said == [])
    }

    @Test(arguments: [nil, "u1"] as [String?]) func `denied at the start forgets an id of earlier consent`(user: String?) throws {
        try folder.put("a-earlier\n")
        let tracker = makeTracker(.denied, user: user)
        #expect(folder.names == [])
        tracker.setConsent(.granted)
        tracker.reset()
        tracker.track(.event("a"))
        #expect(tracker.user.hasPrefix("a-") && tracker.user != "a-earlier")
    }

    @Test func `a tracker that is pending at the start goes on with the kept id`() throws {
        try folder.put("a-earlier\n")
        #expect(makeTracker(.pending).user == "a-earlier")
        #expect(try folder.text() == "a-earlier\n")
    }

    @Test(arguments: ["reset", "denial", "erasure", "denial at the start"])
    func `a change that the store refuses brings no former id back, and is made later`(change: String) async throws {
        let store = FullStore()
        let tracker = makeTracker(change == "denial at the start" ? .denied : .granted, store: store)
        tracker.track(.event("a"))
        #expect(tracker.user == "a-former" || change == "denial at the start")
        switch change {
        case "reset": tracker.reset()
        case "erasure": try await tracker.erase()
        default: tracker.setConsent(.denied)
        }
        tracker.setConsent(.granted)
        let own = tracker.user
        #expect(own != "a-former")
        for name in ["b", "c"] {
            tracker.track(.event(name))
            #expect(tracker.user == own && tracker.session != nil)
            tracker.endSession()
        }
        #expect(sink.events(named: "c").map(\.user) == [own])
        #expect(store.kept == "a-former" && said.contains(.unwritable(path: "id", errno: ENOSPC)))
        let refusals = store.refusals
        tracker.setSharedProperty("x", forKey: "k")
        #expect(store.refusals == refusals || change == "reset", "what changes nothing asks the store for nothing")
        store.refuses.withLock { $0 = [] }
        try await tracker.flush()
        tracker.track(.event("d"))
        #expect(tracker.user == own && store.kept == own)
    }

    @Test func `where only a new id finds no room, the former one goes, so that the next run does not have it`() async throws {
        let store = FullStore(refusing: ["replace"])
        let tracker = makeTracker(store: store)
        tracker.track(.event("a"))
        #expect(tracker.user == "a-former")
        tracker.reset()
        try await tracker.flush()
        #expect(store.kept == nil && tracker.user != "a-former")
    }

    @Test func `erasing forgets the id`() async throws {
        let tracker = makeTracker()
        tracker.track(.event("a"))
        let before = tracker.user
        try await tracker.erase()
        #expect(folder.names == [])
        tracker.track(.event("b"))
        #expect(tracker.user != before)
        #expect(try folder.text() == tracker.user + "\n")
    }

    @Test func `a known user needs no anonymous id and leaves the kept one for later`() async throws {
        try folder.put("a-earlier\n")
        let tracker = makeTracker(user: "u1")
        tracker.track(.event("a"))
        #expect(try folder.text() == "a-earlier\n")
        tracker.reset()
        #expect(tracker.user != "a-earlier" && tracker.user.hasPrefix("a-"))
        try await tracker.flush()
        #expect(try folder.text() == tracker.user + "\n")
    }

    @Test func `a closure that hears of errors may call the tracker`() throws {
        try folder.put("garbage")
        let heard = Lock<[String]>([])
        let box = Lock<Tracker?>(nil)
        let tracker = Tracker(
            to: sink, anonymousIDs: folder.file, onError: { _ in heard.withLock { $0.append(box.withLock { $0 }?.user ?? "none") } })
        box.withLock { $0 = tracker }
        try folder.put("garbage")
        tracker.track(.event("a"))
        #expect(heard.withLock { $0 } == ["none", tracker.user])
        box.withLock { $0 = nil }
    }

    @Test func `eight trackers on eight threads share one id`() async {
        let users = await withTaskGroup(of: String.self) { group in
            for _ in 0..<8 {
                group.addTask { [self] in
                    let tracker = makeTracker()
                    for _ in 0..<20 {
                        tracker.track(.event("a"))
                        tracker.endSession()
                    }
                    return tracker.user
                }
            }
            return await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(users.count == 1 && Set(sink.all.map(\.user)).count == 1)
        #expect(said == [])
    }
}
