enum Event { case loaded(Product), received(String), refresh }
struct Messages { let messages = AsyncStream<String> { _ in } }
let id = "sku-1"
let socket = Messages()
