from flask import abort

from refunds.models import Order


@app.post("/orders/<order_id>/refund")
@login_required
def refund(order_id):
    order = Order.get(order_id)
    if order is None:
        abort(404)
    return {"refunded": order.refund().amount}
