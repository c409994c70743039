import Foundation
import TestSupport
import Testing

@testable import LoopRecording

@Suite struct RecordedPatchTests {
    /// Applies a patch (RFC 6902) independently of the module, to Foundation's objects.
    private func apply(_ patch: String, to document: String) throws -> NSObject {
        func read(_ text: String) throws -> Any { try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed) }
        func unescaped(_ token: String) -> String {
            let key = NSMutableString(string: token)
            for (pair, sign) in [("~1", "/"), ("~0", "~")] {
                _ = key.replaceOccurrences(of: pair, with: sign, options: .literal, range: NSRange(location: 0, length: key.length))
            }
            return String(describing: key)
        }
        func changed(_ target: Any, _ keys: ArraySlice<String>, _ op: String, _ value: Any?) throws -> Any {
            guard let key = keys.first else { return try #require(value) }
            if var array = target as? [Any] {
                let index = try #require(Int(key))
                if keys.count > 1 {
                    array[index] = try changed(array[index], keys.dropFirst(), op, value)
                } else {
                    if op != "add" { array.remove(at: index) }
                    if op != "remove" { array.insert(try #require(value), at: index) }
                }
                return array
            }
            var object = try #require(target as? [String: Any])
            if keys.count > 1 {
                object[key] = try changed(try #require(object[key]), keys.dropFirst(), op, value)
            } else {
                #expect((object[key] == nil) == (op == "add"))
                object[key] = op == "remove" ? nil : value
            }
            return object
        }
        var root = try read(document)
        for step in try #require(try read(patch) as? [[String: Any]]) {
            // The path is split by scalars, because a mark may combine with a slash.
            let keys = try #require(step["path"] as? String).components(separatedBy: CharacterSet(charactersIn: "/")).dropFirst()
                .map(unescaped)
            root = try changed(root, keys[...], try #require(step["op"] as? String), step["value"])
        }
        return try #require(try JSONSerialization.jsonObject(with: JSONSerialization.data(withJSONObject: [root])) as? NSArray)
    }

    private func check(_ old: RecordedValue, _ new: RecordedValue) throws {
        let patch = RecordedPatch(from: old, to: new)
        let text = RecordedValue.array(patch.operations).json
        let expected = try JSONSerialization.jsonObject(with: Data("[\(new.json)]".utf8)) as? NSArray
        #expect(try apply(text, to: old.json) == expected)
        #expect(old.applying(try value(text)) == new)
    }

    private func value(_ json: String) throws -> RecordedValue { try #require(RecordedValue.parse(json)) }

    @Test func `no patch makes a tree so deep that a reader's stack overflows`() throws {
        var (tree, depth) = (RecordedValue.object([]), 0)
        while depth < 1_000 {
            let path = String(repeating: "/a", count: depth + 1)
            guard let deeper = tree.applying(try value("[{\"op\":\"add\",\"path\":\"\(path)\",\"value\":{}}]")) else { break }
            (tree, depth) = (deeper, depth + 1)
        }
        #expect(depth == 128)
    }

    @Test(arguments: [
        ("1", "2", #"[{"op":"replace","path":"","value":2}]"#), ("5", "5.0", "[]"), (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, "[]"),
        (#"{"a":{"b/~":1}}"#, #"{"a":{"b/~":2}}"#, #"[{"op":"replace","path":"/a/b~1~0","value":2}]"#),
        // A mark that combines with the slash before it.
        (
            "{\"\u{1F3FD}\":1,\"a/\u{301}~\u{301}\":{\"\u{301}\":1}}", "{\"\u{1F3FD}\":2,\"a/\u{301}~\u{301}\":{\"\u{301}\":2}}",
            "[{\"op\":\"replace\",\"path\":\"/\u{1F3FD}\",\"value\":2},{\"op\":\"replace\",\"path\":\"/a~1\u{301}~0\u{301}/\u{301}\",\"value\":2}]"
        ),
        (#"{"a":1}"#, #"{"b":null}"#, #"[{"op":"remove","path":"/a"},{"op":"add","path":"/b","value":null}]"#),
        ("[1,2,3]", "[1,9,2,3]", #"[{"op":"add","path":"/1","value":9}]"#),
        ("[1,2,3,4]", "[1,4]", #"[{"op":"remove","path":"/2"},{"op":"remove","path":"/1"}]"#),
        (
            #"[{"id":1,"n":1},{"id":2,"n":1},{"id":3,"n":1}]"#, #"[{"id":3,"n":1},{"id":1,"n":2},{"id":2,"n":1}]"#,
            #"[{"op":"remove","path":"/2"},{"op":"add","path":"/0","value":{"id":3,"n":1}},{"op":"replace","path":"/1/n","value":2}]"#
        ),
        ("{}", "[]", #"[{"op":"replace","path":"","value":[]}]"#),
    ])
    func `a patch says no more than what differs`(old: String, new: String, patch: String) throws {
        let (old, new) = (try value(old), try value(new))
        #expect(RecordedValue.array(RecordedPatch(from: old, to: new).operations).json == patch)
        try check(old, new)
    }

    @Test func `more than 512 operations become one replacement of the smallest part`() throws {
        let old = RecordedValue.object([("kept", .integer(1)), ("all", .array((0..<600).map { .integer($0) }))])
        let new = RecordedValue.object([("kept", .integer(2)), ("all", .array((0..<600).map { .integer($0 + 1_000) }))])
        let patch = RecordedPatch(from: old, to: new)
        #expect(patch.operations.map { $0["path"]?.text } == ["/kept", "/all"])
        try check(old, new)
    }

    @Test func `patches turn random trees into each other, as an independent implementation confirms`() throws {
        var random = Generator(state: 7)
        func tree(_ depth: Int) -> RecordedValue {
            switch Int.random(in: 0..<(depth > 0 ? 9 : 5), using: &random) {
            case 0: .null
            case 1: .bool(Bool.random(using: &random))
            case 2: .integer(Int64.random(in: -3...3, using: &random))
            case 3: .text(["", "a", "~/", "é"].randomElement(using: &random)!)
            case 4: .number(Double.random(in: 0...1, using: &random))
            case 5, 6: .array((0..<Int.random(in: 0...6, using: &random)).map { _ in tree(depth - 1) })
            case 7:
                .object(
                    ["x", "~1", "a/b", "", "id", "/\u{301}", "\u{1F3FD}"].filter { _ in Bool.random(using: &random) }.map {
                        ($0, tree(depth - 1))
                    })
            default: .array((0..<8).shuffled(using: &random).prefix(5).map { .object([("id", .integer(Int64($0))), ("v", tree(0))]) })
            }
        }
        for _ in 0..<(isNight ? 2_000 : 500) { try check(tree(4), tree(4)) }
    }

    @Test(arguments: [
        #"[{"op":"add","path":"/a/9","value":1}]"#, #"[{"op":"remove","path":"/x"}]"#, #"[{"op":"replace","path":"/a/-1","value":1}]"#,
        #"[{"op":"replace","path":"/t/u","value":1}]"#, #"[{"op":"replace","path":"x","value":1}]"#,
    ])
    func `a patch that does not fit changes nothing`(patch: String) throws {
        #expect(try value(#"{"a":[1],"t":"text"}"#).applying(try value(patch)) == nil)
    }

    @Test(arguments: [
        #"[{"op":"move","path":"/a","from":"/b"}]"#, #"[{"op":"add","path":"/a"}]"#, "{}", "[1]", #"[{"op":"test","path":"","value":1}]"#,
        #"[{"op":"inside","path":"/b","value":1}]"#,
    ])
    func `a text that is no patch of these operations is refused`(patch: String) throws {
        #expect(try value(#"{"b":1}"#).applying(try value(patch)) == nil)
    }

    @Test func `-0 in place of 0 is no change, as for a part that equals its earlier value`() {
        let (before, after) = (RecordedValue.array([.number(-0.0), .integer(0)]), RecordedValue.array([.integer(0), .number(-0.0)]))
        #expect(RecordedPatch(from: before, to: after).operations == [])
    }
}
