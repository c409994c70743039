import Basics
import EventUpload
import Foundation
import TestSupport
import Testing

/// Real requests over real connections.
@Suite(.notForever) struct HTTPDestinationTests {
    private static let name = "events-1a2b3c4d5e6f7081-0000000001.ndjson.gz"
    let folder: UploadTestFolder

    init() throws { folder = try UploadTestFolder() }

    /// A segment of the given size, in a file.
    private func segment(bytes: Int = 20_000) throws -> (SealedSegment, [UInt8]) {
        let contents = bytes > 20_000 ? [UInt8](repeating: 31, count: bytes) : (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try Data(contents).write(to: URL(fileURLWithPath: folder.path + "/" + Self.name))
        let segment = SealedSegment(
            name: Self.name, path: folder.path + "/" + Self.name, bytes: Int64(bytes), sha256: Array(repeating: 0xAB, count: 32))
        return (segment, contents)
    }

    @Test func `the request is a PUT of the file's bytes, with the headers of the contract and the user's`() async throws {
        let server = try ScriptedServer { _, _ in .answer(201) }
        defer { server.close() }
        let (segment, contents) = try segment()
        let destination = HTTPDestination(server.base) { ["Authorization": "Bearer abc", "If-None-Match": "mine", "X-App": "shop"] }
        #expect(try await destination.upload(segment) == .stored)
        let request = try #require(server.requests.first)
        #expect(server.requests.count == 1 && request.method == "PUT" && request.path == "/in/" + Self.name && request.body == contents)
        #expect(request.headers["content-type"] == "application/gzip")
        #expect(request.headers["content-length"] == "20000")
        #expect(request.headers["if-none-match"] == "*", "the user's headers replace none of ours")
        #expect(request.headers["repr-digest"] == "sha-256=:\(Data(segment.sha256).base64EncodedString()):")
        #expect(request.headers["authorization"] == "Bearer abc" && request.headers["x-app"] == "shop")
        #expect(request.headers["content-encoding"] == nil && request.headers["transfer-encoding"] == nil)
    }

    @Test(arguments: [("/in", "/in/"), ("/in/", "/in/"), ("", "/"), ("/in?name=", "/in?name=")])
    func `the segment's name follows the base address`(base: String, start: String) async throws {
        let server = try ScriptedServer { _, _ in .answer(201) }
        defer { server.close() }
        let destination = try HTTPDestination(address: "http://127.0.0.1:\(server.port)\(base)")
        _ = try await destination.upload(segment(bytes: 10).0)
        #expect(server.requests.map(\.path) == [start + Self.name])
    }

    @Test(arguments: ["Authorization", "authorization", "Cookie"])
    func `a token goes over plain http to no other machine, unless the call says so`(name: String) async throws {
        // No host of this name exists anywhere (RFC 2606): a request that is made fails.
        let base = URL(string: "http://collect.invalid/in/")!
        let (segment, _) = try segment(bytes: 10)
        let refused = HTTPDestination(base) { [name: "Bearer abc"] }
        #expect(try await refused.upload(segment) == .refused(.unencrypted("http://collect.invalid/in/" + Self.name)))
        for destination in [HTTPDestination(base, allowsPlainHTTP: true) { [name: "Bearer abc"] }, HTTPDestination(base)] {
            await #expect(throws: UploadError.self) { try await destination.upload(segment) }
        }
    }

    @Test(arguments: [
        ("http://localhost:8080/", false), ("http://127.0.0.1/", false), ("http://127.8.9.1/", false), ("http://[::1]/", false),
        ("https://example.org/", false), ("http://example.org/", true), ("http://127.0.0.1.example.org/", true), ("HTTP://10.0.0.1/", true),
    ])
    func `an address is plain if others can read a request on its way`(address: String, isPlain: Bool) throws {
        #expect(try #require(URL(string: address)).isPlain(in: [:]) == isPlain)
    }

    #if !canImport(Darwin)
    @Test(
        "a proxy from the environment is used even for this machine, unless no_proxy exempts it",
        arguments: [
            (["http_proxy": "http://proxy:3128"], true), (["all_proxy": "proxy"], true), (["ALL_PROXY": "proxy"], true),
            (["http_proxy": ""], false), (["HTTP_PROXY": "proxy"], false), (["https_proxy": "proxy"], false),
            (["http_proxy": "proxy", "no_proxy": "example.org, localhost"], false), (["http_proxy": "proxy", "NO_PROXY": "*"], false),
            (["http_proxy": "proxy", "no_proxy": "127.0.0.1,.example.org"], true),
        ] as [([String: String], Bool)])
    func proxies(environment: [String: String], isPlain: Bool) throws {
        #expect(try #require(URL(string: "http://localhost:8080/")).isPlain(in: environment) == isPlain)
        #expect(try !#require(URL(string: "https://localhost/")).isPlain(in: environment))
    }
    #endif

    @Test(arguments: [301, 302, 303, 307, 308])
    func `after a redirect to another origin no request and no token goes there`(status: Int) async throws {
        let foreign = try ScriptedServer { _, _ in .answer(201) }
        defer { foreign.close() }
        let place = "http://127.0.0.1:\(foreign.port)/in/x"
        let server = try ScriptedServer { _, _ in .answer(status, ["Location": place]) }
        defer { server.close() }
        let destination = HTTPDestination(server.base) { ["Authorization": "Bearer abc"] }
        #expect(try await destination.upload(segment().0) == .refused(.redirected(status: status, to: place)))
        #expect(foreign.requests.isEmpty && server.requests.count == 1)
    }

    @Test(arguments: [307, 308])
    func `307 and 308 to the same origin get the whole file again`(status: Int) async throws {
        let server = try ScriptedServer { request, _ in
            request.path.hasPrefix("/in/") ? .answer(status, ["Location": "/moved/x"]) : .answer(201)
        }
        defer { server.close() }
        let (segment, contents) = try segment()
        let destination = HTTPDestination(server.base) { ["Authorization": "Bearer abc"] }
        #expect(try await destination.upload(segment) == .stored)
        let last = try #require(server.requests.last)
        #expect(server.requests.map(\.path) == ["/in/" + Self.name, "/moved/x"] && last.body == contents)
        #expect(last.headers["authorization"] == "Bearer abc" && last.headers["if-none-match"] == "*")
    }

    @Test(arguments: [301, 302, 303])
    func `a redirect that would lose the body leads to no second request`(status: Int) async throws {
        let server = try ScriptedServer { _, _ in .answer(status, ["Location": "/moved/x"]) }
        defer { server.close() }
        #expect(try await HTTPDestination(server.base).upload(segment().0) == .refused(.redirected(status: status, to: "/moved/x")))
        #expect(server.requests.count == 1)
    }

    @Test func `after 412 the length is asked for, with the headers and without the condition`() async throws {
        let server = try ScriptedServer { request, _ in
            request.method == "HEAD" ? .answer(200, ["Content-Length": "20000"]) : .answer(412)
        }
        defer { server.close() }
        let destination = HTTPDestination(server.base) { ["Authorization": "Bearer abc"] }
        #expect(try await destination.upload(segment().0) == .stored)
        let head = try #require(server.requests.last)
        #expect(head.method == "HEAD" && head.headers["authorization"] == "Bearer abc" && head.headers["if-none-match"] == nil)
    }

    @Test func `another length under the name is a conflict`() async throws {
        let server = try ScriptedServer { request, _ in
            request.method == "HEAD" ? .answer(200, ["Content-Length": "19999"]) : .answer(412)
        }
        defer { server.close() }
        #expect(
            try await HTTPDestination(server.base).upload(segment().0)
                == .refused(.conflict(name: Self.name, bytes: 20_000, there: 19_999)))
    }

    @Test(arguments: [401, 403], ["Bearer", "Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"1\"", "NTLM", "Negotiate", "nonsense, ,="])
    func `a token that has expired is asked for once more`(status: Int, challenge: String) async throws {
        let server = try ScriptedServer { request, _ in
            // The challenge must not make the system repeat the request by itself.
            request.headers["authorization"] == "Bearer 2" ? .answer(201) : .answer(status, ["WWW-Authenticate": challenge])
        }
        defer { server.close() }
        let asked = Lock(0)
        let destination = HTTPDestination(server.base) {
            ["Authorization": "Bearer \(asked.withLock { count in count += 1; return count })"]
        }
        #expect(try await destination.upload(segment().0) == .stored)
        #expect(server.requests.map { $0.headers["authorization"] } == ["Bearer 1", "Bearer 2"])
        #expect(server.requests.allSatisfy { $0.body.count == 20_000 })
    }

    @Test func `Retry-After is passed on`() async throws {
        let server = try ScriptedServer { _, _ in .answer(503, ["Retry-After": "120"]) }
        defer { server.close() }
        #expect(
            try await HTTPDestination(server.base).upload(segment().0)
                == .later(.status(503, name: Self.name), after: .seconds(120)))
    }

    @Test(arguments: [201, 503])
    func `an answer whose body does not end does not delay the upload`(status: Int) async throws {
        let server = try ScriptedServer { _, _ in .answerWithoutEnd(status) }
        defer { server.close() }
        let answer = try await HTTPDestination(server.base).upload(segment().0)
        #expect(answer == (status == 201 ? .stored : .later(.status(status, name: Self.name), after: nil)))
    }

    @Test(arguments: [413, 201])
    func `an answer before the body has been read ends the upload, and is success only if all was sent`(status: Int) async throws {
        let server = try ScriptedServer { _, _ in .answerEarly(status) }
        defer { server.close() }
        let (segment, _) = try segment(bytes: 20_000_000)
        do {
            switch try await HTTPDestination(server.base).upload(segment) {
            case .stored: Issue.record("nothing was read")
            case .later(.acknowledgedEarly(Self.name, let sent, 20_000_000), nil): #expect(status == 201 && sent < 20_000_000)
            case .refused(let error), .unconfirmed(let error): #expect(status == 413 && error == .status(413, name: Self.name))
            case .later(let error, _): Issue.record("\(error)")
            }
        } catch let error as UploadError {
            // The connection may break before the answer is seen.
            guard case .transport = error else { throw error }
        }
    }

    @Test func `a connection that breaks anywhere in the body is an error, and a hundred of them do not end the process`()
        async throws
    {
        let server = try ScriptedServer { _, number in number % 4 == 0 ? .close : .reset(after: number * 200) }
        defer { server.close() }
        let (segment, _) = try segment()
        let destination = HTTPDestination(server.base)
        for _ in 0..<100 {
            await #expect(throws: UploadError.self) { try await destination.upload(segment) }
        }
        #expect(server.requests.count >= 100)
    }

    @Test func `a reply that is lost after others came is an error, and no request is made again without its body`() async throws {
        // A client that reuses the first connection repeats the broken request by itself, on Linux with an empty body.
        let server = try ScriptedServer { _, number in number == 2 ? .reset(after: .max) : .answer(503) }
        defer { server.close() }
        let (segment, contents) = try segment()
        let destination = HTTPDestination(server.base)
        _ = try await destination.upload(segment)
        await #expect(throws: UploadError.self) { try await destination.upload(segment) }
        _ = try await destination.upload(segment)
        #expect(server.requests.map(\.body.count) == Array(repeating: contents.count, count: 3))
    }

    @Test func `a server that is not there is an error`() async throws {
        let server = try ScriptedServer { _, _ in .close }
        server.close()
        await #expect(throws: UploadError.self) { try await HTTPDestination(server.base).upload(segment().0) }
    }

    @Test func `a request that is called back ends at once`() async throws {
        let server = try ScriptedServer { _, _ in .silence }
        defer { server.close() }
        let destination = HTTPDestination(server.base)
        let (segment, _) = try segment()
        let task = Task { try await destination.upload(segment) }
        // The request has come, and no answer will.
        await server.until(requests: 1)
        task.cancel()
        await #expect(throws: UploadError.self) { try await task.value }
    }

    @Test func `a request that is called back while it is being begun ends, however often that is tried`() async throws {
        let server = try ScriptedServer { _, _ in .answer(201) }
        defer { server.close() }
        let destination = HTTPDestination(server.base)
        let (segment, _) = try segment(bytes: 100)
        for _ in 0..<200 {
            let task = Task { try await destination.upload(segment) }
            task.cancel()
            // The segment may be stored or not, but the task must end.
            _ = await task.result
        }
    }

    @Test func `a file that was cut is not sent`() async throws {
        let server = try ScriptedServer { _, _ in .answer(201) }
        defer { server.close() }
        let (segment, _) = try segment()
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: segment.path))
        await #expect(throws: UploadError.changed(path: segment.path)) { try await HTTPDestination(server.base).upload(segment) }
        #expect(server.requests.isEmpty)
    }

    @Test func `addresses may be given for each method and name`() async throws {
        let server = try ScriptedServer { _, _ in .answer(412) }
        defer { server.close() }
        let base = server.base
        let destination = HTTPDestination(addresses: { method, name in
            method == .put ? URL(string: base.absoluteString + name + "?signature=1") : nil
        })
        guard case .unconfirmed = try await destination.upload(segment().0) else {
            Issue.record("nobody can ask what is there, and it counts as stored")
            return
        }
        #expect(server.requests.map(\.path) == ["/in/\(Self.name)?signature=1"])
    }

    @Test func `a closure that throws is an error with its text`() async throws {
        let server = try ScriptedServer { _, _ in .answer(201) }
        defer { server.close() }
        let (segment, _) = try segment()
        await #expect(throws: UploadError.headers("dummy")) {
            try await HTTPDestination(server.base, headers: { throw Fault.dummy }).upload(segment)
        }
        await #expect(throws: UploadError.headers("dummy")) {
            try await HTTPDestination(addresses: { _, _ in throw Fault.dummy }).upload(segment)
        }
        #expect(server.requests.isEmpty)
    }

    @Test func `an address that is not HTTP is refused without a request`() async throws {
        let url = URL(string: "file:///tmp/in/")!
        #expect(
            try await HTTPDestination(url).upload(segment().0) == .refused(.badAddress("file:///tmp/in/" + Self.name)))
    }
}
