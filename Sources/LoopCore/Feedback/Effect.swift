/// A description of work that a reducer or a ``Feedback`` wants done, and that sends further events.
///
/// Nothing runs until the system runs it. Work runs on the system's isolation, may use what is not `Sendable`, and must not block.
/// ```swift
/// let load = Effect<Event>.run { .loaded(try await shop.product(id)) }.id("load")  // one event, or none
/// let listen = Effect<Event>.stream { socket.messages.map(Event.received) }        // as many as the sequence has
/// let refresh = Effect<Event>.event(.refresh)                                      // one at once
/// ```
public struct Effect<Event> {
    /// Work that sends as many events as it likes.
    @usableFromInline typealias Work = nonisolated(nonsending) (EffectOutlet<Event>) async throws -> Void

    @usableFromInline
    enum Kind {
        case events([Event])
        case work(Work, isAwaited: Bool)
        case attached((EffectOutlet<Event>) -> () -> Void)
        /// Ends the effects of names; with `isLeaving`, those of parts that go missing and of all parts within them.
        case cancel(Set<EffectKey>, isLeaving: Bool)
        indirect case delayed(Duration, [Kind])

        var isCancel: Bool { if case .cancel = self { true } else { false } }
    }

    /// Work that begins together, runs side by side and is cancelled together.
    @usableFromInline
    struct Group {
        var kinds: [Kind]
        /// `nil` for an effect that has no name and does not end with its part.
        var key: EffectKey?
        var policy = EffectPolicy.beside
        /// Whether it ends when its part goes missing.
        var leaves = false
        /// Whether the name is the library's own.
        var isHidden = false
        /// Where its key is noted when it begins, each with the key that the noting feedback gave it.
        var owners: [(started: StartedKeys, key: EffectKey)] = []

        /// If the group holds nothing but cancellations, calls `cancel` for each and returns `true`. Otherwise calls nothing.
        func cancels(_ cancel: (Set<EffectKey>, Bool) -> Void) -> Bool {
            guard kinds.allSatisfy(\.isCancel) else { return false }
            for case .cancel(let keys, let isLeaving) in kinds { cancel(keys, isLeaving) }
            return true
        }
    }

    @usableFromInline
    enum Content {
        case none
        /// One event at once, which only has to be queued. Boxed, so that a large event takes no stack.
        indirect case event(Event)
        case groups([Group])
    }

    @usableFromInline let content: Content

    @inlinable
    init(_ content: Content) { self.content = content }

    private init(_ kind: Kind) { content = .groups([Group(kinds: [kind])]) }

    var groups: [Group] {
        switch content {
        case .none: []
        case .event(let event): [Group(kinds: [.events([event])])]
        case .groups(let groups): groups
        }
    }

    /// No work. A feedback that replaces an effect by `none` cancels that effect. A name on `none` ends nothing: ``cancel(_:)`` does.
    @inlinable public static var none: Effect { Effect(.none) }

    /// One event at once: it waits behind the events that are queued already.
    @inlinable
    public static func event(_ event: Event) -> Effect { Effect(.event(event)) }

    /// Several events at once, in their order.
    public static func events(_ events: some Sequence<Event>) -> Effect { Effect(.events(Array(events))) }

    /// One asynchronous function, and the event it returns, if any.
    ///
    /// It is called after the step, in a turn of its own, or never if the effect is replaced or cancelled before that. If it throws, the
    /// system goes on and middleware sees a step of the phase ``StepPhase/effectFailed`` with the error; a `CancellationError` makes no
    /// step. ``System/settled(isolation:)`` waits for it.
    public static func run(_ work: @escaping () async throws -> Event?, fileID: StaticString = #fileID, line: UInt = #line) -> Effect {
        Effect(.work({ if let event = try await work() { $0.send(event, fileID: fileID, line: line) } }, isAwaited: true))
    }

    /// The events of an asynchronous sequence, until it ends or the effect is cancelled.
    ///
    /// ``System/settled(isolation:)`` does not wait for its end, because most sequences have none.
    ///
    /// - Parameter make: called after the step, as the work of ``run(_:fileID:line:)`` is.
    public static func stream<Events: AsyncSequence>(
        _ make: @escaping () -> Events, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Effect where Events.Element == Event {
        Effect(.work({ for try await event in make() { $0.send(event, fileID: fileID, line: line) } }, isAwaited: false))
    }

    /// Work that sends any number of events through the outlet it is given.
    ///
    /// - Parameters:
    ///   - isAwaited: whether ``System/settled(isolation:)`` waits for the end of the work; give `false` for work without an end.
    ///   - work: as for ``run(_:fileID:line:)``.
    public static func sending(isAwaited: Bool = true, _ work: @escaping (EffectOutlet<Event>) async throws -> Void) -> Effect {
        Effect(.work(work, isAwaited: isAwaited))
    }

    /// A source that calls back, such as a delegate, a timer or a publisher.
    ///
    /// - Parameter attach: called when the effect begins. It returns a function that ends the source. That is called once: when the effect
    ///   is replaced or cancelled or the system ends. If nobody stops the system, the thread that releases it makes the call.
    public static func attached(_ attach: @escaping (EffectOutlet<Event>) -> () -> Void) -> Effect { Effect(.attached(attach)) }

    /// Several effects, side by side. Those without a name begin together, in a feedback before the others, and are cancelled together.
    public static func merge(_ effects: [Effect]) -> Effect {
        var groups: [Group] = []
        for group in effects.flatMap(\.groups) {
            if group.key == nil, let first = groups.firstIndex(where: { $0.key == nil }) {
                groups[first].kinds += group.kinds
            } else {
                groups.append(group)
            }
        }
        return groups.isEmpty ? .none : Effect(.groups(groups))
    }

    /// Ends the effects of a name, and the ``Next`` of that name, and removes their events that wait.
    public static func cancel(_ id: EffectID) -> Effect { Effect(.cancel([EffectKey(id: id)], isLeaving: false)) }

    /// Ends the effects of keys; with `areParts`, those of parts and of all parts within them.
    static func ending(_ keys: Set<EffectKey>, areParts: Bool = false) -> Effect {
        keys.isEmpty ? .none : Effect(.cancel(keys, isLeaving: areParts))
    }

    /// This effect under a name, by which another replaces it and ``cancel(_:)`` ends it.
    ///
    /// A name belongs to its part of the system (``Part``): two may both say "sign in". Named effects inside this one keep their names.
    /// ```swift
    /// let search = Effect<Event>.run { .loaded(try await shop.product(id)) }.delayed(by: .milliseconds(300)).id("search")
    /// ```
    /// - Parameter policy: what happens to an effect of that name that still runs.
    public func id(_ id: EffectID, _ policy: EffectPolicy = .replacing) -> Effect { named(id, policy) }

    func named(_ id: EffectID, _ policy: EffectPolicy, isHidden: Bool = false) -> Effect {
        changingGroups { if $0.key == nil { $0 = Group(kinds: $0.kinds, key: EffectKey(id: id), policy: policy, isHidden: isHidden) } }
    }

    /// This effect, of whose names `started` takes note when it begins.
    func noted(in started: StartedKeys) -> Effect {
        changingGroups { group in if let key = group.key { group.owners.append((started, key)) } }
    }

    /// This effect, begun after a delay. If it has a name (``id(_:_:)``), each replacement begins the delay anew.
    ///
    /// - Parameter duration: the delay, on the system's ``StepClock``. ``System/settled(isolation:)`` waits for its end.
    public func delayed(by duration: Duration) -> Effect { changingGroups { $0.kinds = [.delayed(duration, $0.kinds)] } }

    private func changingGroups(_ change: (inout Group) -> Void) -> Effect {
        var groups = groups
        for index in groups.indices { change(&groups[index]) }
        return groups.isEmpty ? .none : Effect(.groups(groups))
    }
}

/// What happens to a running effect when another effect of the same name is about to begin.
public enum EffectPolicy: Sendable {
    /// It is cancelled, and its events that wait are removed.
    case replacing
    /// Both run.
    case beside
    /// It goes on, and the other does not begin.
    case ignoredWhileRunning
}

/// The name of an effect: a string, or any other hashable value.
public struct EffectID: Hashable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    private let value: HashableID

    /// - Parameter value: such as the number of the row that is loaded.
    public init(_ value: some Hashable & Sendable) { self.value = HashableID(base: value) }

    public init(stringLiteral name: String) { self.init(name) }

    public var description: String { "\(value.base)" }
}
