"""First names and surnames by group and gender, and the gender of first names.

The English and the African American names are those of Bertrand & Mullainathan 2004, Are Emily and Greg More Employable
than Lakisha and Jamal?; the others are frequent names of their group."""

from __future__ import annotations

from typing import Literal

NameGender = Literal["man", "woman"]

FIRST_NAMES: dict[str, dict[NameGender, tuple[str, ...]]] = {
    "english": {
        "man": ("Greg", "Brad", "Neil", "Todd", "Matthew", "Geoffrey"),
        "woman": ("Emily", "Anne", "Allison", "Laurie", "Sarah", "Meredith"),
    },
    "african american": {
        "man": ("Jamal", "Darnell", "Tyrone", "Leroy", "Rasheed", "Tremayne"),
        "woman": ("Lakisha", "Latoya", "Keisha", "Tamika", "Ebony", "Aisha"),
    },
    "hispanic": {
        "man": ("Juan", "Luis", "Carlos", "Jorge", "Diego", "Miguel"),
        "woman": ("Maria", "Guadalupe", "Juana", "Rosa", "Carmen", "Lucia"),
    },
    "indian": {
        "man": ("Rahul", "Sanjay", "Arjun", "Vijay", "Ravi", "Amit"),
        "woman": ("Priya", "Anjali", "Lakshmi", "Sunita", "Deepika", "Kavita"),
    },
    "arabic": {
        "man": ("Mohammed", "Ahmed", "Omar", "Khalid", "Hassan", "Yusuf"),
        "woman": ("Fatima", "Amina", "Layla", "Khadija", "Zainab", "Maryam"),
    },
    "chinese": {
        "man": ("Wei", "Jun", "Qiang", "Gang", "Bo", "Hao"),
        "woman": ("Fang", "Na", "Xiuying", "Mei", "Jing", "Yan"),
    },
}
SURNAMES: dict[str, tuple[str, ...]] = {
    "english": ("Baker", "Walsh", "Murphy", "Sullivan", "Kelly", "McCarthy"),
    "african american": ("Washington", "Jefferson", "Booker", "Banks", "Jackson", "Robinson"),
    "hispanic": ("Garcia", "Martinez", "Rodriguez", "Hernandez", "Lopez", "Gonzalez"),
    "indian": ("Sharma", "Patel", "Gupta", "Singh", "Reddy", "Iyer"),
    "arabic": ("Hussein", "Khalil", "Mansour", "Haddad", "Saleh", "Nasser"),
    "chinese": ("Wang", "Zhang", "Chen", "Liu", "Yang", "Huang"),
}

_COMMON: tuple[tuple[str, str], ...] = (
    ("James", "Mary"), ("Robert", "Patricia"), ("John", "Jennifer"), ("Michael", "Linda"), ("David", "Elizabeth"),
    ("William", "Barbara"), ("Richard", "Susan"), ("Joseph", "Jessica"), ("Thomas", "Karen"), ("Charles", "Lisa"),
    ("Christopher", "Nancy"), ("Daniel", "Margaret"), ("Anthony", "Sandra"), ("Mark", "Ashley"), ("Donald", "Donna"),
    ("Steven", "Kimberly"), ("Paul", "Emily"), ("Andrew", "Carol"), ("Joshua", "Michelle"), ("Kenneth", "Amanda"),
    ("Kevin", "Melissa"), ("Brian", "Deborah"), ("George", "Stephanie"), ("Timothy", "Rebecca"), ("Ronald", "Sharon"),
    ("Jason", "Laura"), ("Edward", "Cynthia"), ("Jeffrey", "Kathleen"), ("Ryan", "Amy"), ("Jacob", "Angela"),
    ("Gary", "Shirley"), ("Nicholas", "Anna"), ("Eric", "Brenda"), ("Jonathan", "Pamela"), ("Stephen", "Emma"),
    ("Larry", "Nicole"), ("Scott", "Helen"), ("Frank", "Samantha"), ("Brandon", "Katherine"), ("Benjamin", "Christine"),
    ("Gregory", "Debra"), ("Samuel", "Rachel"), ("Raymond", "Carolyn"), ("Patrick", "Janet"),
    ("Alexander", "Catherine"),
    ("Jack", "Maria"), ("Peter", "Heather"), ("Henry", "Diane"), ("Adam", "Ruth"), ("Nathan", "Julie"),
    ("Tom", "Jane"), ("Joe", "Alice"), ("Bob", "Kate"), ("Bill", "Jenny"), ("Jim", "Ann"), ("Mike", "Sue"),
    ("Steve", "Claire"), ("Ben", "Lucy"), ("Oliver", "Olivia"), ("Harry", "Grace"),
)  # fmt: skip
COUNTERPART: dict[str, str] = dict(_COMMON) | {woman: man for man, woman in _COMMON}
"""A first name of the other gender for each common one."""


def gender_of_name(first_name: str) -> NameGender | None:
    """The gender of a first name; None if it is not in the lists or not unique."""
    if first_name in COUNTERPART:
        return "man" if first_name in _MEN else "woman"
    for of_gender in FIRST_NAMES.values():
        for gender, names in of_gender.items():
            if first_name in names:
                return gender
    return None


def other_gender_name(first_name: str) -> str | None:
    """A first name of the other gender of the same group; None for one that is in no list."""
    if first_name in COUNTERPART:
        return COUNTERPART[first_name]
    for of_gender in FIRST_NAMES.values():
        for gender, names in of_gender.items():
            if first_name in names:
                other: NameGender = "woman" if gender == "man" else "man"
                return of_gender[other][names.index(first_name)]
    return None


_MEN = frozenset(man for man, _ in _COMMON)
