import Basics
import EventFiles

/// What the search found, in terms of the data.
extension EditSearch {
    /// - Parameters:
    ///   - aliases: the names of the ids whose events the search has.
    ///   - unseen: names that no event had.
    func explanation(of key: String, aliases: [String], _ input: InputQuality, _ unseen: [UnseenName]) -> Explanation {
        let definition = trial.definition
        let found = edits()
        var (chain, used): ([Explanation.Taken], Set<Int>) = ([], [])
        for step in reach.taken.bitNumbers {
            let index = events.indices.first { index in
                let fits = !definition.order.numbersSteps || events[index].steps >> UInt32(step) & 1 == 1
                return events[index].time == reach.times[step] && fits && events[index].steps != 0 && !used.contains(index)
            }
            guard let index else { continue }
            used.insert(index)
            chain.append(Explanation.Taken(step: step + 1, event: shown(index)))
        }
        let left = trial.definition.windowMilliseconds - trial.dataEnd.subtractingClamped(reach.times.first ?? 0)
        return Explanation(
            definition: definition, key: key, hasEvents: events.contains { $0.named != 0 }, converted: isConverted, reached: reach.depth,
            chain: chain, openMilliseconds: reach.isOpen && left > 0 ? left : nil, verdict: verdict(of: found),
            edits: found.map { edit(of: $0.edit, aliases) }, input: input, unseenNames: unseen)
    }

    /// What the first of some changes says; `nil` of none.
    func verdict(of found: [(kind: Explanation.Kind, edit: TrialEdit)]) -> Explanation.Verdict? {
        guard let (kind, edit) = found.first else { return nil }
        let definition = trial.definition
        var step = min(reach.depth, definition.lastRequiredStep)
        while definition.steps[step].isOptional { step += 1 }
        var (shift, wanted): (Int64?, String?) = (nil, nil)
        switch edit {
        case .range:
            let start = trial.reach(events, isRanged: false).times.first ?? 0
            shift = start < trial.starts.since ? trial.starts.since - start : trial.starts.until.map { start - $0 + 1 }
        case .move(let event, let time):
            shift = time > events[event].time ? time - events[event].time : events[event].time - time
            step = Self.step(of: events[event].steps, from: step)
        case .add(let added, _, _): step = added
        case .set(let event, let path, let text, _):
            guard let path, let text else { break }
            let changed = steps(of: event, with: path, text)
            step = Self.step(of: changed & ~events[event].steps, from: step)
            let tested = paths.all[path]
            let tests = definition.steps[step].pattern.tests.filter { $0.source == tested.source && $0.path == tested.path }
            wanted = tests.map { $0.comparison.spelling + $0.value }.joined(separator: ", ")
        case .join, .remove: break
        }
        let hasStep = events.contains { $0.steps >> UInt32(step) & 1 == 1 }
        return Explanation.Verdict(kind: kind, step: step + 1, byMilliseconds: shift, wanted: wanted, hasStep: hasStep)
    }

    /// Of some steps the first from one on; else the first of all, and without any that one.
    private static func step(of steps: UInt32, from first: Int) -> Int {
        let numbers = steps.bitNumbers.map(\.self)
        return numbers.first { $0 >= first } ?? numbers.first ?? first
    }

    private func shown(_ event: Int) -> Explanation.Event {
        let texts = events[event].texts
        return Explanation.Event(
            id: texts.flatMap { $0.id.isEmpty ? nil : $0.id }, name: texts?.name ?? "", timeMilliseconds: events[event].time)
    }

    private func edit(of edit: TrialEdit, _ aliases: [String]) -> Explanation.Edit {
        switch edit {
        case .range: return .range
        case .join(let alias): return .join(alias: aliases[alias])
        case .remove(let event): return .remove(shown(event))
        case .move(let event, let time): return .move(shown(event), to: time)
        case .add(let step, let name, let time): return .add(step: step + 1, name: name, at: time)
        case .set(let event, let path?, let text?, _):
            let tested = paths.all[path]
            let name = PropertyPath.text(tested.path, in: tested.source)
            guard tested.source == .session, let line = events[event].line else {
                return .set(shown(event), path: name, was: events[event].texts?.values[path], to: text)
            }
            let began = Explanation.Event(id: nil, name: String(decoding: SessionLine.name, as: UTF8.self), timeMilliseconds: line)
            return .set(began, path: name, was: trial.value(path, of: events[event]), to: text)
        case .set(let event, _, _, let hold):
            let other = events.first { $0.hold == hold }?.texts?.hold ?? ""
            return .set(
                shown(event), path: PropertyPath.text(trial.definition.hold ?? []), was: events[event].texts?.hold, to: other)
        }
    }
}
