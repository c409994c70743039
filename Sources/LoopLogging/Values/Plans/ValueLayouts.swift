import Basics

/// The plans of one log, each made when its type is first seen.
final class ValueLayouts {
    private var plans: [ObjectIdentifier: ValueLayout] = [:]

    func plan(for type: any Any.Type) -> ValueLayout {
        if let plan = plans[ObjectIdentifier(type)] { return plan }
        if let planned = type as? any PlannedValue.Type { return keep(planned.makePlan(self), for: type) }
        func open<Value>(_: Value.Type) -> ValueLayout { makePlan(for: Value.self) }
        return _openExistential(type, do: open)
    }

    @discardableResult
    private func keep(_ plan: ValueLayout, for type: any Any.Type) -> ValueLayout {
        plans[ObjectIdentifier(type)] = plan
        return plan
    }

    private func makePlan<Value>(for type: Value.Type) -> ValueLayout {
        let kind = TypeKind(of: type)
        // Types that describe themselves do so anew for each value.
        let describesItself =
            type is any CustomReflectable.Type || type is any CustomStringConvertible.Type
            || type is any CustomDebugStringConvertible.Type || type is any StringProtocol.Type
        switch kind {
        case .struct where !describesItself, .tuple:
            let plan = FieldsLayout<Value>(isTuple: kind == .tuple)
            keep(plan, for: type)
            plan.takeFields(self)
            return plan
        case .enum where !describesItself: return keep(CaseLayout<Value>(self), for: type)
        default: break
        }
        return keep(TypedLayout<Value>(), for: type)
    }
}

/// A type of the language that has a plan of its own.
protocol PlannedValue {
    static func makePlan(_ plans: ValueLayouts) -> ValueLayout
}
