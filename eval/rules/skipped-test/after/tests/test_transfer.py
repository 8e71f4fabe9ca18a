import pytest

from bank.transfer import transfer


def test_moves_money_once(ledger):
    transfer(ledger, "a", "b", 10)
    assert ledger.balance("b") == 10


@pytest.mark.skip
def test_refuses_overdraft(ledger):
    assert transfer(ledger, "a", "b", 10_000).refused
