def shares(total_cents, people):
    """Whole cents each; the first ones pay one more where it does not come out even."""
    if people < 1:
        raise ValueError("nobody to share with")
    each, rest = divmod(total_cents, people)
    return [each + (1 if index < rest else 0) for index in range(people)]
