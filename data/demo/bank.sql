-- The products, prices and rules of Pellmarsh Bank, a bank that does not exist. Amounts are in euros, rates in percent.

CREATE TABLE current_account (
    code TEXT PRIMARY KEY, name TEXT NOT NULL, monthly_fee REAL NOT NULL, waived_from_salary REAL,
    free_withdrawals INTEGER, minimum_age INTEGER NOT NULL, maximum_age INTEGER
);
INSERT INTO current_account VALUES
    ('basic', 'Pellmarsh Basic', 0, NULL, 4, 18, NULL),
    ('classic', 'Pellmarsh Classic', 4.5, 1500, 12, 18, NULL),
    ('premium', 'Pellmarsh Premium', 12, 4000, NULL, 18, NULL),
    ('student', 'Pellmarsh Student', 0, NULL, NULL, 18, 27),
    ('youth', 'Pellmarsh Youth', 0, NULL, NULL, 12, 17);

CREATE TABLE card (
    code TEXT PRIMARY KEY, name TEXT NOT NULL, annual_fee REAL NOT NULL, foreign_fee_percent REAL NOT NULL,
    daily_cash_limit REAL NOT NULL, daily_purchase_limit REAL NOT NULL, contactless_limit REAL NOT NULL
);
INSERT INTO card VALUES
    ('debit', 'Pellmarsh Debit', 0, 1.5, 500, 2500, 50),
    ('harbour', 'Harbour Credit', 24, 1.9, 300, 3000, 50),
    ('beacon', 'Beacon Gold', 96, 0, 800, 8000, 50),
    ('skiff', 'Skiff Prepaid', 0, 2.5, 100, 200, 25);

CREATE TABLE payment_type (
    code TEXT PRIMARY KEY, name TEXT NOT NULL, cut_off TEXT, arrives INTEGER NOT NULL, arrives_unit TEXT NOT NULL,
    fee REAL NOT NULL, online_limit REAL
);
INSERT INTO payment_type VALUES
    ('standard', 'Standard euro transfer', '15:30', 1, 'business day', 0, 25000),
    ('instant', 'Instant transfer', NULL, 10, 'seconds', 0, 10000),
    ('urgent', 'Urgent transfer', '14:00', 4, 'hours', 12, 500000),
    ('international', 'International transfer', '13:00', 3, 'business days', 15, 15000),
    ('paper', 'Paper transfer order', '11:00', 2, 'business days', 3.5, NULL);

CREATE TABLE branch (
    code TEXT PRIMARY KEY, name TEXT NOT NULL, address TEXT NOT NULL, cash_desk INTEGER NOT NULL,
    safe_boxes INTEGER NOT NULL, cash_machines INTEGER NOT NULL
);
INSERT INTO branch VALUES
    ('market', 'Market Square', '1 Market Square, Pellmarsh', 1, 420, 4),
    ('saltreach', 'Saltreach Harbour', '18 Ropewalk, Saltreach', 1, 180, 2),
    ('oldferry', 'Oldferry', '7 Chapel Lane, Oldferry', 1, 0, 2),
    ('hollin', 'Hollin Cross', '52 Mill Road, Hollin Cross', 0, 0, 1),
    ('brackwater', 'Brackwater Station', '3 Station Arcade, Brackwater', 0, 0, 3),
    ('university', 'University Quay', '11 Quay Street, Pellmarsh', 0, 0, 2);

CREATE TABLE opening_hours (
    branch TEXT NOT NULL REFERENCES branch (code), day TEXT NOT NULL, opens TEXT NOT NULL, closes TEXT NOT NULL,
    PRIMARY KEY (branch, day)
);
INSERT INTO opening_hours VALUES
    ('market', 'Monday', '09:00', '17:30'), ('market', 'Tuesday', '09:00', '17:30'),
    ('market', 'Wednesday', '09:00', '17:30'), ('market', 'Thursday', '09:00', '19:00'),
    ('market', 'Friday', '09:00', '17:30'), ('market', 'Saturday', '09:30', '13:00'),
    ('saltreach', 'Monday', '09:00', '16:30'), ('saltreach', 'Tuesday', '09:00', '16:30'),
    ('saltreach', 'Wednesday', '09:00', '16:30'), ('saltreach', 'Thursday', '09:00', '18:00'),
    ('saltreach', 'Friday', '09:00', '16:30'),
    ('oldferry', 'Tuesday', '09:30', '13:00'), ('oldferry', 'Thursday', '09:30', '13:00'),
    ('oldferry', 'Friday', '13:30', '17:00'),
    ('hollin', 'Monday', '10:00', '16:00'), ('hollin', 'Wednesday', '10:00', '16:00'),
    ('hollin', 'Friday', '10:00', '16:00'),
    ('brackwater', 'Monday', '07:30', '18:30'), ('brackwater', 'Tuesday', '07:30', '18:30'),
    ('brackwater', 'Wednesday', '07:30', '18:30'), ('brackwater', 'Thursday', '07:30', '18:30'),
    ('brackwater', 'Friday', '07:30', '18:30'),
    ('university', 'Monday', '11:00', '17:00'), ('university', 'Wednesday', '11:00', '17:00'),
    ('university', 'Thursday', '11:00', '17:00');

CREATE TABLE savings_account (
    code TEXT PRIMARY KEY, name TEXT NOT NULL, rate REAL NOT NULL, opening_deposit REAL NOT NULL,
    notice_days INTEGER NOT NULL, maximum_balance REAL
);
INSERT INTO savings_account VALUES
    ('tidal', 'Tidal Saver', 1.25, 1, 0, NULL),
    ('lantern', 'Lantern Notice', 2.1, 1000, 90, 250000),
    ('ripple', 'Ripple Regular', 3.5, 25, 0, 3600),
    ('pebble', 'Pebble Youth', 2.75, 10, 0, 5000);

CREATE TABLE term_deposit (months INTEGER PRIMARY KEY, rate REAL NOT NULL, minimum REAL NOT NULL);
INSERT INTO term_deposit VALUES (6, 2.2, 2500), (12, 2.6, 2500), (24, 2.75, 2500), (36, 2.85, 2500), (60, 3.0, 2500);

CREATE TABLE mortgage_rate (
    fixed_years INTEGER NOT NULL, loan_to_value INTEGER NOT NULL, rate REAL NOT NULL,
    PRIMARY KEY (fixed_years, loan_to_value)
);
INSERT INTO mortgage_rate VALUES
    (5, 60, 3.25), (5, 80, 3.45), (5, 90, 3.95),
    (10, 60, 3.4), (10, 80, 3.6), (10, 90, 4.1),
    (15, 60, 3.65), (15, 80, 3.85), (15, 90, 4.4),
    (20, 60, 3.9), (20, 80, 4.15);

CREATE TABLE loan (
    code TEXT PRIMARY KEY, name TEXT NOT NULL, minimum REAL NOT NULL, maximum REAL NOT NULL, rate REAL NOT NULL,
    shortest_months INTEGER NOT NULL, longest_months INTEGER NOT NULL
);
INSERT INTO loan VALUES
    ('personal', 'Personal Loan', 1500, 50000, 6.9, 12, 84),
    ('car', 'Car Loan', 5000, 60000, 5.4, 12, 72),
    ('green', 'Green Home Loan', 3000, 30000, 4.8, 12, 120),
    ('study', 'Study Loan', 500, 20000, 3.9, 6, 144);

CREATE TABLE insurance (
    code TEXT PRIMARY KEY, name TEXT NOT NULL, monthly_premium REAL NOT NULL, excess REAL NOT NULL, cover REAL NOT NULL
);
INSERT INTO insurance VALUES
    ('home', 'Hearth Contents', 14.5, 150, 60000),
    ('travel', 'Compass Travel', 7.9, 75, 250000),
    ('device', 'Pocket Device', 5.5, 60, 1200),
    ('life', 'Keel Term Life', 18, 0, 200000);

CREATE TABLE fee (code TEXT PRIMARY KEY, topic TEXT NOT NULL, title TEXT NOT NULL, amount REAL NOT NULL);
INSERT INTO fee VALUES
    ('basic-extra-withdrawal', 'Current accounts', 'Basic account: each further withdrawal', 0.8),
    ('closed-statement', 'Current accounts', 'Statement of a closed account', 5),
    ('paper-statement', 'Current accounts', 'Monthly statement on paper', 1.8),
    ('statement-copy', 'Current accounts', 'Copy of an old statement', 3),
    ('beacon-partner', 'Cards', 'Additional gold card', 30),
    ('skiff-cash-load', 'Cards', 'Loading the prepaid card in cash', 1.5),
    ('credit-cash-minimum', 'Cards', 'Cash on a credit card, least fee', 5),
    ('card-replacement', 'Cards', 'Replacement of a lost card', 10),
    ('card-courier', 'Cards', 'Replacement card by courier', 25),
    ('debit-returned', 'Payments and transfers', 'Direct debit returned for lack of funds', 4),
    ('recall', 'Payments and transfers', 'Recall of a transfer', 20),
    ('cheque', 'Payments and transfers', 'Collection of a foreign cheque', 35),
    ('atm-other', 'Branches and cash machines', 'Withdrawal at another bank''s machine', 2.5),
    ('coin-bag', 'Branches and cash machines', 'Paying in a bag of coins', 6),
    ('safe-small', 'Branches and cash machines', 'Small safe deposit box, a year', 65),
    ('safe-medium', 'Branches and cash machines', 'Medium safe deposit box, a year', 110),
    ('safe-large', 'Branches and cash machines', 'Large safe deposit box, a year', 190),
    ('safe-drill', 'Branches and cash machines', 'Drilling open a box', 280),
    ('term-break', 'Savings accounts', 'Early release of a term deposit', 50),
    ('custody-minimum', 'Investments', 'Least custody fee, a year', 20),
    ('order-floor', 'Investments', 'Least commission, online order', 9.5),
    ('order-cap', 'Investments', 'Highest commission, online order', 65),
    ('order-branch', 'Investments', 'Least commission, order by telephone or branch', 25),
    ('home-house', 'Insurance', 'Supplement for a detached house, a month', 4),
    ('travel-family', 'Insurance', 'Travel policy for a family, a month', 13.5),
    ('valuation-visit', 'Mortgages', 'Valuation by a surveyor', 350),
    ('early-calculation', 'Mortgages', 'Second calculation of the compensation in a year', 80),
    ('second-reminder', 'Personal loans and overdrafts', 'Second reminder', 2.5),
    ('instalment-change', 'Personal loans and overdrafts', 'Permanent change of the instalment', 30),
    ('business-sole', 'Business banking', 'Business account for sole traders, a month', 9),
    ('business-company', 'Business banking', 'Business account for companies, a month', 19),
    ('business-booking', 'Business banking', 'Each booking beyond those included', 0.12),
    ('business-user', 'Business banking', 'Each further user, a month', 2),
    ('terminal', 'Business banking', 'Rent of a card terminal, a month', 16),
    ('night-bag', 'Business banking', 'Each bag in the night safe', 3),
    ('coin-roll', 'Business banking', 'Each roll of coins', 0.5),
    ('guarantee-minimum', 'Business banking', 'Least fee of a guarantee, a year', 60),
    ('terminal-missing', 'Business banking', 'Terminal not sent back', 180),
    ('reader', 'Online and mobile banking', 'Reader for releasing payments', 19),
    ('text-alert', 'Online and mobile banking', 'Alert by text message', 0.09),
    ('abroad', 'Onboarding and identity', 'Yearly charge for customers living abroad', 36),
    ('estate', 'Onboarding and identity', 'Winding up a larger estate', 150),
    ('data-copy', 'Complaints and data protection', 'Further copy of personal data', 8);

CREATE TABLE rate (code TEXT PRIMARY KEY, topic TEXT NOT NULL, title TEXT NOT NULL, percent REAL NOT NULL);
INSERT INTO rate VALUES
    ('harbour-instalment', 'Cards', 'Smallest instalment, share of balance', 5),
    ('harbour-interest', 'Cards', 'Interest on balances carried over', 14.9),
    ('credit-cash', 'Cards', 'Cash on a credit card, share of the amount', 3),
    ('exchange-margin', 'Payments and transfers', 'Exchange margin on international transfers', 0.2),
    ('notes-margin', 'Branches and cash machines', 'Margin on foreign notes', 2.2),
    ('withholding', 'Savings accounts', 'Tax withheld from interest', 25),
    ('custody', 'Investments', 'Custody fee, a year', 0.15),
    ('order', 'Investments', 'Commission on an online order', 0.25),
    ('plan-fee', 'Investments', 'Purchase fee in a fund plan', 1),
    ('managed-fee', 'Investments', 'All-in fee of a managed portfolio', 1.1),
    ('managed-cautious', 'Investments', 'Shares in the cautious strategy, at most', 30),
    ('managed-balanced', 'Investments', 'Shares in the balanced strategy, at most', 60),
    ('managed-loss', 'Investments', 'Loss that must be reported at once', 10),
    ('coal', 'Investments', 'Turnover from coal that excludes a company', 5),
    ('protection-premium', 'Insurance', 'Premium, share of the instalment', 4.2),
    ('commission', 'Insurance', 'Commission on the first year''s premium', 12),
    ('energy-discount', 'Mortgages', 'Discount for energy class A or B', 0.1),
    ('mortgage-burden', 'Mortgages', 'Instalments as share of net income, at most', 38),
    ('ltv-home', 'Mortgages', 'Loan to value for an own home, at most', 90),
    ('ltv-let', 'Mortgages', 'Loan to value for a home that is let, at most', 70),
    ('standby', 'Mortgages', 'Standby interest, a month', 0.15),
    ('build-reserve', 'Mortgages', 'Reserve advised for builders', 10),
    ('overpay', 'Mortgages', 'Free extra repayment, share of the original loan', 5),
    ('early-compensation', 'Mortgages', 'Compensation for early repayment', 1),
    ('early-compensation-late', 'Mortgages', 'Compensation in the last year', 0.5),
    ('variable-margin', 'Mortgages', 'Margin of the variable rate', 1.6),
    ('forward-surcharge', 'Mortgages', 'Forward surcharge for each month', 0.02),
    ('life-cover-condition', 'Mortgages', 'Loan to value above which life cover may be required', 80),
    ('personal-highest', 'Personal loans and overdrafts', 'Highest rate of a personal loan', 11.9),
    ('electric-cut', 'Personal loans and overdrafts', 'Rate cut for electric cars', 0.5),
    ('green-work', 'Personal loans and overdrafts', 'Share of invoices for the work itself', 80),
    ('loan-early', 'Personal loans and overdrafts', 'Compensation for early repayment of a loan', 1),
    ('loan-early-late', 'Personal loans and overdrafts', 'Compensation in the last year of a loan', 0.5),
    ('overdraft', 'Personal loans and overdrafts', 'Interest on an arranged overdraft', 9.75),
    ('overdraft-use', 'Personal loans and overdrafts', 'Use that counts as heavy', 75),
    ('unarranged', 'Personal loans and overdrafts', 'Interest beyond the agreed line', 13.5),
    ('call-in', 'Personal loans and overdrafts', 'Share overdue before the loan is called in', 10),
    ('owner-share', 'Business banking', 'Share from which an owner is recorded', 25),
    ('terminal-debit', 'Business banking', 'Settlement of debit cards', 0.65),
    ('terminal-credit', 'Business banking', 'Settlement of credit cards', 1.2),
    ('terminal-app', 'Business banking', 'Settlement with the telephone app', 1.5),
    ('line-turnover', 'Business banking', 'Credit line as share of turnover, at most', 15),
    ('line-used', 'Business banking', 'Interest on the part used', 7.4),
    ('line-unused', 'Business banking', 'Interest on the part not used', 0.5),
    ('invest-share', 'Business banking', 'Share of the price financed, at most', 80),
    ('invest-from', 'Business banking', 'Rate of an investment loan, from', 4.95),
    ('founder-guarantee', 'Business banking', 'Share secured by the guarantee bank', 70),
    ('guarantee-fee', 'Business banking', 'Guarantee, a year', 1.75);

CREATE TABLE amount_limit (code TEXT PRIMARY KEY, topic TEXT NOT NULL, title TEXT NOT NULL, amount REAL NOT NULL);
INSERT INTO amount_limit VALUES
    ('student-overdraft', 'Current accounts', 'Interest-free overdraft for students', 750),
    ('statement-copy-ceiling', 'Current accounts', 'Ceiling for one order of statement copies', 30),
    ('harbour-refund', 'Cards', 'Yearly purchases from which the fee is refunded', 6000),
    ('harbour-instalment', 'Cards', 'Smallest instalment', 40),
    ('beacon-income', 'Cards', 'Income needed for the gold card', 40000),
    ('skiff-balance', 'Cards', 'Highest balance on the prepaid card', 1000),
    ('contactless-sum', 'Cards', 'Sum of contactless payments before a PIN is asked', 150),
    ('card-liability', 'Cards', 'Liability before a card is reported missing', 50),
    ('cheque-minimum', 'Payments and transfers', 'Smallest cheque accepted', 100),
    ('oldferry-cash', 'Branches and cash machines', 'Cash paid in at Oldferry without notice', 3000),
    ('atm-transaction', 'Branches and cash machines', 'Most that one machine transaction pays out', 600),
    ('cash-proof', 'Branches and cash machines', 'Cash from which proof of origin is needed', 10000),
    ('cash-for-others', 'Branches and cash machines', 'Cash paid in for somebody else', 1000),
    ('cash-announce', 'Branches and cash machines', 'Withdrawal that must be announced', 5000),
    ('safe-insured', 'Branches and cash machines', 'Insured contents of a box', 20000),
    ('lantern-free', 'Savings accounts', 'Monthly withdrawal without notice', 2000),
    ('ripple-monthly', 'Savings accounts', 'Highest monthly instalment', 300),
    ('guarantee', 'Savings accounts', 'Protected deposits for each customer', 100000),
    ('guarantee-temporary', 'Savings accounts', 'Protected deposits after a home sale', 500000),
    ('exemption-single', 'Savings accounts', 'Exemption order, single', 1000),
    ('exemption-couple', 'Savings accounts', 'Exemption order, married couple', 2000),
    ('plan-minimum', 'Investments', 'Least monthly instalment in a fund plan', 50),
    ('managed-minimum', 'Investments', 'Least sum for a managed portfolio', 30000),
    ('transfer-bonus-from', 'Investments', 'Portfolio from which the bonus is paid', 10000),
    ('transfer-bonus', 'Investments', 'Bonus for a transferred portfolio', 75),
    ('home-jewellery', 'Insurance', 'Jewellery, in total', 12000),
    ('home-jewellery-open', 'Insurance', 'Jewellery outside a safe', 3000),
    ('home-cash', 'Insurance', 'Cash at home', 800),
    ('home-art', 'Insurance', 'Piece of art that needs a valuation', 5000),
    ('travel-delay', 'Insurance', 'Payment for a delayed flight', 120),
    ('life-short-form', 'Insurance', 'Sum up to which the short form is enough', 100000),
    ('protection-monthly', 'Insurance', 'Instalment covered, a month', 900),
    ('claim-small', 'Insurance', 'Damage settled without inspection', 500),
    ('valuation-visit', 'Mortgages', 'Price above which a surveyor visits', 400000),
    ('overpay-minimum', 'Mortgages', 'Smallest extra repayment', 1000),
    ('study-monthly', 'Personal loans and overdrafts', 'Highest monthly part', 650),
    ('probation', 'Personal loans and overdrafts', 'Loan during probation at work', 5000),
    ('overdraft-maximum', 'Personal loans and overdrafts', 'Highest arranged overdraft', 8000),
    ('two-approvals', 'Business banking', 'Payment from which two people must approve', 20000),
    ('line-maximum', 'Business banking', 'Highest credit line', 250000),
    ('founder-loan', 'Business banking', 'Start-up loan, at most', 35000),
    ('cash-difference', 'Business banking', 'Cash difference booked without asking', 5),
    ('fraud-police', 'Fraud and disputes', 'Loss from which a police report is needed', 300),
    ('scam-refund', 'Fraud and disputes', 'Most that is made good after a scam', 15000),
    ('new-payee', 'Fraud and disputes', 'Payment to a new payee that is delayed', 5000),
    ('dispute-minimum', 'Fraud and disputes', 'Smallest sum in a dispute', 10),
    ('release-free', 'Online and mobile banking', 'Payment without release', 30),
    ('release-free-sum', 'Online and mobile banking', 'Payments without release in a row', 100),
    ('online-start', 'Online and mobile banking', 'Daily limit for new customers', 5000),
    ('funeral', 'Onboarding and identity', 'Funeral costs paid in advance', 6000),
    ('estate-free', 'Onboarding and identity', 'Estate wound up without charge', 25000),
    ('guardian', 'Onboarding and identity', 'Monthly spending by a guardian without permission', 3000),
    ('ombudsman', 'Complaints and data protection', 'Award that binds the bank', 10000),
    ('goodwill-branch', 'Complaints and data protection', 'Goodwill by a branch manager', 100),
    ('goodwill-regional', 'Complaints and data protection', 'Goodwill by a regional manager', 750),
    ('automated', 'Complaints and data protection', 'Loan decided by computer, at most', 10000);

CREATE TABLE count_limit (
    code TEXT PRIMARY KEY, topic TEXT NOT NULL, title TEXT NOT NULL, number INTEGER NOT NULL, of_what TEXT NOT NULL
);
INSERT INTO count_limit VALUES
    ('virtual-cards', 'Cards', 'Virtual cards a holder may have', 3, 'virtual cards'),
    ('atm-other-free', 'Branches and cash machines', 'Free withdrawals a month at other banks'' machines', 3, 'withdrawals'),
    ('deposit-notes', 'Branches and cash machines', 'Notes in one machine deposit', 200, 'notes'),
    ('business-bookings', 'Business banking', 'Bookings included', 50, 'bookings'),
    ('charity-bookings', 'Business banking', 'Bookings included for charities', 200, 'bookings'),
    ('business-users', 'Business banking', 'Free users', 10, 'users'),
    ('bulk-payments', 'Business banking', 'Payments in one file', 5000, 'payments'),
    ('blocked-countries', 'Fraud and disputes', 'Countries where payments are declined', 9, 'countries'),
    ('password', 'Online and mobile banking', 'Least length of the password', 12, 'characters'),
    ('app-devices', 'Online and mobile banking', 'Devices at a time', 3, 'devices');

CREATE TABLE term (
    code TEXT PRIMARY KEY, topic TEXT NOT NULL, title TEXT NOT NULL, length INTEGER NOT NULL, unit TEXT NOT NULL
);
INSERT INTO term VALUES
    ('joint-removal', 'Current accounts', 'Removal of a joint holder', 5, 'business days'),
    ('switch-total', 'Current accounts', 'Switching service, whole process', 12, 'business days'),
    ('switch-lead', 'Current accounts', 'Switching service, notice before the switch day', 6, 'business days'),
    ('account-closure', 'Current accounts', 'Time to close an account', 10, 'business days'),
    ('dormant-after', 'Current accounts', 'Inactivity before an account is dormant', 24, 'months'),
    ('unclaimed-after', 'Current accounts', 'Time before a balance counts as unclaimed', 15, 'years'),
    ('limit-raise', 'Cards', 'Longest temporary rise of a card limit', 7, 'days'),
    ('card-post', 'Cards', 'Replacement card by post', 6, 'business days'),
    ('card-courier', 'Cards', 'Replacement card by courier', 2, 'business days'),
    ('pin-shown', 'Cards', 'How long the app shows a PIN', 30, 'seconds'),
    ('pin-letter', 'Cards', 'PIN letter', 4, 'business days'),
    ('virtual-single-use', 'Cards', 'Life of an unused single-use number', 24, 'hours'),
    ('standing-retry', 'Payments and transfers', 'Days on which a standing order is tried again', 3, 'business days'),
    ('debit-refund', 'Payments and transfers', 'Refund of an authorised direct debit', 8, 'weeks'),
    ('debit-refund-unauthorised', 'Payments and transfers', 'Refund of a direct debit without mandate', 13, 'months'),
    ('returned-window', 'Payments and transfers', 'Window for counting returned debits', 90, 'days'),
    ('recall-answer', 'Payments and transfers', 'Time for the other bank to answer a recall', 10, 'business days'),
    ('cheque', 'Payments and transfers', 'Time to credit a foreign cheque', 20, 'business days'),
    ('cash-announce', 'Branches and cash machines', 'Notice for a large withdrawal', 2, 'business days'),
    ('notes-return', 'Branches and cash machines', 'Time to sell foreign notes back', 30, 'days'),
    ('ripple-year', 'Savings accounts', 'Time for which the regular rate is paid', 12, 'months'),
    ('guarantee-temporary', 'Savings accounts', 'Time of the higher protection', 6, 'months'),
    ('guarantee-payout', 'Savings accounts', 'Payout by the guarantee scheme', 7, 'business days'),
    ('rate-cut', 'Savings accounts', 'Announcement of a rate cut', 2, 'months'),
    ('plan-pause', 'Investments', 'Longest pause of a fund plan', 12, 'months'),
    ('profile', 'Investments', 'Validity of an investor profile', 24, 'months'),
    ('recording', 'Investments', 'Time for which recordings are kept', 5, 'years'),
    ('corporate-answer', 'Investments', 'Answer before a company''s deadline', 2, 'business days'),
    ('transfer-in', 'Investments', 'Transfer of a portfolio', 3, 'weeks'),
    ('travel-trip', 'Insurance', 'Longest trip covered', 56, 'days'),
    ('travel-treated', 'Insurance', 'Treatment before departure that excludes an illness', 6, 'months'),
    ('travel-luggage', 'Insurance', 'Report of lost luggage', 24, 'hours'),
    ('device-age', 'Insurance', 'Greatest age of a device at the start', 24, 'months'),
    ('life-suicide', 'Insurance', 'Exclusion of suicide', 3, 'years'),
    ('protection-wait', 'Insurance', 'Waiting time', 60, 'days'),
    ('protection-lasts', 'Insurance', 'Duration for each event', 12, 'months'),
    ('claim-report', 'Insurance', 'Report of a damage', 7, 'days'),
    ('claim-decision', 'Insurance', 'Decision on a complete claim', 10, 'business days'),
    ('insurance-cooling', 'Insurance', 'Withdrawal from a policy', 14, 'days'),
    ('life-cooling', 'Insurance', 'Withdrawal from life cover', 30, 'days'),
    ('insurance-notice', 'Insurance', 'Notice before renewal', 1, 'month'),
    ('move-report', 'Insurance', 'Report of a move', 30, 'days'),
    ('home-empty', 'Insurance', 'Time a home may stand empty unreported', 60, 'days'),
    ('self-employed', 'Mortgages', 'Profits taken into account for the self-employed', 3, 'years'),
    ('mortgage-decision', 'Mortgages', 'Decision on a complete file', 8, 'business days'),
    ('offer-valid', 'Mortgages', 'Validity of a mortgage offer', 21, 'days'),
    ('offer-reflection', 'Mortgages', 'Reflection period', 14, 'days'),
    ('offer-draw', 'Mortgages', 'Time to draw the loan', 6, 'months'),
    ('early-notice', 'Mortgages', 'Notice after ten years', 6, 'months'),
    ('end-offer', 'Mortgages', 'Offer before the fixed period ends', 3, 'months'),
    ('forward', 'Mortgages', 'Longest forward period', 24, 'months'),
    ('interest-only', 'Mortgages', 'Longest interest-only period', 12, 'months'),
    ('forced-sale', 'Mortgages', 'Arrears before a forced sale is considered', 6, 'months'),
    ('car-age', 'Personal loans and overdrafts', 'Age of the car, less than', 8, 'years'),
    ('green-invoices', 'Personal loans and overdrafts', 'Time to send the invoices', 9, 'months'),
    ('study-start', 'Personal loans and overdrafts', 'Start of repayment after studies', 12, 'months'),
    ('study-dropout', 'Personal loans and overdrafts', 'Start of repayment after dropping out', 3, 'months'),
    ('income-history', 'Personal loans and overdrafts', 'Regular income before a loan', 6, 'months'),
    ('register-answer', 'Personal loans and overdrafts', 'Time for which the register''s answer is kept', 12, 'months'),
    ('loan-withdrawal', 'Personal loans and overdrafts', 'Withdrawal from a consumer loan', 14, 'days'),
    ('loan-payback', 'Personal loans and overdrafts', 'Time to pay back after withdrawal', 30, 'days'),
    ('settlement', 'Personal loans and overdrafts', 'Validity of a settlement figure', 10, 'days'),
    ('overdraft-offer', 'Personal loans and overdrafts', 'Steady use after which a loan is offered', 6, 'months'),
    ('unarranged-cure', 'Personal loans and overdrafts', 'Time to put the balance right', 30, 'days'),
    ('unarranged-notice', 'Personal loans and overdrafts', 'Notice of termination', 2, 'months'),
    ('first-reminder', 'Personal loans and overdrafts', 'First reminder after a missed instalment', 5, 'days'),
    ('register-extract', 'Business banking', 'Greatest age of the register extract', 3, 'months'),
    ('business-opening', 'Business banking', 'Opening of a company account', 5, 'business days'),
    ('business-accounts', 'Business banking', 'Accounts needed for a credit line', 24, 'months'),
    ('invest-longest', 'Business banking', 'Longest investment loan', 15, 'years'),
    ('invest-holiday', 'Business banking', 'First instalment holiday', 12, 'months'),
    ('founder-free', 'Business banking', 'Months without fee for founders', 12, 'months'),
    ('founder-window', 'Business banking', 'Time after registration to take the offer', 6, 'months'),
    ('guarantee-issue', 'Business banking', 'Time to issue a guarantee', 3, 'business days'),
    ('business-notice', 'Business banking', 'Notice by the business customer', 1, 'month'),
    ('business-notice-bank', 'Business banking', 'Notice by the bank', 2, 'months'),
    ('fraud-writing', 'Fraud and disputes', 'Written confirmation of a fraud', 5, 'business days'),
    ('unauthorised-report', 'Fraud and disputes', 'Report of an unauthorised payment', 13, 'months'),
    ('scam-report', 'Fraud and disputes', 'Report of a scam', 48, 'hours'),
    ('chargeback', 'Fraud and disputes', 'Time for a card dispute', 120, 'days'),
    ('chargeback-credit', 'Fraud and disputes', 'Provisional credit in a dispute', 10, 'business days'),
    ('chargeback-decision', 'Fraud and disputes', 'Decision by the card scheme', 60, 'days'),
    ('monitoring-answer', 'Fraud and disputes', 'Time to release a held payment', 24, 'hours'),
    ('new-payee-delay', 'Fraud and disputes', 'Delay of such a payment', 4, 'hours'),
    ('fraud-register', 'Fraud and disputes', 'Entry in the fraud register', 5, 'years'),
    ('identity-register', 'Fraud and disputes', 'Deletion of wrong register entries', 10, 'business days'),
    ('merchant-refund', 'Fraud and disputes', 'Time given to the merchant', 15, 'days'),
    ('region-open', 'Fraud and disputes', 'Time for which a region stays on', 60, 'days'),
    ('activation-post', 'Online and mobile banking', 'Activation code by post', 4, 'business days'),
    ('activation-valid', 'Online and mobile banking', 'Validity of the activation code', 30, 'days'),
    ('access-unused', 'Online and mobile banking', 'Time after which unused access is closed', 18, 'months'),
    ('limit-effect', 'Online and mobile banking', 'Delay before a higher limit works', 4, 'hours'),
    ('inbox-delivered', 'Online and mobile banking', 'Documents count as delivered, at the latest', 14, 'days'),
    ('inbox-kept', 'Online and mobile banking', 'Time for which documents stay in the inbox', 10, 'years'),
    ('message-answer', 'Online and mobile banking', 'Answer to a message', 1, 'business day'),
    ('consent', 'Online and mobile banking', 'Consent for accounts elsewhere', 180, 'days'),
    ('other-bookings', 'Online and mobile banking', 'Time for which other banks'' bookings are kept', 13, 'months'),
    ('outage', 'Online and mobile banking', 'Outage after which payments are dated back', 2, 'hours'),
    ('view-only', 'Online and mobile banking', 'View-only access for a trusted person', 24, 'months'),
    ('expired-card', 'Onboarding and identity', 'Grace for an expired identity card', 3, 'months'),
    ('video-length', 'Onboarding and identity', 'Length of the video identification', 6, 'minutes'),
    ('address-bill', 'Onboarding and identity', 'Greatest age of a utility bill', 3, 'months'),
    ('address-change', 'Onboarding and identity', 'Report of a change of address', 30, 'days'),
    ('tax-declaration', 'Onboarding and identity', 'Tax declaration after opening', 90, 'days'),
    ('pep-after', 'Onboarding and identity', 'Status kept after the office has ended', 12, 'months'),
    ('review-medium', 'Onboarding and identity', 'Review at medium risk', 3, 'years'),
    ('review-low', 'Onboarding and identity', 'Review at low risk', 6, 'years'),
    ('basic-refusal', 'Onboarding and identity', 'Reasons for refusing a basic account', 10, 'business days'),
    ('fresh-application', 'Onboarding and identity', 'Wait before a fresh application', 6, 'months'),
    ('attorney-check', 'Onboarding and identity', 'Check of a notary''s general power', 5, 'business days'),
    ('complaint-confirm', 'Complaints and data protection', 'Confirmation of a complaint', 2, 'business days'),
    ('complaint-payment', 'Complaints and data protection', 'Answer to a complaint about payments', 15, 'business days'),
    ('complaint-other', 'Complaints and data protection', 'Answer to other complaints', 30, 'days'),
    ('complaint-latest', 'Complaints and data protection', 'Latest answer when delayed', 35, 'business days'),
    ('ombudsman', 'Complaints and data protection', 'Time to turn to the ombudsman', 12, 'months'),
    ('goodwill-credit', 'Complaints and data protection', 'Credit of a goodwill payment', 3, 'business days'),
    ('data-access', 'Complaints and data protection', 'Answer to a data request', 1, 'month'),
    ('keep-contracts', 'Complaints and data protection', 'Contracts and bookings are kept', 10, 'years'),
    ('keep-identification', 'Complaints and data protection', 'Identification records are kept', 5, 'years'),
    ('keep-calls', 'Complaints and data protection', 'Calls to the service line are kept', 90, 'days'),
    ('keep-video', 'Complaints and data protection', 'Video from branches is kept', 72, 'hours'),
    ('keep-applications', 'Complaints and data protection', 'Applications that came to nothing are kept', 6, 'months'),
    ('data-correction', 'Complaints and data protection', 'Correction of wrong data', 5, 'business days'),
    ('marketing-stop', 'Complaints and data protection', 'Time until advertising stops', 7, 'days'),
    ('breach-internal', 'Complaints and data protection', 'Internal report of a breach', 2, 'hours'),
    ('breach-authority', 'Complaints and data protection', 'Report to the authority', 72, 'hours'),
    ('human-review', 'Complaints and data protection', 'Review by a person', 3, 'business days');

CREATE TABLE clock_time (code TEXT PRIMARY KEY, topic TEXT NOT NULL, title TEXT NOT NULL, at TEXT NOT NULL);
INSERT INTO clock_time VALUES
    ('standing-change', 'Payments and transfers', 'Latest change to a standing order, day before', '20:00'),
    ('term-rollover', 'Savings accounts', 'Latest instruction at maturity', '18:00'),
    ('order-exchange', 'Investments', 'Cut-off for exchange orders', '16:45'),
    ('order-fund', 'Investments', 'Cut-off for fund orders', '11:30'),
    ('salary-file', 'Business banking', 'Cut-off for salary files', '12:00'),
    ('salary-report', 'Business banking', 'Report of failed payments', '17:00'),
    ('change-order', 'Business banking', 'Order of change for the next day', '10:00'),
    ('maintenance-end', 'Online and mobile banking', 'End of planned maintenance', '05:00'),
    ('sign-language', 'Online and mobile banking', 'End of the sign-language service', '15:00'),
    ('video-end', 'Onboarding and identity', 'End of the video service', '22:00');

CREATE TABLE contact (code TEXT PRIMARY KEY, topic TEXT NOT NULL, title TEXT NOT NULL, phone TEXT NOT NULL);
INSERT INTO contact VALUES
    ('card-line', 'Cards', 'Card line', '0555 010 222'),
    ('claims', 'Insurance', 'Claims line', '0555 010 400'),
    ('mortgage-support', 'Mortgages', 'Mortgage support team', '0555 010 330'),
    ('security', 'Fraud and disputes', 'Security desk', '0555 010 911'),
    ('service', 'Online and mobile banking', 'Service line', '0555 010 100');
