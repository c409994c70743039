import TrackingEvents

/// The anonymous id and where it is kept.
extension Tracker {
    /// Takes the id that is kept, while the user is not known; where none is, keeps this tracker's, or a new one if somebody removed it.
    func loadAnonymousID(into state: inout TrackerState, at now: Int64) {
        guard state.user == nil, let anonymousIDs else { return }
        let proposed = state.isAnonymousKept ? state.newAnonymousID(at: now) : state.anonymous
        do throws(AnonymousIDError) {
            state.anonymous = try anonymousIDs.load(orKeep: proposed)
            state.isAnonymousKept = true
        } catch {
            state.errors.append(error)
            // What cannot be read now may be well: only what can be read and is no id makes place.
            guard case .damaged = error else { return }
            state.trying { state throws(AnonymousIDError) in
                state.anonymous = proposed
                try anonymousIDs.replace(with: proposed)
                state.isAnonymousKept = true
            }
        }
    }

    /// A new id, also for whoever reads the kept one.
    func renewAnonymousID(of state: inout TrackerState, at now: Int64) {
        state.untoldAnonymous = nil
        if state.consent == .denied { return forgetAnonymousID(of: &state, at: now) }
        state.anonymous = state.newAnonymousID(at: now)
        state.isAnonymousKept = false
        guard let anonymousIDs else { return }
        state.trying { state throws(AnonymousIDError) in
            try anonymousIDs.replace(with: state.anonymous)
            state.isAnonymousKept = true
        }
    }

    /// A new id that is kept nowhere yet; the kept one is gone.
    func forgetAnonymousID(of state: inout TrackerState, at now: Int64) {
        state.untoldAnonymous = nil
        state.anonymous = state.newAnonymousID(at: now)
        state.isAnonymousKept = false
        guard let anonymousIDs else { return }
        state.trying { _ throws(AnonymousIDError) in try anonymousIDs.remove() }
    }
}
