import random
import string

ALPHABET = string.ascii_letters + string.digits


def make_invite_token():
    access_token = "".join(random.choice(ALPHABET) for _ in range(24))
    return access_token
