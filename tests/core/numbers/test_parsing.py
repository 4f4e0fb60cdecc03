"""Reading numbers: a table of wordings, what is no number, and round trips of formatted values."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.numbers.number import CalendarDate
from hcat.core.numbers.parsing import parse_numbers
from hcat.core.numbers.words import SMALL_WORDS, written_out

BILLION, MILLION, THOUSAND = Decimal(10**9), Decimal(10**6), Decimal(10**3)


@pytest.mark.parametrize(
    ("text", "kind", "value", "unit"),
    [
        ("$8.738 billion", "number", 8738 * MILLION, "USD"),
        ("$1,469,502,000", "number", 1_469_502_000, "USD"),
        ("US$ 3.4bn", "number", 3400 * MILLION, "USD"),
        ("$5m", "number", 5 * MILLION, "USD"),
        ("5M", "number", 5 * MILLION, None),
        ("10k", "number", 10_000, None),
        ("$\n876,560", "number", 876_560, "USD"),
        ("USD1577.00", "number", 1577, "USD"),
        ("EUR 14.50", "number", "14.50", "EUR"),
        ("500 dollars", "number", 500, "USD"),
        ("2.5 million euros", "number", 2_500_000, "EUR"),
        ("£3.2 million", "number", 3_200_000, "GBP"),
        ("50 cents", "number", "0.5", "USD"),
        ("€ 1.234.567,89", "number", "1234567.89", "EUR"),
        ("1 234 567,89 €", "number", "1234567.89", "EUR"),
        ("1\u00a0234\u00a0567 CHF", "number", 1_234_567, "CHF"),
        ("1'234'567.89 CHF", "number", "1234567.89", "CHF"),
        ("5,00 €", "number", 5, "EUR"),
        ("12,34,567", "number", 1_234_567, None),  # grouped as in India
        ("1,234", "number", 1234, None),
        ("0.66", "number", "0.66", None),
        (".5", "number", "0.5", None),
        ("-$1,561 million", "number", -1561 * MILLION, "USD"),
        ("(1,561)", "number", -1561, None),
        ("($1.2 billion)", "number", -1200 * MILLION, "USD"),
        ("$(95) million", "number", -95 * MILLION, "USD"),
        ("−5%", "percent", -5, None),
        ("(5.2)%", "percent", "-5.2", None),
        ("12%", "percent", 12, None),
        ("12,5 %", "percent", "12.5", None),
        ("18.5\n%", "percent", "18.5", None),
        ("7 percent", "percent", 7, None),
        ("3 percentage points", "percent", 3, None),
        ("25 basis points", "percent", "0.25", None),
        ("150bps", "percent", "1.5", None),
        ("2.1:1", "ratio", "2.1", None),
        ("3:2", "ratio", "1.5", None),
        ("1.5x", "ratio", "1.5", None),
        ("4 times", "ratio", 4, None),
        ("twenty-five million", "number", 25 * MILLION, None),
        ("two hundred and ten", "number", 210, None),
        ("five percent", "percent", 5, None),
        ("three", "number", 3, None),
        ("a 30-day period", "number", 30, None),
    ],
)
def test_amounts(text: str, kind: str, value: Decimal | str | int, unit: str | None) -> None:
    (number,) = parse_numbers(text)
    assert (number.kind, number.value, number.unit) == (kind, Decimal(value), unit)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("The fixed rate (5%) applies.", [5]),
        ("within thirty (30) days", [30, 30]),
        ("Gold (50 EUR)", [50]),
        ("sensitivity (96%)", [96]),
        ("a small part (3.8%) of all revenue", [Decimal("3.8")]),
        ("$5,162,082 thousand ($5.162 billion)", [5_162_082_000, 5_162_000_000]),
        ("DPO = 365 * ($1,381 million) / 2", [365, 1381 * MILLION]),
        ("(1.00896)^0.5", [Decimal("1.00896"), Decimal("0.5")]),
        ("1,494 - 903 = 591", [1494, 903, 591]),
        ("For - 19,718,780\nAgainst - 977,228,788", [19_718_780, 977_228_788]),
        ("an effective rate of (0.6)%", [Decimal("-0.6")]),
        ("growth was (5%)", [-5]),
        ("Dividends paid: $(389) million", [-389 * MILLION]),
        ("Capital spending (4,625)", [-4625]),
        ("Net cash used\n(186,373)\n(173,675)", [-186_373, -173_675]),
        ("10-20% of cases", [10, 20]),
        ("$6-10 billion", [6, 10 * BILLION]),
        ("5 - 7 %", [5, 7]),
    ],
)
def test_signs_and_parentheses(text: str, values: list[Decimal | int]) -> None:
    assert [number.value for number in parse_numbers(text)] == values


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("5 EUR (99 EUR for couples)", [("EUR", 5), ("EUR", 99)]),
        ("It costs USD 5 (EUR 4.60).", [("USD", 5), ("EUR", Decimal("4.60"))]),
        ("USD 5 EUR 4.60", [("USD", 5), ("EUR", Decimal("4.60"))]),
        ("5 EUR 10 EUR", [("EUR", 5), ("EUR", 10)]),
        ("250.000 €", [("EUR", 250_000)]),
        ("5.000 Euro, Gebühr 3,50 Euro", [("EUR", 5000), ("EUR", Decimal("3.50"))]),
        ("€1.234 per litre", [("EUR", Decimal("1.234"))]),
        ("3,2 Mrd. Euro", [("EUR", 3_200_000_000)]),
        ("5 TEUR", [("EUR", 5000)]),
        ("20 Pfund, 30 zł, HK$40", [("GBP", 20), ("PLN", 30), ("HKD", 40)]),
    ],
)
def test_no_amount_swallows_another(text: str, amounts: list[tuple[str, Decimal | int]]) -> None:
    assert [(number.unit, number.value) for number in parse_numbers(text)] == amounts


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("½ %", "0.5"),
        ("¼ percentage point", "0.25"),
        ("half a percent", "0.5"),
        ("half a percentage point", "0.5"),
        ("1/2 %", "0.5"),
        ("2 1/2 percent", "2.5"),
        ("1½ %", "1.5"),
        ("three quarters of a percentage point", "0.75"),
        ("⅜ %", "0.375"),
        ("½ of the fee", "50"),
    ],
)
def test_fractions_of_a_percent(text: str, value: str) -> None:
    (number,) = parse_numbers(text)
    assert (number.kind, number.value) == ("percent", Decimal(value))


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("**5%**", "5", None),
        ("**12**", "12", None),
        ("__5__ EUR", "5", "EUR"),
        ("*5* EUR", "5", "EUR"),
        ("<b>5</b>&nbsp;EUR", "5", "EUR"),
        ("&euro;5", "5", "EUR"),
        ("$9{,}500$ EUR", "9500", "EUR"),
        ("$12{,}250{,}000$", "12250000", None),
        (r"\$5", "5", "USD"),
        (r"5\,000\,\text{EUR}", "5000", "EUR"),
        (r"\boxed{42}", "42", None),
        (r"$7.5\%$", "7.5", None),
        (r"$\frac{1}{2}\%$", "0.5", None),
        (r"3 \times 10^6", "3000000", None),
        ("3 × 10⁶", "3000000", None),
        ("\x1b[1m5 EUR\x1b[0m", "5", "EUR"),
        ("5\u200b000 EUR", "5000", "EUR"),
    ],
)
def test_markup_hides_no_number_and_makes_none(text: str, value: str, unit: str | None) -> None:
    (number,) = parse_numbers(text)
    assert (number.value, number.unit) == (Decimal(value), unit)
    assert text[number.start : number.end] == number.text


def test_dollars_before_amounts_are_no_formula() -> None:
    assert [n.unit for n in parse_numbers("from $5 to $7, or $1-$2 a day")] == ["USD"] * 4
    assert parse_numbers("2**10 and a_5") == ()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("IBAN DE89 3704 0044 0532 0130 00", "DE89370400440532013000"),
        ("DE89370400440532013000", "DE89370400440532013000"),
        ("Card 4111 1111 1111 1111", "4111111111111111"),
        ("Call 0800-123-4567.", "08001234567"),
        ("0800 123 4567", "08001234567"),
        ("+49 (0)30 1234567", "49301234567"),
        ("0049 30 1234567", "49301234567"),
        ("(408) 536-6000", "4085366000"),
        ("1-866-325-0045", "18663250045"),
        ("account number 12 345 678", "12345678"),
        ("sort code 12-34-56", "123456"),
        ("US 0378331005", "US0378331005"),
    ],
)
def test_identifiers_are_one_whatever_their_groups(text: str, code: str) -> None:
    (number,) = parse_numbers(text)
    assert (number.kind, number.code) == ("identifier", code)


@pytest.mark.parametrize("text", ["2020 2021 2022 2023", "1,234 5,678", "4500 3200 5100 1800", "10-20 days"])
def test_cells_and_ranges_are_no_identifiers(text: str) -> None:
    assert all(number.kind != "identifier" for number in parse_numbers(text))


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("January 5, 2023", CalendarDate(2023, 1, 5)),
        ("November 27,\n2015", CalendarDate(2015, 11, 27)),
        ("5 Jan. 2023", CalendarDate(2023, 1, 5)),
        ("2022-12-31", CalendarDate(2022, 12, 31)),
        ("12/31/2022", CalendarDate(2022, 12, 31)),
        ("31.12.2022", CalendarDate(2022, 12, 31)),
        ("March 2023", CalendarDate(2023, 3)),
        ("June 30", CalendarDate(None, 6, 30)),
        ("FY2015", CalendarDate(2015)),
        ("FY22", CalendarDate(2022)),
        ("fiscal year 2020", CalendarDate(2020)),
        ("2022", CalendarDate(2022)),
        ("Q3 2022", CalendarDate(2022, quarter=3)),
        ("Q2'23", CalendarDate(2023, quarter=2)),
        ("2Q23", CalendarDate(2023, quarter=2)),
        ("third quarter of fiscal 2022", CalendarDate(2022, quarter=3)),
        ("first half of 2023", CalendarDate(2023, half=1)),
        ("H1 FY2023", CalendarDate(2023, half=1)),
        ("second quarter", CalendarDate(quarter=2)),
        ("2024-05-01T10:00:00Z", CalendarDate(2024, 5, 1)),
        ("2024-05-01 10:00", CalendarDate(2024, 5, 1)),
        ("2024/05/01", CalendarDate(2024, 5, 1)),
        ("20240501", CalendarDate(2024, 5, 1)),
        ("05/2024", CalendarDate(2024, 5)),
        ("1. Mai 2024", CalendarDate(2024, 5, 1)),
        ("12. März", CalendarDate(None, 3, 12)),
        ("FY2023Q1", CalendarDate(2023, quarter=1)),
        ("14.30 Uhr", CalendarDate(hour=14, minute=30)),
        ("08:30", CalendarDate(hour=8, minute=30)),
        ("8 p.m.", CalendarDate(hour=20, minute=0)),
    ],
)
def test_moments(text: str, moment: CalendarDate) -> None:
    (number,) = parse_numbers(text)
    assert number.dates == (moment,)
    assert number.text == text


def test_a_day_without_a_year_in_german() -> None:
    assert parse_numbers("am 31.12. fällig")[0].dates == (CalendarDate(None, 12, 31),)
    assert parse_numbers("It is 31.12.")[0].value == Decimal("31.12")


def test_day_and_month_may_be_either_way_round() -> None:
    assert parse_numbers("03/04/2022")[0].dates == (CalendarDate(2022, 3, 4), CalendarDate(2022, 4, 3))


@pytest.mark.parametrize(
    "text",
    [
        "COVID-19 on an A320 with 4G",
        "1. First\n2) Second\n(3) Third",
        "see Note 12, Item 7, Section 3.3 and page 58 of the 10-K",
        "as shown [2] and [3, 4]",
        "https://example.org/1/2023 or a1@b2.org",
        "(income / revenue) × 100",
        "divided by average / 2",
        "round to two decimal places or 3 decimals",
        "one of these two, and both",
        "the 20th century, 24/7",
        "a401(k) plan, 401(k)",
        "1.2.3 and " + "9" * 60,
        "section 401(a)(17), this 10K report, the 777X",
        "Check: 1. Open the file. 2. Close the file.",
    ],
)
def test_what_is_no_statement(text: str) -> None:
    assert parse_numbers(text) == ()


def test_ranges_share_their_unit() -> None:
    assert [n.value for n in parse_numbers("5–7%")] == [5, 7]
    assert {n.kind for n in parse_numbers("from 2.5 to 3 percent")} == {"percent"}
    low, high = parse_numbers("between 3 and 4 million euros")
    assert (low.implied, low.unit, high.value) == (MILLION, "EUR", 4 * MILLION)
    low, high = parse_numbers("$3.1 to $3.3 billion")
    assert low.readings == (BILLION, 1)
    assert [n.dates[0].year for n in parse_numbers("2019–2020")] == [2019, 2020]
    three, _ = parse_numbers("3 branches and 4 million customers")
    assert three.implied is None


def test_a_heading_gives_the_numbers_under_it_a_second_reading() -> None:
    text = "Balance (in millions, except par value)\nCash 1,234 1,100\nRatio 1.5x\nPaid $2 billion\n"
    text += "Three (in thousands) 55"
    found = {number.text: number for number in parse_numbers(text)}
    assert found["1,234"].readings == (MILLION, 1)
    assert found["55"].readings == (THOUSAND, 1)
    assert found["$2 billion"].readings == (1,)
    assert found["1.5x"].readings == (1,)
    assert found["Three"].readings == (1,)
    for heading in (
        "$ in millions",
        "USD millions",
        "(Millions of dollars)",
        "€m",
        "in U.S. $ millions",
        "(dollars in millions)",
    ):
        assert parse_numbers(f"{heading}\nCash 4,321")[-1].implied == MILLION, heading
    for heading in ("$'000", "£000s", "($000's)", "(000s)"):
        (cash,) = parse_numbers(f"{heading}\nCash 4,321")
        assert cash.implied == THOUSAND, heading
    assert parse_numbers("Cash 4,321\n(in millions)")[-1].implied == MILLION


def test_the_convention_of_a_text_decides_a_lone_separator() -> None:
    assert parse_numbers("1.234 and 2,000.50")[0].value == Decimal("1.234")
    assert [n.value for n in parse_numbers("1.234 € und 2.000,50 €")] == [1234, Decimal("2000.50")]
    assert parse_numbers("1,234 at 5.6 %")[0].value == 1234


@pytest.mark.parametrize(
    ("text", "hedge"), [("about 8,700", "about"), ("more than 40", "over"), ("nearly 5%", "under"), ("is 5%", None)]
)
def test_hedges(text: str, hedge: str | None) -> None:
    assert parse_numbers(text)[0].hedge == hedge


def test_a_line_break_before_a_number_hides_nothing() -> None:
    assert [n.value for n in parse_numbers("Operating Profit\n11,512 \n11,162 \n(88)")] == [11512, 11162, -88]


amounts = st.decimals(min_value=0, max_value=10**12, places=2, allow_nan=False, allow_infinity=False)


def _continental(text: str) -> str:
    return text.translate(str.maketrans(",.", ".,"))


@given(amounts)
def test_amounts_survive_their_formatting(value: Decimal) -> None:
    for text, unit in (
        (f"${value:,.2f}", "USD"),
        (f"{value:,.2f} EUR", "EUR"),
        (f"€ {_continental(f'{value:,.2f}')}", "EUR"),
        (f"CHF {f'{value:,.2f}'.replace(',', chr(39))}", "CHF"),
        (f"({value:,.2f})", None),
        (f"it cost {value:.2f} yesterday", None),
    ):
        (number,) = parse_numbers(text)
        assert (abs(number.value), number.unit) == (value, unit), text
        assert number.quantum == Decimal("0.01")
        assert text[number.start : number.end] == number.text


@given(
    st.decimals(min_value=Decimal("0.001"), max_value=999, places=3),
    st.sampled_from(["thousand", "million", "billion"]),
)
def test_scale_words_multiply(value: Decimal, word: str) -> None:
    factor = {"thousand": THOUSAND, "million": MILLION, "billion": BILLION}[word]
    (number,) = parse_numbers(f"USD {value} {word}")
    assert (number.value, number.quantum, number.scale) == (value * factor, factor / 1000, factor)


@given(st.decimals(min_value=0, max_value=1000, places=2))
def test_percentages_and_basis_points(value: Decimal) -> None:
    assert parse_numbers(f"{value}%")[0].value == value
    assert parse_numbers(f"{value} basis points")[0].value == value / 100


@given(st.dates(date(1950, 1, 1), date(2049, 12, 31)))
def test_dates_survive_their_formatting(day: date) -> None:
    for pattern in ("%B %d, %Y", "%d %B %Y", "%Y-%m-%d", "%b %d, %Y", "%d.%m.%Y"):
        (number,) = parse_numbers(f"on {day.strftime(pattern)}, say")
        assert CalendarDate(day.year, day.month, day.day) in number.dates


@given(st.integers(1, 99))
def test_number_words(value: int) -> None:
    names = {number: word for word, number in SMALL_WORDS.items()}
    word = names.get(value) or f"{names[value - value % 10]}-{names[value % 10]}"
    assert written_out(word) == value


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    for number in parse_numbers(text):
        assert text[number.start : number.end] == number.text
        assert number.value.is_finite()
        assert number.quantum > 0


@pytest.mark.parametrize(
    "text", ["5 mıllion", "5 millionſ", "$5 thouſand", "Auguſt 5, 2020", "fırst quarter", "5 EURoſ"]
)
def test_letters_that_only_look_like_ours_break_nothing(text: str) -> None:
    assert all(number.value == 5 or number.dates or number.scale for number in parse_numbers(text))


@pytest.mark.parametrize("piece", ["1,", "1 ", "$(", "9.", "1,234 ", "two ", "May 1 ", "twenty "])
def test_numbers_of_a_long_text_stand_where_they_say(piece: str) -> None:
    text = piece * 5000
    end = 0
    for number in parse_numbers(text):
        assert end <= number.start < number.end
        assert text[number.start : number.end] == number.text
        end = number.end


def test_dates_step_by_day() -> None:
    day = date(2020, 2, 28) + timedelta(days=1)
    assert parse_numbers(day.strftime("%B %d, %Y"))[0].dates == (CalendarDate(2020, 2, 29),)
