"""The numbers printed in the Swedish document: bronze tables A and AY, silver, and the tables before 2020."""

from scoring.regulations.texts import _

# The winner's bronze points, by number of pairs.
WINNERS = {
    10: 20, 20: 40, 30: 60, 40: 80, 50: 100, 51: 101, 100: 150, 150: 200, 200: 250, 250: 300, 251: 301,
    300: 325, 350: 350, 400: 375, 450: 400, 500: 425, 501: 425, 600: 450, 700: 475, 800: 500, 900: 525,
    1000: 550, 1001: 550, 1100: 560, 1200: 570, 1300: 580, 1400: 590, 1500: 600, 525: 431,
}  # fmt: skip

# The factor from a place's award to the next place's, by number of pairs.
FACTORS = {
    50: "3/4", 150: "4/5", 250: "5/6", 500: "6/7", 1000: "7/8", 1500: "8/9", 1700: "8/9", 100: "31/40",
    200: "49/60", 300: "88/105", 700: "121/140", 1200: "317/360", 525: "961/1120",
}  # fmt: skip

# Bronze points by place, for each (table, number of pairs).
PLACES = {
    ("A", 20): {1: 40, 2: 30, 3: 23, 4: 17, 5: 13},
    ("A", 30): {1: 60, 2: 45, 3: 34, 4: 25, 5: 19, 6: 14, 7: 11, 8: 8},
    ("A", 525): {
        1: 431, 2: 323, 3: 242, 4: 182, 5: 136, 6: 102, 7: 77, 8: 58, 9: 48, 10: 43, 11: 39, 12: 36, 132: 3,
    },
    ("AY", 525): {
        1: 431, 2: 370, 3: 318, 4: 272, 5: 234, 6: 201, 7: 172, 8: 148, 9: 127, 10: 109, 11: 80, 12: 69,
        132: 3,
    },
    ("AY", 50): {1: 100, 2: 75, 3: 56},
    ("AY", 150): {1: 200, 2: 160, 3: 128},
    ("AY", 250): {1: 300, 2: 250, 3: 208},
    ("AY", 500): {1: 425, 2: 364, 3: 312},
    ("AY", 1000): {1: 550, 2: 480, 3: 421},
    ("AY", 1500): {1: 600, 2: 530, 3: 474},
}  # fmt: skip
# Table A: the printed sum of all points, and the printed number of paid places, by number of pairs.
TOTALS = {20: 123, 30: 216}
PAID = {20: 5, 30: 8, 525: 132}

MISPRINTS = {
    ("A", 525, 3): _("It starts from a winner already rounded to 431; with that the other table fails."),
    ("AY", 525, 11): _("A place was skipped: 80 is what the twelfth gets."),
    ("AY", 525, 12): _("A place was skipped: 69 is what the thirteenth gets."),
    ("AY", 1000, 2): _("The third place, 421, is 550 times 7/8 twice: it needs 481 here."),
    ("AY", 1500, 2): _("The third place, 474, is 600 times 8/9 twice: it needs 533 here."),
}

# Bronze points by place before 2020, for each number of pairs. Their formula is unknown.
OLD = {
    20: {1: 40, 2: 27, 3: 18, 4: 12, 5: 8, 6: 6, 7: 4},
    30: {1: 60, 2: 40, 3: 27, 4: 18, 5: 12, 6: 8, 7: 6, 8: 4, 9: 4, 10: 4},
    525: {
        1: 1050, 2: 701, 3: 525, 4: 438, 5: 351, 6: 307, 7: 263, 8: 242, 9: 220, 10: 198, 11: 176, 12: 165,
        132: 9, 175: 5,
    },
}  # fmt: skip

# The winner's silver points, by (number of pairs, number of boards).
SILVER_WINNERS = {
    (16, 42): "20.6", (18, 42): "21.6", (20, 42): "22.6", (22, 42): "23.6", (16, 45): "21.5",
    (18, 51): "24.3", (20, 57): "27.1", (30, 58): "32.4", (32, 62): "34.6", (36, 70): "39.0",
    (52, 102): "55.4",
}  # fmt: skip
# Silver points of the first three places, by (number of pairs, number of boards).
SILVER_PLACES = {
    (60, 70): ("49", "36.8", "27.6"),
    (60, 60): ("46", "34.5", "25.9"),
    (60, 50): ("43", "32.3", "24.2"),
    (60, 40): ("40", "30.0", "22.5"),
    (80, 40): ("48", "36.0", "27.0"),
    (100, 40): ("54", "40.5", "30.4"),
    (120, 40): ("60", "45.0", "33.8"),
    (140, 40): ("64", "48.0", "36.0"),
    (160, 40): ("68", "51.0", "38.3"),
    (180, 40): ("70", "52.5", "39.4"),
    (200, 40): ("72", "54.0", "40.5"),
    (220, 40): ("74", "55.5", "41.6"),
}
