struct MessageCame: Action { let text: String }
