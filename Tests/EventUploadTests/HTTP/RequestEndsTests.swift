import Testing

@testable import EventUpload

@Suite struct RequestEndsTests {
    private struct Broken: Error {}
    private let ends = RequestEnds<String>()

    @Test func `an end comes to whoever waits`() async throws {
        ends.expect(1)
        #expect(try await ends.wait(for: 1) { ends.ended(1, .success("stored")) } == "stored")
    }

    @Test func `an end that came before somebody waits is kept, and nothing is begun`() async throws {
        ends.expect(1)
        ends.ended(1, .failure(Broken()))
        await #expect(throws: Broken.self) { try await ends.wait(for: 1) { Issue.record("it has ended") } }
    }

    @Test func `requests do not get each other's ends`() async throws {
        for request in 1...3 { ends.expect(request) }
        ends.ended(2, .success("two"))
        #expect(try await ends.wait(for: 1) { ends.ended(1, .success("one")) } == "one")
        #expect(try await ends.wait(for: 2) {} == "two")
        #expect(try await ends.wait(for: 3) { ends.ended(3, .success("three")) } == "three")
    }

    @Test func `the first end counts, and that of a request that nobody expects does not`() async throws {
        ends.ended(1, .success("of an earlier process"))
        ends.expect(1)
        ends.ended(1, .success("first"))
        ends.ended(1, .failure(Broken()))
        #expect(try await ends.wait(for: 1) {} == "first")
    }
}
