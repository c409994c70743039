import Foundation
import TestSupport
import Testing

@testable import EventUpload

#if canImport(FoundationNetworking)
import FoundationNetworking

/// What FoundationNetworking does not report to its delegate.
@Suite(.notForever) struct HTTPTransportTests {
    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect whose body does not end is an error after the limit`(status: Int) async throws {
        let server = try ScriptedServer { _, _ in .answerWithoutEnd(status) }
        defer { server.close() }
        // The limit may be over before the answer has come. The error is the same.
        let transport = HTTPTransport(.ephemeral, answerLimit: .milliseconds(300))
        defer { transport.close() }
        let error = UploadError.transport("no whole answer came in time")
        await #expect(throws: error) { try await transport.ask(URLRequest(url: server.base)) }
    }
}
#endif
