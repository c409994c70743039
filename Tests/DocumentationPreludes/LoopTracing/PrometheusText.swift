struct Server { func get(_ path: String, _ answer: @escaping () -> String) {} }
let server = Server()
