import LoopMigration
import LoopViews
import SwiftUI

struct StoreForAState: View {
    let store: ViewStore<String, Int>

    var body: some View {
        WithViewStore(store: store) { store in
            Text(store)  // refused: 'ViewStore<String, Int>' conform to 'StringProtocol'
        }
    }
}

struct NothingThatCouldBeMissing: View {
    let store: ViewStore<String, Int>

    var body: some View {
        IfLetStoreView(store: store) { Text($0.state) }  // refused: generic parameter 'State' could not be inferred
    }
}

struct EventOfAnother: View {
    let store: ViewStore<String, Int>

    var body: some View {
        Button("Go", action: store.action(for: "go"))  // refused: cannot convert value of type 'String' to expected argument type 'Int'
    }
}
