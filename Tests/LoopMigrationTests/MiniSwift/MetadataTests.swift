import LoopFlux
import LoopMigration
import TestSupport
import Testing

private enum Moment: MetadataKey { typealias Value = Int }
private enum Source: MetadataKey { typealias Value = String }
private enum Elsewhere {
    /// A key with the same name as the other `Moment`, and another type.
    enum Moment: MetadataKey { typealias Value = String }
}

extension MetadataCarrying {
    fileprivate var moment: Int? {
        get { self[Moment.self] }
        set { self[Moment.self] = newValue }
    }
}

@Suite struct MetadataTests {
    @Test func `a property that was not set is nil`() {
        #expect(TypedTask<Int>.idle().moment == nil)
        #expect(Promise<Int>.pending()[Source.self] == nil)
    }

    @Test func `one declaration serves tasks and promises`() {
        var task = TypedTask<Int>.running()
        var promise = Promise<Int>.pending()
        task.moment = 1
        promise.moment = 2
        #expect(task.moment == 1)
        #expect(promise.moment == 2)
    }

    @Test func `properties of several keys stand side by side`() {
        var task = TypedTask<Int>.idle()
        task[Moment.self] = 5
        task[Source.self] = "cache"
        #expect(task[Moment.self] == 5)
        #expect(task[Source.self] == "cache")
    }

    @Test func `two keys of one name in different scopes are two properties`() {
        var promise = Promise<Int>.idle()
        promise[Moment.self] = 5
        promise[Elsewhere.Moment.self] = "five"
        #expect(promise[Moment.self] == 5)
        #expect(promise[Elsewhere.Moment.self] == "five")
    }

    @Test func `setting nil takes a property away`() {
        var promise = Promise<Int>.idle()
        promise[Source.self] = "cache"
        promise[Source.self] = nil
        #expect(promise[Source.self] == nil)
    }

    @Test func `a copy has properties of its own`() {
        var first = Promise<Int>.value(1)
        first.moment = 1
        var second = first
        second.moment = 2
        #expect(first.moment == 1)
        #expect(second.moment == 2)
    }

    @Test func `properties have no part in equality`() {
        var task = TypedTask<Int>.success()
        var promise = Promise<Int>.value(1)
        task.moment = 1
        promise.moment = 1
        #expect(task == TypedTask<Int>.success())
        #expect(promise == .value(1))
    }

    @Test func `properties outlive the settling of a promise`() {
        var promise = Promise<Int>.pending()
        promise[Source.self] = "server"
        promise.fulfill(1)
        #expect(promise[Source.self] == "server")
    }
}
