import LoopCore
import LoopMigration
import LoopViews
import SwiftUI

/// The views as an app would use them, with states that can be compared and states that cannot.
enum App: Equatable {
    case signedOut(SignIn)
    case signedIn(Home)

    var signedOut: SignIn? { if case .signedOut(let signIn) = self { signIn } else { nil } }
    var signedIn: Home? { if case .signedIn(let home) = self { home } else { nil } }
}

struct SignIn: Equatable { var name = "" }

struct Home: Equatable {
    var name: String
    var detail: Detail?
    var isHelpShown = false
}

struct Detail: Equatable { var title: String }

enum AppEvent { case signIn(SignInEvent), home(HomeEvent) }
enum SignInEvent { case named(String), done }
enum HomeEvent { case detail(DetailEvent), helpClosed }
enum DetailEvent { case close }

struct AppView: View {
    let app: ViewStore<App, AppEvent>

    var body: some View {
        SwitchStoreView(store: app) { state in
            switch state {
            case .signedOut:
                CaseLetStoreView(state: \App.signedOut, event: AppEvent.signIn) { SignInView(signIn: $0) }
            case .signedIn:
                CaseLetStoreView(EnumCase(App.signedIn), event: AppEvent.home) { HomeView(home: $0) }
            }
        }
    }
}

struct SignInView: View {
    let signIn: ViewStore<SignIn, SignInEvent>

    var body: some View {
        TextField("Name", text: signIn.binding(for: \.name, event: SignInEvent.named))
        Button("Sign in", action: signIn.action(for: .done))
    }
}

struct HomeView: View {
    let home: ViewStore<Home, HomeEvent>

    var body: some View {
        VStack {
            WithViewStore(store: home.scope(state: \.name)) { name in
                Text(name.state)
            }
            IfLetStoreView(store: home.scope(state: \.detail, event: HomeEvent.detail)) { detail in
                Text(detail.title)
                Button("Close", action: detail.action(for: .close))
            } else: {
                Text("Choose something")
            }
            IfLetStoreView(store: home.scope(state: \.detail)) { Text($0.title) }
        }
        .sheet(isPresented: home.binding(for: \.isHelpShown, event: .helpClosed)) { Text("Help") }
    }
}

/// States and events that are not `Sendable` and cannot be compared.
final class Document { var text = "" }
struct Editor {
    var document: Document?
    var title = ""
    var isLocked = false
}
typealias EditorEvent = Mutation<Editor>

struct EditorView: View {
    @SwiftUI.State private var editor = ViewStore(
        System(initialState: Editor(), reducer: { (editor: inout Editor, event: EditorEvent) in event.apply(to: &editor) }))

    var body: some View {
        WithViewStore(store: editor, isSame: { $0.title == $1.title }) { editor in Text(editor.title) }
        SwitchStoreView(store: editor.scope(state: \.isLocked), isSame: { $0 == $1 }) { Text($0 ? "Locked" : "Open") }
        IfLetStoreView(store: editor.scope(state: { $0.document }), isSame: { $0 === $1 }) { document in
            Text(document.text)
        }
        TextField("Title", text: editor.binding(for: \.title))
        Toggle("Locked", isOn: editor.binding(for: \.isLocked))
        Button("Lock") { editor.mutate(keyPath: \.isLocked, value: true) }
    }
}
