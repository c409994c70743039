import Testing

@testable import Funnels

@Suite("Funnel definition")
struct FunnelDefinitionTests {
    @Test func `the defaults are seven days, by user, in order, over all time`() throws {
        let definition = try FunnelDefinition(steps: [FunnelStep("a")])
        #expect(definition.windowMilliseconds == 604_800_000 && definition.key == .user && definition.order == .ordered)
        #expect(definition.since == nil && definition.until == nil && definition.name == nil)
    }

    @Test(
        "what makes no funnel is refused",
        arguments: [
            ([], 1, nil, nil, .stepCount(0)),
            (Array(repeating: FunnelStep("a"), count: 33), 1, nil, nil, .stepCount(33)),
            ([FunnelStep(EventPattern(names: .any), isOptional: true)], 1, nil, nil, .firstStepOptional),
            ([FunnelStep("a")], -1, nil, nil, .negativeWindow(-1)),
            ([FunnelStep("a")], 1, 5, 5, .emptyTimeRange(since: 5, until: 5)),
        ] as [([FunnelStep], Int64, Int64?, Int64?, FunnelDefinitionError)])
    func refuses(steps: [FunnelStep], window: Int64, since: Int64?, until: Int64?, expected: FunnelDefinitionError) {
        #expect(throws: expected) {
            try FunnelDefinition(steps: steps, windowMilliseconds: window, since: since, until: until)
        }
        #expect(!expected.description.isEmpty)
    }

    @Test(
        "keys read and print",
        arguments: [
            ("user", .user), ("session", .session), ("system", .system), ("props.org", .property(["org"])),
            ("props.a.b c", .property(["a", "b c"])), (#"props."a.b".c"#, .property(["a.b", "c"])),
        ] as [(String, FunnelKey)])
    func keys(text: String, key: FunnelKey) throws {
        #expect(try FunnelKey.parse(text) == key)
        #expect(key.description == text)
    }

    @Test("a bare name is a property, and so is a quoted `user` or `session`; blanks around a key are ignored")
    func bareKeys() throws {
        #expect(try FunnelKey.parse(" user ") == .user && FunnelKey.parse("session\t") == .session)
        #expect(try FunnelKey.parse("plan") == .property(["plan"]) && FunnelKey.parse("cart.size") == .property(["cart", "size"]))
        #expect(try FunnelKey.parse(#""session""#) == .property(["session"]) && FunnelKey.parse(#""user""#) == .property(["user"]))
    }

    @Test(
        "other keys are refused where they go wrong",
        arguments: [("", 1), ("plan.", 6), ("props.", 7), ("props.a.", 9), ("props.a=1", 8), ("props.a]", 8)])
    func wrongKeys(text: String, column: Int) {
        #expect {
            try FunnelKey.parse(text)
        } throws: { error in
            (error as? GrammarError)?.column == column && (error as? GrammarError)?.text == text
        }
    }
}
