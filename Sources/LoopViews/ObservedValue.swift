import LoopCore
import Observation

/// The observable object that stands for a value that views read. Not generic: key paths of generic types are made anew at each use.
@MainActor @Observable
final class ObservedChange {
    private var changes = 0

    func read() { _ = changes }

    /// Notifies, and then makes the change.
    func make(_ change: () -> Void) { withMutation(keyPath: \.changes) { change() } }
}

/// A value that views read from a state.
@MainActor class ObservedPart<State> {
    let change = ObservedChange()

    /// Takes over a new state, and notifies the views that have read another value. `false` if nobody has read it since its last change.
    func update(_ state: State) -> Bool { true }
}

final class ObservedValue<State, Value>: ObservedPart<State> {
    private(set) var value: Value
    private let find: (State) -> Value
    private let isSame: (Value, Value) -> Bool
    private var wasRead = false

    init(of state: State, _ find: @escaping (State) -> Value) {
        value = find(state)
        self.find = find
        isSame = Sameness.equality(of: Value.self) ?? { _, _ in false }
    }

    func read() -> Value {
        wasRead = true
        change.read()
        return value
    }

    override func update(_ state: State) -> Bool {
        let new = find(state)
        // Observation notifies once: a view that has not read since then is not waiting.
        if isSame(value, new) { return wasRead }
        guard wasRead else { return false }
        wasRead = false
        change.make { value = new }
        return true
    }
}

@MainActor struct ChildStores {
    private struct Weak { weak var store: AnyObject? }

    /// A part that may be missing has a store of its value, and one of the optional for whoever asks for that.
    private struct Key: Hashable { let part: PartID, store: ObjectIdentifier }

    private var parts: [Key: AnyObject] = [:]
    /// Weak, because rows come and go with the data: the views that show them keep their stores.
    private var rows: [Key: Weak] = [:]
    private var mostRows = 16

    /// The store of a part; made if there is none. The cast is safe, because the key includes the store's type.
    mutating func store<Store: AnyObject>(_ id: PartID, _ make: () -> Store) -> Store {
        let key = Key(part: id, store: ObjectIdentifier(Store.self))
        if let known = parts[key] ?? rows[key]?.store { return unsafeDowncast(known, to: Store.self) }
        let made = make()
        guard id.isRow else {
            parts[key] = made
            return made
        }
        if rows.count >= mostRows {
            rows = rows.filter { $0.value.store != nil }
            mostRows = max(16, rows.count * 2)
        }
        rows[key] = Weak(store: made)
        return made
    }

    mutating func remove<Store: AnyObject>(_ id: PartID, as _: Store.Type) {
        let key = Key(part: id, store: ObjectIdentifier(Store.self))
        parts[key] = nil
        rows[key] = nil
    }
}
