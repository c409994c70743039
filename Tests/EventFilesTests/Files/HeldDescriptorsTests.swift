import LoopTesting
import Testing

@testable import EventFiles

@Suite struct HeldDescriptorsTests {
    @Test func `what is open is closed once, and what was closed is left alone`() throws {
        let folder = try WriterTestFolder()
        let files = FaultyFileSystem()
        let held = HeldDescriptors(on: files)
        let place = try held.openFolder(atPath: folder.path)
        try held.makeFolder("inside", in: place)
        _ = try held.openFolder("inside", in: place)
        let first = try held.create("a", in: place)
        held.close(first)
        _ = try held.open("a", in: place)
        #expect(files.openDescriptors == 3)
        held.closeAll()
        #expect(files.openDescriptors == 0)
        let closes = files.calls.count { $0.kind == .close }
        held.closeAll()
        #expect(files.calls.count { $0.kind == .close } == closes)
    }

    @Test func `a place is free again once its descriptor is closed`() throws {
        let folder = try WriterTestFolder()
        let files = FaultyFileSystem()
        let held = HeldDescriptors(on: files)
        for _ in 0..<100 { held.close(try held.openFolder(atPath: folder.path)) }
        _ = try (0..<5).map { _ in try held.openFolder(atPath: folder.path) }
        held.closeAll()
        #expect(files.openDescriptors == 0)
    }

    @Test func `more descriptors than it has places for are opened all the same`() throws {
        let folder = try WriterTestFolder()
        let held = HeldDescriptors(on: FaultyFileSystem())
        let places = try (0..<40).map { _ in try held.openFolder(atPath: folder.path) }
        #expect(Set(places).count == 40)
        for place in places { held.close(place) }
    }
}
