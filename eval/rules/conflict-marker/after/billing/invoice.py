from decimal import Decimal


def total(lines, discount=Decimal(0)):
    amount = sum((line.amount for line in lines), Decimal(0))
<<<<<<< HEAD
    return amount.quantize(Decimal("0.01"))
=======
    return (amount - discount).quantize(Decimal("0.01"))
>>>>>>> discounts
