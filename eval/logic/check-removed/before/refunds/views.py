from flask import abort, request

from refunds.models import Order


@app.post("/orders/<order_id>/refund")
@login_required
def refund(order_id):
    order = Order.get(order_id)
    if order is None:
        abort(404)
    if not request.user.has_permission("refund"):
        abort(403)
    result = order.refund()
    return {"refunded": result.amount}
