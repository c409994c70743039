import Testing

@testable import Funnels

@Suite("Which steps an event fits")
struct StepMatcherTests {
    private func steps(_ text: String, name: String, props: String = "{}") throws -> [Int] {
        let matcher = StepMatcher(try FunnelDefinition(steps: FunnelStep.parse(text)))
        let byName = matcher.steps(named: Array(name.utf8))
        let mask = Array(props.utf8).withUnsafeBytes { matcher.steps(of: byName, holdingFor: EventProperties($0)) }
        return (0..<32).filter { mask >> UInt64($0) & 1 == 1 }.map { $0 + 1 }
    }

    @Test(
        "by name",
        arguments: [
            ("a > b > c", "b", [2]), ("a > b > a", "a", [1, 3]), ("a > b", "x", []), ("* > b > *", "b", [1, 2, 3]), ("* > b", "x", [1]),
            ("(a|b) > (b|c)", "b", [1, 2]), ("a > A", "A", [2]), (#""*" > a"#, "a", [2]), (#""*" > a"#, "*", [1]), (#""" > a"#, "", [1]),
            ("Zo\u{EB} > a", "Zoe\u{308}", []),
        ])
    func byName(text: String, name: String, expected: [Int]) throws { #expect(try steps(text, name: name) == expected) }

    @Test(
        "by properties",
        arguments: [
            ("a[p=10] > a[p!=10] > a", #"{"p":10}"#, [1, 3]), ("a[p=10] > a[p!=10] > a", #"{"p":10.0}"#, [1, 3]),
            ("a[p=10] > a[p!=10] > a", #"{"p":"10"}"#, [1, 3]), ("a[p=10] > a[p!=10] > a", #"{"p":11}"#, [2, 3]),
            ("a[p=10] > a[p!=10] > a", "{}", [2, 3]), ("a[p=10] > a[p!=10] > a", #"{"p":null}"#, [2, 3]),
            ("a[p=10] > a[p!=10] > a", #"{"p":{"p":10}}"#, [2, 3]), ("a[p=10] > a[p!=10] > a", #"{"p":[10]}"#, [2, 3]),
            ("a[p>=1,p<5] > a[p>=5]", #"{"p":3}"#, [1]), ("a[p>=1,p<5] > a[p>=5]", #"{"p":5}"#, [2]),
            ("a[p>=1,p<5] > a[p>=5]", #"{"p":0}"#, []),
            ("a[p<5] > a[p>5] > a[p<=5] > a[p>=5] > a[p~5]", "{}", []), ("a[t=true] > a[t=false]", #"{"t":true}"#, [1]),
            ("a[t=true] > a[t~rue]", #"{"t":"true"}"#, [1, 2]), ("a[x.y=z] > a[x.y!=z]", #"{"x":{"y":"z"}}"#, [1]),
            (#"a["x.y"=z]"#, #"{"x.y":"z"}"#, [1]), (#"a[p=""] > a[p!=""]"#, #"{"p":""}"#, [1]), (#"a[p=""] > a[p!=""]"#, "{}", [2]),
            (#"a[q~"~"]"#, #"{"q":"a~b"}"#, [1]), ("*[p=1] > a[p=1] > b[p=1]", #"{"p":1}"#, [1, 2]), ("a[p=1,q=2]", #"{"p":1,"q":3}"#, []),
        ])
    func byProperties(text: String, props: String, expected: [Int]) throws {
        #expect(try steps(text, name: "a", props: props) == expected)
    }

    @Test func `properties are not looked at where no test asks`() throws {
        #expect(try steps("a > b[p=1]", name: "a", props: "no JSON at all") == [1])
    }

    @Test func `all 32 steps fit one event`() throws {
        let text = Array(repeating: "a[p=1]", count: 32).joined(separator: ">")
        #expect(try steps(text, name: "a", props: #"{"p":1}"#) == Array(1...32))
        #expect(try steps(text, name: "a") == [])
    }
}
