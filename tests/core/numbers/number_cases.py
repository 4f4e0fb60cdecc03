"""Cases of numbers in an answer against a source, written before the code that they test was run on them.

`wrong` are the parts of the answer that must be flagged (doubtful or not found); each other number in it must not be.
`DEVELOPMENT` was looked at while the code was written, `HELD_OUT` was run when it was done.
"""

from __future__ import annotations

from typing import NamedTuple


class Case(NamedTuple):
    """A source, an answer, and what of the answer must be flagged."""

    source: str
    answer: str
    wrong: tuple[str, ...] = ()


_TABLE_MILLIONS = (
    "CONSOLIDATED STATEMENTS OF INCOME\n(in millions)\n2022 2021\nNet revenue 8,738 8,124\nNet loss (412) (95)"
)
_TABLE_THOUSANDS = (
    "Balance sheet (in thousands, except per share data)\n"
    "Total assets 3,497,254\nLoans 1,204,887\nEarnings per share 2.35"
)

CASES: tuple[Case, ...] = (
    # sign and direction
    Case(
        "The branch made a net loss of $3.2 million in 2022.",
        "It made a profit of $3.2 million in 2022.",
        ("$3.2 million",),
    ),
    Case("The branch made a net loss of $3.2 million in 2022.", "The loss came to $3.2 million."),
    Case("Deposits fell 4.5% over the year.", "Deposits rose by 4.5%.", ("4.5%",)),
    Case("Deposits fell 4.5% over the year.", "Deposits declined by 4.5%."),
    Case(
        "Operating margin increased by 2.1 percentage points.",
        "The margin dropped 2.1 percentage points.",
        ("2.1 percentage points",),
    ),
    Case("Costs were down 12% year on year.", "Costs went up 12%.", ("12%",)),
    Case("Costs were down 12% year on year.", "Costs decreased 12% compared with the year before."),
    Case("Fee income grew by EUR 14 million.", "Fee income shrank by EUR 14 million.", ("EUR 14 million",)),
    Case("The change in net interest income was -3.7%.", "Net interest income changed by 3.7%.", ("3.7%",)),
    Case("The change in net interest income was -3.7%.", "Net interest income fell 3.7%."),
    Case("The change in net interest income was +3.7%.", "The change was -3.7%.", ("-3.7%",)),
    Case(_TABLE_MILLIONS, "The net loss of 2022 was $412 million."),
    Case(_TABLE_MILLIONS, "In 2022 net income was $412 million.", ("$412 million",)),
    Case(
        "Cash flows (in thousands)\nPurchases of property and equipment (46,080)",
        "It spent $46.08 million on property and equipment.",
    ),
    Case(
        "Net cash used in operating activities $18.4 million",
        "Operations generated $18.4 million of cash.",
        ("$18.4 million",),
    ),
    Case("Net cash used in operating activities $18.4 million", "Operations consumed $18.4 million in cash."),
    Case("Operating result: (1,250) EUR thousand", "The operating result was EUR -1.25 million."),
    Case("Operating result: EUR (1,250) thousand", "The operating result was EUR 1.25 million.", ("EUR 1.25 million",)),
    Case(
        "The fund had net outflows of $75 million.", "The fund recorded net inflows of $75 million.", ("$75 million",)
    ),
    Case("The fund had net outflows of $75 million.", "Investors withdrew $75 million net."),
    Case("Shares gained 6% after the announcement.", "Shares lost 6% after the announcement.", ("6%",)),
    Case("The budget shows a surplus of 2.4 billion.", "The budget shows a deficit of 2.4 billion.", ("2.4 billion",)),
    Case(
        "Provisions were cut by $30 million to $210 million.", "Provisions were reduced by $30 million to $210 million."
    ),
    Case(
        "Provisions were cut by $30 million to $210 million.",
        "Provisions were raised by $30 million to $210 million.",
        ("$30 million",),
    ),
    Case("Revenue rose 8% while expenses fell 3%.", "Expenses fell 3% and revenue rose 8%."),
    Case("Revenue rose 8% while expenses fell 3%.", "Revenue fell 8% while expenses rose 3%.", ("8%", "3%")),
    Case("Income taxes paid (55.2)\nInterest received 12.9", "Taxes paid came to 55.2 and interest received to 12.9."),
    Case("Gain on sale of securities: 27,400", "A loss of 27,400 was made on the sale of securities.", ("27,400",)),
    Case("Total change in equity: −118 million.", "Equity decreased by 118 million."),
    Case(
        "A decline of 14 basis points was seen in the margin.",
        "The margin widened by 14 basis points.",
        ("14 basis points",),
    ),
    # scale of a table
    Case(_TABLE_THOUSANDS, "Total assets were $3,497,254 thousand, or about $3.5 billion."),
    Case(_TABLE_THOUSANDS, "Total assets were $3.5 million.", ("$3.5 million",)),
    Case(_TABLE_MILLIONS, "Net revenue was $8,738 in 2022.", ("$8,738",)),
    Case(_TABLE_MILLIONS, "Net revenue was $8.738 billion in 2022 and $8,124 million in 2021."),
    Case(_TABLE_MILLIONS, "Net revenue was $8,738 thousand.", ("$8,738 thousand",)),
    Case(_TABLE_THOUSANDS, "Earnings per share were $2.35."),
    Case(_TABLE_THOUSANDS, "Loans stood at 1.2 billion dollars."),
    Case(_TABLE_THOUSANDS, "Loans stood at $1.2 trillion.", ("$1.2 trillion",)),
    Case("(EUR in millions)\nOwn funds 14,250.5", "Own funds are EUR 14.25 billion."),
    Case("(EUR in millions)\nOwn funds 14,250.5", "Own funds are EUR 14,250.5.", ("EUR 14,250.5",)),
    Case("The loan book stands at $640 million.", "The loan book stands at $640 billion.", ("$640 billion",)),
    Case("Total exposure 921,300", "Total exposure is $921.3 million.", ("$921.3 million",)),
    Case("$'000\nTrade receivables 18,402\nCash 7,119", "Cash is $7.119 million and receivables are $18.4 million."),
    Case("$'000\nTrade receivables 18,402\nCash 7,119", "Cash is $7,119.", ("$7,119",)),
    Case(
        "Dollars in millions\nDividends declared per share $0.72\nDividends paid 1,540",
        "It paid $1.54 billion in dividends, $0.72 a share.",
    ),
    Case("The card limit is £5,000.", "Your card limit is £5 million.", ("£5 million",)),
    Case("The bank has 2.3 million customers.", "The bank serves 2,300,000 customers."),
    Case("The bank has 2.3 million customers.", "The bank serves 2,300 customers.", ("2,300",)),
    # unit and period
    Case("Complaints are answered within 30 days.", "Complaints are answered within 30 months.", ("30 months",)),
    Case("Complaints are answered within 30 days.", "You get an answer in 30 days at most."),
    Case("The notice period is three months.", "The notice period is three weeks.", ("three weeks",)),
    Case("The nearest branch is 12 km away.", "The nearest branch is 12 miles away.", ("12 miles",)),
    Case("The nearest branch is 12 km away.", "It is 12 kilometres to the nearest branch."),
    Case("The fee is EUR 25 per month.", "The fee is EUR 25 per year.", ("EUR 25",)),
    Case("The fee is EUR 25 per month.", "The monthly fee is EUR 25."),
    Case("The account costs $120 annually.", "The account costs $120 a month.", ("$120",)),
    Case("The account costs $120 annually.", "It costs $120 a year."),
    Case("The rate rose to 4.5%.", "The rate rose by 4.5 percentage points.", ("4.5 percentage points",)),
    Case("The spread narrowed by 1.5 percentage points.", "The spread narrowed by 1.5 percentage points."),
    Case("The mortgage runs for 25 years.", "The mortgage runs for 25 months.", ("25 months",)),
    Case("Transfers take up to 2 hours.", "Transfers take up to 2 days.", ("2 days",)),
    Case("The parcel weighs at most 20 kg.", "A parcel may weigh up to 20 pounds.", ("20 pounds",)),
    Case("The share price was $41.20.", "The share price was €41.20.", ("€41.20",)),
    Case("The office covers 1,400 square metres.", "The office has 1,400 square feet.", ("1,400 square feet",)),
    Case("Customers may appeal within 6 weeks of the decision.", "You have 6 weeks to appeal."),
    Case("Data are deleted after 90 days.", "Data are deleted after 90 hours.", ("90 hours",)),
    Case("The plant produced 560 GWh.", "The plant produced 560 MWh.", ("560 MWh",)),
    Case("The hotline is open 24 hours a day.", "You can call 24 hours a day."),
    # conversions of durations
    Case("A cooling-off period of 2 weeks applies.", "You can withdraw within 14 days."),
    Case("A cooling-off period of 2 weeks applies.", "You can withdraw within 21 days.", ("21 days",)),
    Case("The term is 18 months.", "The term is one and a half years."),
    Case("The bond matures in 10 years.", "The bond matures in 120 months."),
    Case("The bond matures in 10 years.", "The bond matures in 100 months.", ("100 months",)),
    Case("Blocking takes effect after 48 hours.", "Blocking takes effect after two days."),
    Case("Blocking takes effect after 48 hours.", "Blocking takes effect after three days.", ("three days",)),
    Case("The trial lasts 90 minutes.", "The trial lasts 1.5 hours."),
    Case("Interest is fixed for 36 months.", "Interest is fixed for three years."),
    Case("Reports are due every quarter, four a year.", "There are four reports a year."),
    # ordinals
    Case("Interest is due on the third working day.", "Interest is due on the 2nd working day.", ("2nd",)),
    Case("Interest is due on the third working day.", "Interest is due on the 3rd working day."),
    Case("The bank ranks fifth in the country.", "The bank ranks 5th in the country."),
    Case("The bank ranks fifth in the country.", "The bank ranks fourth in the country.", ("fourth",)),
    Case("A fee applies from the sixth withdrawal on.", "From the sixth withdrawal on, a fee applies."),
    Case("A fee applies from the sixth withdrawal on.", "From the 16th withdrawal on, a fee applies.", ("16th",)),
    Case("Payment is due on the 15th of each month.", "Pay by the 15th of the month."),
    Case("Payment is due on the 15th of each month.", "Pay by the 25th of the month.", ("25th",)),
    # fractions and percentages
    Case("50% of the customers bank online.", "Half of the customers bank online."),
    Case("50% of the customers bank online.", "A third of the customers bank online.", ("third",)),
    Case("Two thirds of the loans are secured.", "67% of the loans are secured."),
    Case("Two thirds of the loans are secured.", "76% of the loans are secured.", ("76%",)),
    Case("One quarter of the staff works abroad.", "25% of the staff works abroad."),
    Case("75 percent of the votes were cast in favour.", "Three quarters of the votes were cast in favour."),
    Case("Some 20 % of the portfolio is unsecured.", "One fifth of the portfolio is unsecured."),
    Case("Some 20 % of the portfolio is unsecured.", "One quarter of the portfolio is unsecured.", ("quarter",)),
    Case("The default rate rose from 3% to 5%.", "The default rate rose by 2 percentage points, from 3% to 5%."),
    Case(
        "The default rate rose from 3% to 5%.",
        "The default rate rose by 3 percentage points.",
        ("3 percentage points",),
    ),
    Case("The tax rate was 21.4% in 2022 and 19.9% in 2021.", "The tax rate went up 1.5 percentage points."),
    Case(
        "The tax rate was 21.4% in 2022 and 19.9% in 2021.",
        "The tax rate fell 1.5 percentage points.",
        ("1.5 percentage points",),
    ),
    Case("Rates were cut from 4.00% to 3.75%.", "Rates were cut by 25 basis points."),
    Case("Rates were cut from 4.00% to 3.75%.", "Rates were cut by 50 basis points.", ("50 basis points",)),
    # plain numbers, dates, and what must not be flagged
    Case("The deposit guarantee covers EUR 100,000 per customer.", "Up to EUR 100,000 per customer is guaranteed."),
    Case(
        "The deposit guarantee covers EUR 100,000 per customer.",
        "Up to EUR 10,000 per customer is guaranteed.",
        ("EUR 10,000",),
    ),
    Case("The contract was signed on 5 March 2023.", "It was signed in March 2023."),
    Case("The contract was signed on 5 March 2023.", "It was signed on 3 May 2023.", ("3 May 2023",)),
    Case("In Q3 2022 the ratio reached 14.2%.", "The ratio was 14.2% in the third quarter of 2022."),
    Case("In Q3 2022 the ratio reached 14.2%.", "The ratio was 12.4% in the third quarter of 2022.", ("12.4%",)),
    Case("The minimum age is 18 years.", "Customers must be at least 18."),
    Case("The minimum age is 18 years.", "Customers must be at least 16.", ("16",)),
    Case("The IBAN has 22 characters, of which 2 are letters.", "An IBAN has 22 characters, 2 of them letters."),
    Case("Net interest margin: 1.87%", "The net interest margin is about 1.9%."),
    Case("Liquidity coverage ratio 142 %", "The liquidity coverage ratio is 1.42x, i.e. 142%.", ()),
    Case("Fees: Standard EUR 4.90, Premium EUR 9.90", "Premium costs EUR 9.90, Standard EUR 4.90."),
    Case(
        "The loss was limited to $2 million, after $5 million in 2020.",
        "After a $5 million loss in 2020, it lost $2 million.",
    ),
    Case(
        "Employee costs increased from $40 million to $44 million.",
        "Employee costs increased to $44 million from $40 million.",
    ),
    Case(
        "Employee costs increased from $40 million to $44 million.",
        "Employee costs increased to $48 million from $40 million.",
        ("$48 million",),
    ),
    Case("Headcount fell by 120 to 4,380.", "Headcount is 4,380 after a reduction of 120."),
    Case("The risk-weighted assets amount to 98,7 Mrd. EUR.", "Risk-weighted assets are EUR 98.7 billion."),
    Case(
        "Credit losses of $90 million were offset by gains of $35 million.",
        "Gains of $35 million offset credit losses of $90 million.",
    ),
    Case(
        "Credit losses of $90 million were offset by gains of $35 million.",
        "Gains of $90 million offset credit losses of $35 million.",
        ("$90 million", "$35 million"),
    ),
    Case(
        "The rate may be negative: -0.5% applies to balances above EUR 50,000.",
        "Balances above EUR 50,000 bear a rate of -0.5%.",
    ),
    Case(
        "The rate may be negative: -0.5% applies to balances above EUR 50,000.",
        "Balances above EUR 50,000 earn 0.5%.",
        ("0.5%",),
    ),
)

DEVELOPMENT = tuple(case for position, case in enumerate(CASES) if position % 4 < 2)
HELD_OUT = tuple(case for position, case in enumerate(CASES) if position % 4 >= 2)
