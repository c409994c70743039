#if canImport(Combine)
public import Combine

extension System {
    /// The states as a publisher: the current one at once, each one after it while the system shows it, and the end when the system
    /// is stopped or released.
    ///
    /// It does not keep the system alive. Subscribe where the system lives.
    public var publisher: AnyPublisher<State, Never> {
        Deferred { [weak self] () -> AnyPublisher<State, Never> in
            guard let self else { return Empty().eraseToAnyPublisher() }
            if self.isStopped { return Just(self.state).eraseToAnyPublisher() }
            let subject = CurrentValueSubject<State, Never>(self.state)
            let binding = self.addBinding { [weak subject] in subject?.send($0) }
            let end = EndOfStates { [weak subject] in subject?.send(completion: .finished) }
            self.ends.append(end)
            return subject.handleEvents(receiveCancel: { [weak self, weak end] in
                self?.remove(binding)
                self?.ends.removeAll { $0 === end }
            }).eraseToAnyPublisher()
        }.eraseToAnyPublisher()
    }
}
#endif
