import LoopFlux
import LoopMigration
import TestSupport
import Testing

extension MiniSwiftBehaviour {
    enum Property: MetadataKey { typealias Value = Int }
    enum NotAProperty: MetadataKey { typealias Value = Int }
    enum Moment: MetadataKey { typealias Value = ContinuousClock.Instant }

    @Suite struct Promises {
        /// Four cases of Mini's: which promises are pending, resolved, fulfilled and rejected.
        @Test(arguments: [
            (Promise<Void>.pending(), Promise<Void>.Status.pending), (.empty(), .fulfilled), (Promise(error: Fault.dummy), .rejected),
        ])
        func `a promise is in the state of its making and in no other`(promise: Promise<Void>, status: Promise<Void>.Status) {
            #expect(promise.isPending == (status == .pending))
            #expect(promise.isResolved == (status != .pending))
            #expect(promise.isFulfilled == (status == .fulfilled))
            #expect(promise.isRejected == (status == .rejected))
        }

        @Test func `fulfilling gives a promise its value`() {
            var promise = Promise<Int>()
            #expect(!promise.isFulfilled)
            promise.fulfill(1)
            #expect(promise.value == 1)
            #expect(promise.isFulfilled && promise.isResolved)
            #expect(!promise.isRejected && !promise.isPending)
            #expect(throws: Never.self) { try promise.result?.get() }
        }

        @Test func `rejecting gives a promise its error`() {
            var promise = Promise<Int>()
            promise.reject(Fault.dummy)
            #expect(promise.isRejected && promise.isResolved)
            #expect(!promise.isFulfilled && !promise.isPending)
            #expect(throws: Fault.dummy) { try promise.result?.get() }
        }

        @Test func `a settled promise does not change`() {
            var promise = Promise<Int>()
            promise.fulfill(1)
            promise.fulfill(2)
            promise.reject(Fault.dummy)
            #expect(promise.value == 1)
            #expect(promise.isCompleted)
            #expect(promise.error == nil)
        }

        @Test func `promises with different values differ`() { #expect(Promise.value(1) != .value(2)) }

        @Test func `pending promises are equal`() { #expect(Promise<Int>.pending() == .pending()) }

        @Test func `promises with equal errors are equal`() {
            #expect(Promise<Int>(error: Fault.dummy) == Promise(error: Fault.dummy))
        }

        /// Mended: for Mini all errors are one, so that a state never changes from one to another.
        @Test func `promises with different errors differ`() {
            #expect(Promise<Int>(error: Fault.dummy) != Promise(error: Fault.other))
        }

        /// Mended: in Mini only copies are equal, so that a state with such a promise differs from itself made anew.
        @Test func `completed promises of nothing are equal`() {
            let promise = Promise<Void>.empty()
            let copy = promise
            #expect(promise == copy)
            #expect(promise == .empty())
        }

        @Test func `resolving a completed promise of nothing leaves it completed`() {
            var promise = Promise<Void>.empty()
            promise.resolve(.failure(Fault.dummy))
            #expect(promise.isResolved)
            #expect(promise.isFulfilled)
        }

        @Test func `a promise carries free properties`() {
            var promise = Promise<Int>.pending()
            promise[Property.self] = 1
            #expect(promise[Property.self] == 1)
            #expect(promise[NotAProperty.self] == nil)
        }

        @Test func `a promise carries its date`() {
            let now = ContinuousClock.now
            var promise = Promise<Int>.pending()
            promise[Moment.self] = now
            #expect(promise[Moment.self] == now)
        }

        /// Mended: in Mini `notify(to:)` must follow each settling.
        @MainActor @Test func `settling a promise in a state is a change that observers see`() {
            let store = Store(State(), dispatcher: Dispatcher())
            let values = Log<Int?>()
            store.observe { values.note($0.counter.value) }
            store.state.counter.fulfill(1)
            #expect(values.lines == [nil, 1])
        }
    }
}
