public import LoopCore

extension Feedback {
    /// Makes a feedback and the function that sends through it; each read makes a new pair. The event is reduced before the function
    /// returns, unless something is under way.
    ///
    /// The function reaches every system that has the feedback and has started; before that, events are dropped. Call it on the isolation
    /// of those systems.
    public static var input: (feedback: Feedback, send: (Event) -> Void) {
        var outlets = Numbered<EffectOutlet<Event>>()
        let feedback = Feedback.always {
            .attached { outlet in
                let number = outlets.add(outlet)
                return { outlets.remove(number) }
            }
        }
        return (feedback, { event in for outlet in outlets.elements { outlet.send(event) } })
    }
}
