import TrackingEvents

struct Product { var sku = "" }

func otherType(_ product: Product) -> TrackingProperties {
    ["product": product]  // refused: cannot convert value of type 'Product' to expected dictionary value type
}

func bareNil() -> TrackingProperties {
    ["coupon": nil]  // refused: 'nil' is not compatible with expected dictionary value type
}

func mixedList() -> TrackingProperties {
    ["tags": [1, "a"]]  // refused: conflicting arguments to generic parameter 'Element' ('String' vs. 'Int')
}
