import Observation
let cart = Cart()
let middleware = Middleware<[String], Never> { _ in }
