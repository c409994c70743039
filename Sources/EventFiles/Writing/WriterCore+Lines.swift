import Basics
import TrackingEvents

/// The callers' side for lines that are text already.
extension WriterCore {
    /// Puts a line into the ring under the same bounds and policy as an event.
    ///
    /// - Parameter line: line feeds in it become spaces, or it would be several.
    func record(line: String) {
        let isDone = monitor.withLock { state in
            state.statistics.recorded += 1
            return admit(line, &state, mayWait: blockNanoseconds > 0)
        }
        if isDone { return }
        waitForRoom { state, mayWait in admit(line, &state, mayWait: mayWait) }
    }

    private func admit(_ line: String, _ state: inout WriterState, mayWait: Bool) -> Bool {
        guard state.isOpen else {
            state.drop(.closed, session: nil, lane: .main, at: 0)
            return true
        }
        let length = line.utf8.count + 1
        if state.waitingLines >= options.pendingEvents || state.waitingBytes + length > options.pendingBytes {
            switch makeRoom(
                session: nil, lines: options.pendingEvents - 1, bytes: options.pendingBytes - length, in: &state, mayWait: mayWait)
            {
            case .found: break
            case .none: return true
            case .wait: return false
            }
        }
        let bytes = state.target.pending.bytes
        let start = bytes.count
        bytes.append(line.utf8)
        for place in start..<bytes.count where bytes.base[place] == UInt8(ascii: "\n") { bytes.base[place] = UInt8(ascii: " ") }
        bytes.append(UInt8(ascii: "\n"))
        state.target.pending.lineAdded(isNote: false, at: clock.nanoseconds)
        wakeThread(&state)
        return true
    }
}
