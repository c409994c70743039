import Basics
import LoopCore

/// A line under way: the parts that formats share, appended as bytes.
struct LogLine<State, Event> {
    let values: LogValues<State, Event>
    let scratch: LogScratch
    private var bytes: ByteBuffer { scratch.bytes }

    @inline(__always)
    func text(_ text: StaticString) { bytes.append(text) }

    /// Appends text that needs no escaping.
    func text(made text: String) { bytes.append(text.utf8) }

    /// `2025-07-20T08:26:40.123Z [warning] replay stock #3 Shop/Cart.swift:42 load(sku: "a1") failed: timeout`
    func head(of record: LogRecord<State, Event>) {
        let step = record.step
        if let time = record.time {
            UTCTime.append(milliseconds: time.clampedMilliseconds, to: bytes)
            text(" ")
        }
        if let level = record.level { text(made: "[\(level.word)] ") }
        if step.isReplay { text("replay ") }
        if let system = record.system { text(made: PlainText.of(system, limit: values.limit) + " ") }
        text("#")
        JSONText.append(Int64(step.number), to: bytes)
        if let origin = step.origin {
            text(" ")
            var plain = PlainText(limit: .max, into: bytes)
            origin.fileID.withUTF8Buffer { plain.write($0) }
            text(":")
            JSONText.append(Int64(clamping: origin.line), to: bytes)
        }
        if let event = step.event {
            text(" ")
            self.event(event)
        }
        // Nothing is said of a settled step that finished.
        if step.phase != .settled { text(made: " " + step.phase.word) }
        switch step.outcome {
        case .finished, nil: break
        case .cancelled: text(" cancelled")
        case .failed(let error):
            text(" failed: ")
            value(error)
        }
    }

    /// ` in 40 ns`: the reducer, its asynchronous work and the bindings.
    func duration(of step: Step<State, Event>) {
        guard step.phase == .settled, let time = step.timing else { return }
        text(" in ")
        text(made: NanosecondText.of(time.reduce &+ (time.effect ?? 0) &+ time.bindings))
    }

    func event(_ event: Event) {
        // The text of most events begins with their name by itself.
        if values.describeEvent == nil, scratch.layouts?.layout(for: Event.self).beginsWithName ?? false { return value(event) }
        let name = eventName(event)
        let text =
            values.describeEvent.map { PlainText.of($0(event), limit: values.limit) }
            ?? ValueWriter.text(of: event, limit: values.limit, layouts: scratch.layouts)
        self.text(made: text.isEmpty ? name : text.hasPrefix(name) ? text : "\(name) \(text)")
    }

    func eventName(_ event: Event) -> String {
        event is any LogSensitive ? LogMask.text : PlainText.of(EventName.name(of: event), limit: values.limit)
    }

    func state(_ state: State) {
        guard let describe = values.describeState else { return value(state) }
        var plain = PlainText(limit: values.limit, into: bytes)
        plain.write(describe(state))
    }

    func changes(from old: State, to new: State, max: Int) { values.changes(from: old, to: new, max: max, scratch).append(to: bytes) }

    func value<Value>(_ value: Value) {
        var writer = ValueWriter(limit: values.limit, layouts: scratch.layouts, into: bytes)
        if let layout = scratch.layouts?.layout(for: Value.self), !layout.isReflected {
            withUnsafePointer(to: value) { writer.write(UnsafeRawPointer($0), layout, depth: 0) }
        } else {
            writer.write(value as Any, depth: 0)
        }
    }
}
