import TrackingEvents

/// The copies of what waits, which the thread makes and takes away.
extension LineRing {
    /// Whether a lane is to have a copy: that of the events that are recorded now.
    ///
    /// - Parameter isSettled: whether no decision about the pending folder, and no erasure, is still to be carried out.
    func wantsCopy(of lane: Lane, isSettled: Bool) -> Bool {
        switch lane {
        case .main: consent == .granted
        case .pending: consent == .pending && isSettled
        }
    }

    /// Whether a copy can go: it is not wanted, and nothing is in it that must be kept.
    func canRemoveCopy(of lane: Lane, isSettled: Bool) -> Bool {
        guard let file = self[lane].file, !wantsCopy(of: lane, isSettled: isSettled) else { return false }
        // What is decided about the pending folder must not find a ring there. What was granted is in the other copy by now.
        if lane == .pending && !isSettled { return !mustMoveCopies }
        return file.isEmpty && !file.hasUnreportedDrops && self[lane].lines.count == 0
    }

    /// Copies what waits on a lane into a file, and from now on what comes. The thread has nothing in hand.
    mutating func attach(_ file: RingFile, to lane: Lane) {
        self[lane].file = file
        self[lane].copyAgain()
        file.add(self[lane].tally)
        if lane == .main, mustMoveCopies {
            pending.file?.forgetDrops()
            pending.copyAgain()
            mustMoveCopies = false
        }
    }

    /// Ends the copying of a lane.
    mutating func detach(_ lane: Lane) -> RingFile? {
        defer { self[lane].file = nil }
        if inHand.lane == lane { inHand.isCopied = false }
        return self[lane].file
    }

    /// Lets go of copies of lines that have moved to the main lane, which has no copy for them.
    mutating func giveUpMovedCopies() {
        if mustMoveCopies { pending.file?.removeAll() }
        mustMoveCopies = false
    }
}
