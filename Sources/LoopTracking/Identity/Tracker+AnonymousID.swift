import Basics
import TrackingEvents

/// The anonymous id and the store that keeps it, used with the tracker's lock free, one call at a time (``Tracker/storeLock``).
extension Tracker {
    /// Takes the kept id while the user is not known. If there is none, keeps this tracker's, or a new one if the kept one was removed.
    func readAnonymousID() {
        guard let anonymousIDs else { return }
        let errors = storeLock.withLock { _ in
            var errors = makeStoreChanges(in: anonymousIDs)
            let proposed = state.withLock { state -> String? in
                if state.user != nil || state.consent == .denied || state.isStoreRead { return nil }
                return state.isAnonymousKept ? state.newAnonymousID(at: clock.milliseconds) : state.anonymous
            }
            guard let proposed else { return errors }
            // Not before: events that begin a session on other threads wait for the id. A change that came meanwhile is made first.
            defer { state.withLock { if $0.storeChange == nil { $0.isStoreRead = true } } }
            do throws(AnonymousIDError) {
                let kept = try anonymousIDs.load(orKeep: proposed)
                // Unless the state got a new id meanwhile: then the store follows the state.
                state.withLock { if $0.storeChange == nil && $0.refusedChange == nil { ($0.anonymous, $0.isAnonymousKept) = (kept, true) } }
            } catch {
                errors.append(error)
                // Only what can be read and is no id is replaced: what cannot be read now may be readable later.
                guard case .damaged = error else { return errors }
                state.withLock { if $0.storeChange == nil { ($0.anonymous, $0.storeChange) = (proposed, .replace) } }
                errors += makeStoreChanges(in: anonymousIDs)
            }
            return errors
        }
        report(errors)
    }

    /// Brings the store in line with the state, on a thread of its own: a disk may take its time.
    func changeStoreLater() {
        do throws(SystemError) { try PosixThread { self.changeStore() }.detach() } catch { changeStore() }
    }

    func changeStore() {
        guard let anonymousIDs else { return }
        report(storeLock.withLock { _ in makeStoreChanges(in: anonymousIDs) })
    }

    private func makeStoreChanges(in store: any AnonymousIDStore) -> [AnonymousIDError] {
        let (change, id) = state.withLock { state in
            defer { (state.storeChange, state.refusedChange) = (nil, nil) }
            return (state.storeChange ?? state.refusedChange, state.anonymous)
        }
        do throws(AnonymousIDError) {
            switch change {
            case nil: break
            case .remove: try store.remove()
            case .replace:
                try store.replace(with: id)
                state.withLock { if $0.anonymous == id { $0.isAnonymousKept = true } }
            }
            return []
        } catch {
            // Not the id of whoever was there before, neither in this run nor, where a full disk takes no new one, in the next.
            if change == .replace { try? store.remove() }
            state.withLock { ($0.refusedChange, $0.isStoreRead) = (change, true) }
            return [error]
        }
    }
}
