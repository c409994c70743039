import Basics

/// The layouts of one log, each made when its type is first seen.
final class ValueLayouts {
    private var layouts: [ObjectIdentifier: ValueLayout] = [:]

    func layout(for type: any Any.Type) -> ValueLayout {
        if let known = layouts[ObjectIdentifier(type)] { return known }
        func open<Value>(_: Value.Type) -> ValueLayout { makeLayout(for: Value.self) }
        return _openExistential(type, do: open)
    }

    private func makeLayout<Value>(for type: Value.Type) -> ValueLayout {
        if let laidOut = type as? any LaidOutValue.Type {
            let layout = laidOut.makeLayout(self)
            layouts[ObjectIdentifier(type)] = layout
            return layout
        }
        let layout = ValueLayout(of: type)
        // Before its parts are asked for, because these may hold values of this type again.
        layouts[ObjectIdentifier(type)] = layout
        let kind = TypeKind(of: type)
        // Types that describe themselves do so anew for each value.
        let describesItself =
            type is any CustomReflectable.Type || type is any CustomStringConvertible.Type
            || type is any CustomDebugStringConvertible.Type || type is any StringProtocol.Type
        switch kind {
        case .struct where !describesItself, .tuple: layout.takeFields(of: type, isTuple: kind == .tuple, self)
        case .enum where !describesItself: layout.takeCases(of: type, self)
        case .fixedArray: layout.takeElements(of: type, self)
        default: break
        }
        return layout
    }
}

/// A type of the standard library that has a layout of its own.
protocol LaidOutValue { static func makeLayout(_ layouts: ValueLayouts) -> ValueLayout }
