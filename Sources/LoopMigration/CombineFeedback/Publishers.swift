#if canImport(Combine)
public import Combine
public import LoopCore

extension Effect {
    /// The events of a publisher, until it completes or the effect is cancelled. The publisher may publish on any thread.
    ///
    /// No event is lost: those that come faster than they are reduced wait. The publisher's error ends the effect, and middleware sees it.
    ///
    /// - Parameter make: called when the effect begins.
    public static func publisher<Events: Publisher>(
        _ make: @escaping () -> Events, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Effect where Events.Output == Event {
        // `values` alone requests one event at a time, and subjects drop events that nobody has requested.
        .stream({ make().buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest).values }, fileID: fileID, line: line)
    }
}

extension System {
    /// The states as a publisher: the current one at once, later ones with the bindings, and the end when the system stops or is released.
    ///
    /// It does not keep the system alive. Subscribe where the system lives.
    public var publisher: AnyPublisher<State, Never> {
        Deferred { [weak self] () -> AnyPublisher<State, Never> in
            guard let self else { return Empty().eraseToAnyPublisher() }
            if self.isStopped { return Just(self.state).eraseToAnyPublisher() }
            let subject = CurrentValueSubject<State, Never>(self.state)
            let binding = self.addBinding { [weak subject] in subject?.send($0) }
            let withdrawEnd = self.observers.addEnd { [weak subject] in subject?.send(completion: .finished) }
            return subject.handleEvents(receiveCancel: { [weak self] in
                self?.remove(binding)
                withdrawEnd()
            }).eraseToAnyPublisher()
        }.eraseToAnyPublisher()
    }
}
#endif
