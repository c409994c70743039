import LoopCore
import LoopMigration
import LoopViews
import SwiftUI

struct Flags { var isOn = false }
enum FlagEvent { case set(Bool) }

struct TextOfAFlag: View {
    let store: ViewStore<Flags, FlagEvent>

    var body: some View {
        TextField("On", text: store.binding(for: \.isOn, event: FlagEvent.set))  // refused: expected argument type 'KeyPath<Flags, String>'
    }
}

struct NoEventForTheValue: View {
    let store: ViewStore<Flags, FlagEvent>

    var body: some View {
        Toggle("On", isOn: store.binding(for: \.isOn))  // refused: 'FlagEvent' conform to 'MutationEvent'
    }
}

struct MutationOfWhatIsOnlyRead: View {
    let store: ViewStore<String, Mutation<String>>

    var body: some View {
        Button("Clear") { store.mutate(keyPath: \.count, value: 0) }  // refused: cannot convert value
    }
}
