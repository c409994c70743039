public import LoopCore

extension Feedback {
    /// Makes a feedback and the function that sends through it; each read makes a new pair. The event is reduced before that returns,
    /// unless something is under way.
    ///
    /// It reaches every system that has the feedback and has started; before that, events go nowhere. Call it on the
    /// isolation of those systems.
    public static var input: (feedback: Feedback, send: (Event) -> Void) {
        let outlets = InputOutlets<Event>()
        let feedback = Feedback.always {
            .attached { outlet in
                let id = outlets.add(outlet)
                return { outlets.remove(id) }
            }
        }
        return (feedback, { event in for outlet in outlets.all { outlet.send(event) } })
    }
}

/// Where the events of one input go.
private final class InputOutlets<Event> {
    private var outlets: [(id: Int, outlet: EffectOutlet<Event>)] = []
    private var lastID = 0

    var all: [EffectOutlet<Event>] { outlets.map(\.outlet) }

    func add(_ outlet: EffectOutlet<Event>) -> Int {
        lastID += 1
        outlets.append((lastID, outlet))
        return lastID
    }

    func remove(_ id: Int) { outlets.removeAll { $0.id == id } }
}
