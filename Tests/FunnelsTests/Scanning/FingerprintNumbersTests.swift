import EventFiles
import Testing

@testable import Funnels

@Suite("Numbers of fingerprints")
struct FingerprintNumbersTests {
    /// A summary's users are appended by the thousand; then a value comes that has to be looked up.
    @Test func `after many fingerprints were appended, a new one gets the next number`() {
        var numbers = FingerprintNumbers(expecting: 64)
        let appended = (0..<10_000).map { Fingerprint.of("user \($0)") }
        for (number, fingerprint) in appended.enumerated() { #expect(numbers.append(fingerprint) == UInt32(number)) }
        for number in 0..<1_000 { #expect(numbers.number(of: .of("value \(number)")) == 10_000 + number) }
        for (number, fingerprint) in appended.enumerated() { #expect(numbers.known(fingerprint) == number) }
    }
}
