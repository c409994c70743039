#if canImport(Combine)
public import Combine

extension System {
    /// The states as a publisher: the current one at once, each later one when bindings get it, and the end when the system is stopped
    /// or released.
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
