import LoopFlux
import LoopMigration
import TestSupport
import Testing

/// A payload that cannot be compared.
private struct Closure { let run: () -> Int }

@Suite struct PromiseTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let promise: Promise<Int>
        let status: Promise<Int>.Status
        var testDescription: String { "\(status)" }
    }

    static let cases = [
        Case(promise: .idle(), status: .idle), Case(promise: .pending(), status: .pending),
        Case(promise: .value(1), status: .fulfilled), Case(promise: .error(Fault.dummy), status: .rejected),
        Case(promise: Promise(), status: .idle),
        Case(promise: Promise(.success(1)), status: .fulfilled), Case(promise: Promise(.failure(Fault.dummy)), status: .rejected),
    ]

    @Test(arguments: cases)
    func `a promise's flags agree with its status`(_ given: Case) {
        let promise = given.promise
        #expect(promise.status == given.status)
        #expect(promise.isIdle == (given.status == .idle))
        #expect(promise.isPending == (given.status == .pending))
        #expect(promise.isFulfilled == (given.status == .fulfilled))
        #expect(promise.isRejected == (given.status == .rejected))
        #expect(promise.isResolved == (given.status == .fulfilled || given.status == .rejected))
        #expect(promise.value == (given.status == .fulfilled ? 1 : nil))
        #expect(promise.error as? Fault == (given.status == .rejected ? .dummy : nil))
        #expect((promise.result == nil) == !promise.isResolved)
    }

    @Test(arguments: [Promise<Int>.idle(), .pending()])
    func `is settled once, whatever comes later`(_ given: Promise<Int>) {
        var fulfilled = given
        #expect(fulfilled.fulfill(1) == true)
        #expect(fulfilled.fulfill(2) == false)
        #expect(fulfilled.reject(Fault.dummy) == false)
        #expect(fulfilled.resolve(.success(3)) == false)
        #expect(fulfilled.value == 1)
        var rejected = given
        #expect(rejected.reject(Fault.dummy) == true)
        #expect(rejected.fulfill(1) == false)
        #expect(rejected.reject(Fault.other) == false)
        #expect(rejected.error as? Fault == .dummy)
    }

    @Test func `resolving with no result does nothing`() {
        var promise = Promise<Int>.pending()
        #expect(promise.resolve(nil) == false)
        #expect(promise.resolve(Promise<Int>.idle().result) == false)
        #expect(promise.isPending)
        #expect(promise.resolve(Promise<Int>.value(4).result) == true)
        #expect(promise.value == 4)
    }

    @Test func `an answer that comes after a reset changes nothing`() {
        var promise = Promise<Int>.pending()
        promise = .idle()
        #expect(promise.resolve(.success(1)) == false)
        #expect(promise.isIdle)
    }

    /// In Mini a promise is an object, and settling it changes every state that holds it.
    @Test func `is a value: settling one copy leaves the others as they were`() {
        let before = Promise<Int>.pending()
        var after = before
        after.fulfill(1)
        #expect(before.isPending)
        #expect(before != after)
    }

    @Test func `is equal to another at the same point with an equal value or error, and to no other`() {
        let promises: [Promise<Int>] = [
            .idle(), .pending(), .value(1), .value(2), .error(Fault.dummy), .error(Fault.other), .error(Opaque(code: 1)),
            .error(Opaque(code: 2)),
        ]
        for (index, promise) in promises.enumerated() {
            for (other, candidate) in promises.enumerated() { #expect((promise == candidate) == (index == other)) }
        }
        #expect(Promise<Int>.error(Opaque(code: 1)) == .error(Opaque(code: 1)))
    }

    @Test func `a promise of nothing begins idle like any other`() {
        #expect(Promise<Void>() == .idle())
        #expect(Promise<Void>.empty() == .value(()))
        #expect(Promise<Void>.value(()) != .idle())
        #expect(Promise<Void>.value(()) != .error(Fault.dummy))
    }

    @Test func `values that cannot be compared are equal in copies of one promise only`() {
        let promise = Promise.value(Closure { 1 })
        let copy = promise
        #expect(promise == copy)
        #expect(promise != .value(Closure { 1 }))
        #expect(Promise<Closure>.pending() == .pending())
    }

    @Test func `an empty optional is a value like any other`() {
        var promise = Promise<Int?>.pending()
        promise.fulfill(nil)
        #expect(promise.isFulfilled)
        #expect(promise == .value(nil))
        #expect(promise != .value(1))
    }

    @Test func `a promise of something that can cross threads can cross threads`() async {
        let promise = Promise<Int>.value(1)
        #expect(await Task.detached { promise.value }.value == 1)
    }
}
