"""Writes the little stories that the tiny model learns from.

The text is made here, by this program, so it carries the project's own licence (Apache-2.0) and needs no download. A story is a
walk through a few plain sentences about two people, a place and a thing; the choices are drawn from a small generator of our
own, so the same seed gives the same text with every version of Python.
"""

from __future__ import annotations

PEOPLE = [
    ("Mira", "she", "her", "girl"), ("Anna", "she", "her", "baker"), ("Rosa", "she", "her", "sailor"),
    ("Ida", "she", "her", "teacher"), ("Nora", "she", "her", "painter"), ("Lena", "she", "her", "miller"),
    ("Tom", "he", "his", "boy"), ("Oskar", "he", "his", "fisherman"), ("Ben", "he", "his", "gardener"),
    ("Paul", "he", "his", "shepherd"), ("Hugo", "he", "his", "clockmaker"), ("Emil", "he", "his", "farmer"),
]
ANIMALS = ["fox", "cat", "dog", "goat", "crow", "owl", "hen", "donkey", "mouse", "hare", "goose", "frog"]
PLACES = [
    ("by the sea", "the beach"), ("at the edge of the forest", "the forest"), ("in a small village", "the village"),
    ("near the old mill", "the mill"), ("on a green hill", "the hill"), ("beside the river", "the river"),
    ("in a house with a red door", "the garden"), ("under the high mountains", "the valley"),
]
THINGS = ["lamp", "key", "boat", "bell", "map", "book", "coat", "clock", "ring", "letter", "basket", "kite", "drum", "ladder"]
LOOKS = ["small", "old", "blue", "golden", "broken", "heavy", "strange", "beautiful", "wooden", "silver"]
FOODS = ["bread", "soup", "apples", "honey", "cheese", "plums", "pancakes", "milk", "nuts", "cake"]
WEATHER = ["the rain fell all day", "the wind was cold", "the sun was warm", "snow lay on the roofs", "a thick fog came in",
           "the stars were bright", "the sky was grey", "thunder rolled over the hills"]
TIMES = ["one morning", "one evening", "in the spring", "late in the autumn", "on a winter night", "the next day", "after supper"]
MOODS = ["happy", "sad", "tired", "hungry", "afraid", "curious", "angry", "proud", "lonely", "surprised"]
KINDS = ["kind", "clever", "quiet", "brave", "stubborn", "gentle", "cheerful", "careful", "lazy", "honest"]
NOUNS = ["apple", "bird", "boat", "bottle", "bridge", "brother", "bucket", "candle", "castle", "chair", "cloud", "coin", "cow", "cup",
         "door", "dream", "feather", "field", "fire", "fish", "flower", "garden", "gate", "ghost", "hat", "horse", "house", "island",
         "king", "lake", "leaf", "moon", "mother", "needle", "nest", "path", "pear", "pig", "pot", "queen", "road", "rope", "rose",
         "sack", "sheep", "ship", "shoe", "song", "spoon", "star", "stone", "storm", "stranger", "street", "sword", "table", "teapot",
         "thief", "tower", "town", "tree", "wagon", "wall", "water", "well", "wheel", "wolf", "woman", "wood", "word"]
QUALITIES = ["black", "bright", "clean", "cold", "deep", "dry", "empty", "fat", "fine", "funny", "great", "green", "high", "little",
             "long", "lost", "narrow", "new", "poor", "red", "rich", "round", "sharp", "silent", "sleepy", "soft", "thin", "tiny",
             "warm", "wet", "white", "wild", "wise", "wonderful", "yellow", "young"]
ACTIONS = ["asked for", "broke", "built", "carried", "caught", "cleaned", "dropped", "drew", "followed", "forgot", "heard", "held",
           "hid", "kissed", "knew", "liked", "loved", "made", "needed", "opened", "painted", "pulled", "pushed", "remembered",
           "saw", "sold", "stole", "thanked", "took", "touched", "turned", "wanted", "washed", "watched", "wished for"]
MOVES = ["climbed", "crept", "danced", "fell", "flew", "hurried", "jumped", "ran", "rode", "sailed", "swam", "travelled", "walked", "went"]
MANNERS = ["again", "alone", "at once", "bravely", "carefully", "gladly", "in secret", "loudly", "of course", "quickly", "quietly",
           "slowly", "softly", "suddenly", "together", "twice", "with a smile", "without a word"]
WAYS = ["above", "across", "around", "behind", "beside", "beyond", "down to", "from", "into", "near", "over", "past", "through", "to",
        "towards", "under"]
LINKS = ["and", "but", "because", "while", "until", "so"]
PROVERBS = [
    "Slow feet also reach the top of the hill.", "A shared loaf fills two.", "Who asks the way does not get lost.",
    "Every river knows the sea.", "A small light is enough in a dark room.", "The patient hand opens the lock.",
    "Good friends are better than gold.", "What is lost in anger is found in peace.",
]


class Choices:
    """A 64-bit linear congruential generator; the high bits choose."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, n: int) -> int:
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        return ((self.state >> 33) * n) >> 31

    def one(self, items):
        return items[self.below(len(items))]

    def chance(self, percent: int) -> bool:
        return self.below(100) < percent


def capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]


def article(word: str) -> str:
    return ("an " if word[0] in "aeiou" or word.startswith("honest") else "a ") + word


def opening(c: Choices, who, where: str) -> str:
    name, pronoun, _, work = who
    kind = c.one(KINDS)
    return c.one([
        f"Once upon a time there was {article(kind)} {work} named {name}, who lived {where}.",
        f"Long ago {article(kind)} {work} lived {where}. {capital(pronoun)} was called {name}.",
        f"{name} was {article(kind)} {work} who lived {where}.",
        f"There was once {article(work)} named {name}. {capital(pronoun)} lived {where} and was very {kind}.",
    ])


def helper_enters(c: Choices, who, friend, mood: str) -> str:
    name, pronoun, possessive, _ = who
    if friend[3] == "animal":
        animal = friend[0]
        return c.one([
            f"Then {animal} came along the road. \"Why are you so {mood}?\" asked {animal}.",
            f"{capital(animal)} sat on the wall and looked at {name}. \"Good day,\" said {animal}, \"you look {mood}.\"",
            f"In the grass {pronoun} met {animal} who could talk.",
        ])
    other = friend[0]
    return c.one([
        f"{capital(possessive)} friend {other} knocked at the door. \"What is it, {name}?\" asked {other}.",
        f"On the road {pronoun} met {other} the {friend[3]}, who was {c.one(MOODS)} that day.",
        f"\"Let me help you,\" said {other} the {friend[3]}.",
    ])


def middle(c: Choices, who, friend, thing: str, place: str) -> str:
    name, pronoun, _, _ = who
    other = friend[0]
    return c.one([
        f"{name} and {other} went to {place} and looked under every stone.",
        f"They walked to {place} and waited there until {c.one(WEATHER)}.",
        f"\"I will give you {c.one(FOODS)} if you find the {thing},\" said {name}.",
        f"{capital(other)} said nothing for a long time. Then {other} laughed and ran to {place}.",
        f"{capital(pronoun)} gave {other} some {c.one(FOODS)}, and they ate together.",
        f"\"I have seen the {thing},\" said {other}. \"It is behind the {c.one(['door', 'tree', 'well', 'church', 'bridge'])}.\"",
        f"Three times they called, and three times there was no answer.",
        f"The way was long, and {c.one(WEATHER)}, but {name} was not afraid.",
        f"\"Do you hear the {c.one(['bell', 'wind', 'sea', 'music'])}?\" asked {name}. \"Yes,\" said {other}, \"it comes from {place}.\"",
    ])


def noun_phrase(c: Choices) -> str:
    noun = c.one(NOUNS) if c.chance(85) else c.one(THINGS)
    described = f"{c.one(QUALITIES if c.chance(70) else LOOKS)} {noun}" if c.chance(45) else noun
    return c.one([f"the {described}", f"the {described}", article(described), f"every {described}", f"no {described}"])


def clause(c: Choices, subject: str) -> str:
    manner = f" {c.one(MANNERS)}" if c.chance(25) else ""
    return c.one([
        f"{subject} {c.one(ACTIONS)} {noun_phrase(c)}{manner}",
        f"{subject} {c.one(MOVES)} {c.one(WAYS)} {noun_phrase(c)}{manner}",
        f"{subject} {c.one(ACTIONS)} {noun_phrase(c)} {c.one(WAYS)} {noun_phrase(c)}",
        f"{subject} was {c.one(MOODS + KINDS)}",
    ])


def free_sentence(c: Choices, who, friend) -> str:
    """A sentence whose every content word is a choice: here the model must learn kinds of words, not sentences."""
    subjects = [who[0], who[1], friend[0], who[0], noun_phrase(c)]
    text = clause(c, c.one(subjects))
    if c.chance(45):
        text += c.one([", ", " ", " "]) + c.one(LINKS) + " " + clause(c, c.one(subjects))
    if c.chance(15):
        return f"\"{capital(text)}{c.one([',', '!', '?'])}\" {c.one(['said', 'asked', 'cried', 'whispered'])} {c.one([who[0], friend[0]])}."
    if c.chance(15):
        return f"{capital(c.one(TIMES))} {text}."
    return f"{capital(text)}."


def ending(c: Choices, who, friend, thing: str) -> str:
    name, pronoun, possessive, _ = who
    other = friend[0]
    return c.one([
        f"At last they found the {thing}, and {name} was {c.one(['happy', 'glad', 'proud'])} again.",
        f"So {name} took the {thing} home, and {other} came to visit every {c.one(['week', 'month', 'summer', 'Sunday'])}.",
        f"{name} never saw the {thing} again, but {pronoun} had found a friend.",
        f"And from that day on {name} kept the {thing} in {possessive} {c.one(['pocket', 'kitchen', 'window', 'room'])}.",
        f"They sat by the fire, drank {c.one(['milk', 'tea'])}, and told the story to everyone.",
    ])


def story(c: Choices) -> str:
    who = c.one(PEOPLE)
    name, pronoun, possessive, _ = who
    if c.chance(55):
        friend = (f"the {c.one(ANIMALS)}", "it", "its", "animal")
    else:
        friend = c.one(PEOPLE)
        while friend[0] == name:
            friend = c.one(PEOPLE)
    where, place = c.one(PLACES)
    thing, look, mood = c.one(THINGS), c.one(LOOKS), c.one(MOODS)
    parts = [opening(c, who, where)]
    if c.chance(50):
        parts.append(f"{capital(c.one(TIMES))}, when {c.one(WEATHER)}, {name} found {article(look)} {thing}.")
        parts.append(c.one([
            f"But in the night the {thing} was gone, and {pronoun} was {mood}.",
            f"{capital(pronoun)} put the {look} {thing} on the table, and in the morning it was gone.",
        ]))
    else:
        parts.append(f"{capital(c.one(TIMES))} {pronoun} lost {possessive} {look} {thing} and was {mood}.")
    parts.append(helper_enters(c, who, friend, mood))
    for _ in range(2 + c.below(6)):
        parts.append(free_sentence(c, who, friend) if c.chance(70) else middle(c, who, friend, thing, place))
    parts.append(ending(c, who, friend, thing))
    if c.chance(35):
        parts.append(c.one(PROVERBS))
    text = ""
    for i, part in enumerate(parts):
        text += ("" if i == 0 else "\n\n" if c.chance(12) else " ") + part
    return text + "\n"


def stories(seed: int, count: int) -> list[str]:
    c = Choices(seed)
    return [story(c) for _ in range(count)]


if __name__ == "__main__":
    print("\n".join(stories(1, 5)))
