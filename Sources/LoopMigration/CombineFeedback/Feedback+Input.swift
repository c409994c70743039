public import LoopCore

extension Feedback {
    /// Makes a feedback and the function that sends through it; each read makes a new pair. The event is reduced before that returns,
    /// unless something is under way.
    ///
    /// It reaches every system that has the feedback and has started; before that, events go nowhere. Call it on the
    /// isolation of those systems.
    public static var input: (feedback: Feedback, send: (Event) -> Void) {
        var outlets: [(id: Int, outlet: EffectOutlet<Event>)] = []
        var lastID = 0
        let feedback = Feedback.always {
            .attached { outlet in
                lastID += 1
                let id = lastID
                outlets.append((id, outlet))
                return { outlets.removeAll { $0.id == id } }
            }
        }
        return (feedback, { event in for (_, outlet) in outlets { outlet.send(event) } })
    }
}
