import Foundation
import Testing

@testable import TrackingEvents

private func hexadecimal(_ digest: SHA256.Digest) -> String { (0..<32).map { String(format: "%02x", digest[$0]) }.joined() }

/// The vectors of FIPS 180-4's example document and of RFC 4231.
@Suite struct SHA256Tests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
        (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
    func `the digests of FIPS 180-4 come out`(message: String, digest: String) {
        #expect(hexadecimal(SHA256.digest(of: Array(message.utf8))) == digest)
        #expect(hexadecimal(SHA256.digest(of: message.utf8)) == digest)
    }

    @Test func `a message in pieces of any size has the digest of the whole`() {
        let message = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for length in 0...message.count {
            let whole = SHA256.digest(of: message[..<length])
            for piece in [1, 3, 55, 56, 63, 64, 65, 128] {
                var hash = SHA256()
                for start in stride(from: 0, to: length, by: piece) {
                    message[start..<min(start + piece, length)].withUnsafeBytes { hash.update($0) }
                }
                let digest = hash.finish()
                #expect(digest == whole, "\(length) bytes in pieces of \(piece)")
            }
        }
    }

    @Test(
        arguments: [
            (
                [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
            ),
            (
                Array(0x01...0x19), [UInt8](repeating: 0xCD, count: 50),
                "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
            ),
            ([UInt8](repeating: 0x0C, count: 20), Array("Test With Truncation".utf8), "a3b6167473100ee06e0c796c2955552b"),
            (
                [UInt8](repeating: 0xAA, count: 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
            (
                [UInt8](repeating: 0xAA, count: 131),
                Array(
                    ("This is a test using a larger than block-size key and a larger than block-size data. "
                        + "The key needs to be hashed before being used by the HMAC algorithm.").utf8),
                "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
            ),
        ] as [([UInt8], [UInt8], String)])
    func `the seven codes of RFC 4231 come out`(key: [UInt8], message: [UInt8], code: String) {
        let hash = HMACSHA256(key: key)
        #expect(message.withUnsafeBytes { hexadecimal(hash.code(of: $0)) }.hasPrefix(code))
        #expect(message.withUnsafeBytes { hexadecimal(hash.code(of: $0)) }.hasPrefix(code), "a key serves many messages")
    }
}
