struct Request {
    var user = "u1"
    var session: String?
    var total = 9.5
}
