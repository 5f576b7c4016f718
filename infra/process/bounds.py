"""How much one caller may leave behind in a house: every bound is a setting of the operator's.

Requests a second are another matter (`TURNLOG_RATE_LIMIT`): these are about what is kept, sent or paid for.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

HOUR, DAY = 3600, 24 * 3600
NAME = "TURNLOG_QUOTA_{}"


@dataclass(frozen=True)
class Bounds:
    """Each field is read from `TURNLOG_QUOTA_<FIELD>`; docs/quotas.md says what it is for."""

    accounts_hour: int = 200  # new accounts of one address in an hour, guests too
    accounts_day: int = 1000  # new accounts of one address in a day
    guest_tables: int = 50  # tables that a guest has opened and that are not over
    tables: int = 500  # tables that an account with a password has opened and that are not over
    guest_tables_hour: int = 120  # tables that a guest opens in an hour, forks and rematches too
    tables_hour: int = 600  # tables that an account with a password opens in an hour
    tokens: int = 50  # lasting tokens of an account
    sessions: int = 20  # places where one is signed in; the oldest ends for the next
    guest_bots: int = 10  # remote bots of a guest
    bots: int = 50  # remote bots of an account with a password
    letters_day: int = 30  # confirmations and tests that an account has us send in a day
    letters_to_day: int = 10  # confirmations, tests and recoveries to one mail address in a day
    recoveries_hour: int = 3  # recoveries of one name in an hour
    recoveries_address_hour: int = 20  # recoveries asked for from one address in an hour
    sign_ins: int = 5  # wrong passwords for one name from one address before one has to wait
    sign_ins_address: int = 50  # wrong passwords from one address, whatever the names
    sign_ins_name: int = 50  # wrong passwords for one name, from wherever
    imports_day: int = 50  # logs that an account imports in a day, also refused ones
    imports_address_day: int = 200  # logs that are imported from one address in a day, by whomever
    exports_hour: int = 20  # exports of all one's own data in an hour
    settings_day: int = 100  # changes of time zone, quiet hours and vacation in a day: each is kept
    words_hour: int = 600  # messages at tables in an hour

    @classmethod
    def names(cls) -> dict[str, str]:
        """The variable of each field."""
        return {field.name: NAME.format(field.name.upper()) for field in fields(cls)}

    @classmethod
    def wide(cls, most: int = 1_000_000) -> Bounds:
        """So much of everything that nobody meets a bound: for tests and benchmarks."""
        return cls(**dict.fromkeys(cls.names(), most))
