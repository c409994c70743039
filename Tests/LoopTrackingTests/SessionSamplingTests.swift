import Testing

@testable import LoopTracking

/// The module's `SessionSampling`, for suites that import only its public side.
enum SessionShare {
    static func of(_ session: String) -> Double { SessionSampling.share(of: session) }
}

/// The hash that decides which sessions are tracked. It is part of the format: another program finds the same sessions.
@Suite struct SessionSamplingTests {
    @Test(arguments: [
        ("", "0.9576734252420561"), ("a", "0.010753497314070604"), ("0123456789abcdef", "0.3748591161814947"), ("ü", "0.46553611702686115"),
    ])
    func `the share of a session is what is written down`(session: String, share: String) throws {
        #expect(SessionSampling.share(of: session) == (try #require(Double(share))))
    }

    @Test func `shares are spread evenly over 0 up to 1`() {
        var tenths = [Int](repeating: 0, count: 10)
        for number in 0..<20_000 { tenths[Int(SessionSampling.share(of: String(number, radix: 16)) * 10)] += 1 }
        // 2,000 are expected in each tenth; 215 are five standard deviations.
        #expect(tenths.allSatisfy { abs($0 - 2_000) < 215 })
    }

    @Test func `a smaller sample is a part of a larger one`() {
        for number in 0..<1_000 where SessionSampling.includes("s\(number)", rate: 0.1) {
            #expect(SessionSampling.includes("s\(number)", rate: 0.3))
        }
    }
}
