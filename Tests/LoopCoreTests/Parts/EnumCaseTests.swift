import LoopCore
import LoopMigration
import Testing

@Suite struct EnumCaseTests {
    final class Reference: Equatable {
        static func == (a: Reference, b: Reference) -> Bool { a === b }
    }

    enum Inner: Equatable { case one, two(Int) }
    indirect enum Sample: Equatable {
        case number(Int), other(Int), labelled(count: Int), pair(Int, String), named(a: Int, b: Int), optional(Int?), inner(Inner)
        case object(Reference), nested(Sample), nothing
    }

    @Test("a payload comes out of its own case and of no other")
    func ownCase() {
        let number = EnumCase(Sample.number)
        #expect(number.extract(.number(4)) == 4)
        #expect(number.extract(.other(4)) == nil)
        #expect(number.extract(.nothing) == nil)
        #expect(number.embed(7) == .number(7))
    }

    @Test("labels, tuples, optionals, references and recursion come out whole")
    func shapes() {
        #expect(EnumCase(Sample.labelled).extract(.labelled(count: 3)) == 3)
        #expect(EnumCase<Sample, (Int, String)> { .pair($0.0, $0.1) }.extract(.pair(1, "a")).map { $0 == (1, "a") } == true)
        #expect(EnumCase<Sample, (a: Int, b: Int)> { .named(a: $0.a, b: $0.b) }.extract(.named(a: 1, b: 2)).map { $0 == (1, 2) } == true)
        #expect(EnumCase(Sample.optional).extract(.optional(5)) == .some(.some(5)))
        #expect(EnumCase(Sample.optional).extract(.optional(nil)) == .some(.none))
        #expect(EnumCase(Sample.inner).extract(.inner(.two(1))) == .two(1))
        let object = Reference()
        #expect(EnumCase(Sample.object).extract(.object(object)) === object)
        #expect(EnumCase(Sample.nested).extract(.nested(.nested(.number(1)))) == .nested(.number(1)))
    }

    @Test("a case that is given by embed and extract needs no reflection")
    func byHand() {
        let one = EnumCase<Inner, Void>(embed: { .one }, extract: { $0 == .one ? () : nil })
        #expect(one.extract(.one) != nil)
        #expect(one.extract(.two(1)) == nil)
        #expect(EnumCase<Int, Int>.whole.extract(5) == 5 && EnumCase<Int, Int>.whole.embed(5) == 5)
    }

    protocol Shown {}
    enum Overloaded: Shown {
        case set(x: Int), set(y: Int), pair(a: Int, b: Int), pair(c: Int, d: Int), any(id: Any), list([() -> Int]), plain
    }

    @Test("cases that differ by their labels alone are not taken for each other")
    func oneBaseName() {
        let (x, y) = (EnumCase<Overloaded, Int>(Overloaded.set(x:)), EnumCase<Overloaded, Int>(Overloaded.set(y:)))
        #expect(x.extract(.set(x: 1)) == 1)
        #expect(x.extract(.set(y: 2)) == nil)
        #expect(y.extract(.set(y: 3)) == 3)
        #expect(y.extract(.set(x: 4)) == nil)
    }

    @Test("reflection alone, too, tells cases apart by their labels, as for a protocol's values and where cases have no numbers")
    func oneBaseNameByReflection() {
        let (x, y) = (EnumCase<any Shown, Int> { Overloaded.set(x: $0) }, EnumCase<any Shown, Int> { Overloaded.set(y: $0) })
        for _ in 0..<2 {
            #expect(x.extract(Overloaded.set(x: 1)) == 1 && y.extract(Overloaded.set(y: 2)) == 2)
            #expect(x.extract(Overloaded.set(y: 3)) == nil && y.extract(Overloaded.set(x: 4)) == nil)
        }
        let pair = EnumCase<any Shown, (Int, Int)> { Overloaded.pair(c: $0.0, d: $0.1) }
        #expect(pair.extract(Overloaded.pair(c: 1, d: 2)).map { $0 == (1, 2) } == true)
        #expect(pair.extract(Overloaded.pair(a: 1, b: 2)) == nil)
        let erased = EnumCase<any Shown, Any> { Overloaded.any(id: $0) }
        #expect(erased.extract(Overloaded.any(id: 5)) as? Int == 5 && erased.extract(Overloaded.set(x: 5)) == nil)
        #expect(EnumCase<any Shown, Void> { Overloaded.plain }.extract(Overloaded.plain) != nil)
    }

    @Test("a case without a payload is one of Void")
    func noPayload() {
        let plain = EnumCase<Overloaded, Void> { .plain }
        #expect(plain.extract(.plain) != nil)
        #expect(plain.extract(.set(x: 1)) == nil)
        #expect(EnumCase<Overloaded, Int>(Overloaded.set(x:)).extract(.plain) == nil)
    }

    @Test("a labelled payload of any type comes out without its label")
    func labelledAnything() {
        #expect(EnumCase<Overloaded, Any>(Overloaded.any(id:)).extract(.any(id: 5)) as? Int == 5)
    }

    @Test("functions inside a payload can be called")
    func functionsInside() {
        #expect(EnumCase(Overloaded.list).extract(.list([{ 7 }]))?.first?() == 7)
    }

    @Test("a payload that is a function is refused, for what reflection gives cannot be called")
    func functions() async {
        await #expect(processExitsWith: .failure) {
            enum Sample { case run(() -> Int) }
            _ = EnumCase<Sample, () -> Int> { .run($0) }
        }
        await #expect(processExitsWith: .failure) {
            enum Sample { case run((() -> Int)?) }
            _ = EnumCase<Sample, (() -> Int)?> { .run($0) }
        }
        await #expect(processExitsWith: .failure) {
            enum Sample { case run(Int, then: () -> Int) }
            _ = EnumCase<Sample, (Int, then: () -> Int)> { .run($0.0, then: $0.then) }
        }
    }

    class Base {}
    final class Derived: Base { let number = 5 }
    protocol Numbered { var number: Int { get } }
    struct One: Numbered { let number = 1 }
    struct Two: Numbered { let number = 2, other = "other" }
    enum Wide {
        case object(Base), any(any Numbered), erased(Any), maybe(Int?), list([Any]), text(String), key(AnyHashable), label(of: String),
            last(Int)
    }

    @Test("what is learnt from one value of a case holds for each later one", arguments: 1...3)
    func learnt(round: Int) {
        let derived = EnumCase<Wide, Derived> { .object($0) }
        #expect(derived.extract(.object(Base())) == nil)
        #expect(derived.extract(.object(Derived()))?.number == 5)
        #expect(derived.extract(.object(Base())) == nil)
        let two = EnumCase<Wide, Two> { .any($0) }
        for _ in 0..<2 {
            #expect(two.extract(.any(One())) == nil)
            #expect(two.extract(.any(Two()))?.other == "other")
        }
        let erased = EnumCase<Wide, Int> { .erased($0) }
        for _ in 0..<2 {
            #expect(erased.extract(.erased("text")) == nil)
            #expect(erased.extract(.erased(4)) == 4)
            #expect(erased.extract(.last(4)) == nil)
        }
        let some = EnumCase<Wide, Int> { .maybe($0) }
        #expect(some.extract(.maybe(nil)) == nil)
        #expect(some.extract(.maybe(3)) == 3)
        #expect(some.extract(.maybe(nil)) == nil)
        let numbers = EnumCase<Wide, [Int]> { .list($0) }
        #expect(numbers.extract(.list(["a"])) == nil)
        #expect(numbers.extract(.list([1, 2])) == [1, 2])
        let hashable = EnumCase<Wide, String> { .key($0) }
        #expect(hashable.extract(.key(1)) == nil)
        #expect(hashable.extract(.key("a")) == "a")
        let (text, label) = (EnumCase(Wide.text), EnumCase(Wide.label))
        for _ in 0..<3 {
            #expect(text.extract(.text("a long text, on the heap")) == "a long text, on the heap")
            #expect(text.extract(.label(of: "no")) == nil && label.extract(.text("no")) == nil)
            #expect(label.extract(.label(of: "a long text, on the heap")) == "a long text, on the heap")
            #expect(label.extract(.last(1)) == nil)
        }
    }

    @Test("a taken payload is held as long as it is used, and no longer")
    func held() {
        weak var object: Derived?
        do {
            let made = Derived()
            object = made
            enum Holder { case held(Derived), other }
            let held = EnumCase(Holder.held)
            let value = Holder.held(made)
            for _ in 0..<5 { #expect(held.extract(value) === made) }
        }
        #expect(object == nil)
    }
}
