// The few signatures of Combine that LoopCore and the examples use, as Apple's interface has them; nothing here runs.

public protocol Publisher<Output, Failure> {
    associatedtype Output
    associatedtype Failure: Error
}

public enum Subscribers {
    public enum Completion<Failure: Error> {
        case finished
        case failure(Failure)
    }
}

public protocol Cancellable {
    func cancel()
}

public final class AnyCancellable: Cancellable {
    public init(_ cancel: @escaping () -> Void) {}
    public func cancel() {}
}

public struct AnyPublisher<Output, Failure: Error>: Publisher {}

public struct Deferred<DeferredPublisher: Publisher>: Publisher {
    public typealias Output = DeferredPublisher.Output
    public typealias Failure = DeferredPublisher.Failure
    public init(createPublisher: @escaping () -> DeferredPublisher) {}
}

public struct Empty<Output, Failure: Error>: Publisher {
    public init(completeImmediately: Bool = true) {}
}

public struct Just<Output>: Publisher {
    public typealias Failure = Never
    public init(_ output: Output) {}
}

public final class CurrentValueSubject<Output, Failure: Error>: Publisher {
    public init(_ value: Output) {}
    public func send(_ input: Output) {}
    public func send(completion: Subscribers.Completion<Failure>) {}
}

public enum Publishers {
    public struct HandleEvents<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
    }

    public struct Buffer<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
    }

    public enum PrefetchStrategy {
        case keepFull
        case byRequest
    }

    public enum BufferingStrategy<Failure: Error> {
        case dropNewest
        case dropOldest
        case customError(() -> Failure)
    }
}

extension Publisher {
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher() }

    public func handleEvents(
        receiveOutput: ((Output) -> Void)? = nil, receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil,
        receiveCancel: (() -> Void)? = nil
    ) -> Publishers.HandleEvents<Self> { Publishers.HandleEvents() }
}

extension Publisher {
    public func buffer(
        size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>
    ) -> Publishers.Buffer<Self> { Publishers.Buffer() }
}

extension Publisher where Failure == Never {
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable { AnyCancellable {} }
}

extension Publisher where Failure == Never {
    public var values: AsyncPublisher<Self> { AsyncPublisher() }
}

extension Publisher {
    public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher() }
}

public struct AsyncPublisher<Upstream: Publisher>: AsyncSequence where Upstream.Failure == Never {
    public typealias Element = Upstream.Output
    public typealias Failure = Never

    public struct Iterator: AsyncIteratorProtocol {
        public mutating func next() async -> Upstream.Output? { nil }
    }

    public func makeAsyncIterator() -> Iterator { Iterator() }
}

public struct AsyncThrowingPublisher<Upstream: Publisher>: AsyncSequence {
    public typealias Element = Upstream.Output
    public typealias Failure = any Error

    public struct Iterator: AsyncIteratorProtocol {
        public mutating func next() async throws -> Upstream.Output? { nil }
    }

    public func makeAsyncIterator() -> Iterator { Iterator() }
}
