enum CartEvent { case clear }
enum SearchEvent { case open }
