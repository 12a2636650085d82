import { capitalise, chance, fill, type Generator, pick } from "../data/item.ts"

interface Noun {
  readonly english: string
  readonly german: string
  readonly gender: "m" | "f" | "n"
}

const subjects = nouns(
  "man Mann m, woman Frau f, child Kind n, teacher Lehrer m, doctor Arzt m, aunt Tante f, king König m, queen Königin f, girl Mädchen n, neighbour Nachbar m, uncle Onkel m, sister Schwester f",
)
const objects = nouns(
  "book Buch n, table Tisch m, lamp Lampe f, car Auto n, apple Apfel m, flower Blume f, house Haus n, dog Hund m, cat Katze f, letter Brief m, shirt Hemd n, bag Tasche f, tree Baum m, picture Bild n, clock Uhr f, chair Stuhl m",
)
const verbs = pairs(
  "sees sieht, buys kauft, paints malt, finds findet, loves liebt, sells verkauft, draws zeichnet, takes nimmt, brings bringt, needs braucht",
)
const adjectives = pairs(
  "old alt, young jung, small klein, big groß, new neu, good gut, beautiful schön, red rot, green grün, heavy schwer, strong stark",
)
const times = pairs("today heute, tomorrow morgen, now jetzt, often oft, here hier")
const wordings = ["Translate into German: {}.", "How do you say this in German? {}.", "German please: {}."]

/** English to German in templates: articles, cases, adjective endings and word order. */
export const translation: Generator = (random) => {
  const subject = phrase(pick(random, subjects), chance(random, 0.5) ? pick(random, adjectives) : null)
  const object = phrase(pick(random, objects), chance(random, 0.6) ? pick(random, adjectives) : null)
  const definite = [chance(random, 0.75), chance(random, 0.5)] as const
  const [verb, verbGerman] = pick(random, verbs)
  const time = chance(random, 0.4) ? pick(random, times) : null
  const timeFirst = time !== null && chance(random, 0.5)

  const english = `${subject.english(definite[0])} ${verb} ${object.english(definite[1])}`
  const germanSubject = subject.german(definite[0], "nominative")
  const germanObject = object.german(definite[1], "accusative")
  const source = time === null ? english : timeFirst ? `${time[0]} ${english}` : `${english} ${time[0]}`
  const german = timeFirst
    ? `${time[1]} ${verbGerman} ${germanSubject} ${germanObject}`
    : [germanSubject, verbGerman, time?.[1], germanObject].filter(Boolean).join(" ")
  return {
    task: "translation",
    prompt: fill(pick(random, wordings), capitalise(source)),
    answer: `${capitalise(german)}.`,
    keys: [`sentence:${english}${time === null ? "" : `/${time[0]}`}`],
  }
}

function phrase(noun: Noun, adjective: readonly [string, string] | null) {
  return {
    english(definite: boolean): string {
      const words = adjective === null ? noun.english : `${adjective[0]} ${noun.english}`
      return definite ? `the ${words}` : `${/^[aeiou]/.test(words) ? "an" : "a"} ${words}`
    },
    german(definite: boolean, grammaticalCase: "nominative" | "accusative"): string {
      const masculineObject = noun.gender === "m" && grammaticalCase === "accusative"
      const article = definite
        ? masculineObject
          ? "den"
          : { m: "der", f: "die", n: "das" }[noun.gender]
        : masculineObject
          ? "einen"
          : { m: "ein", f: "eine", n: "ein" }[noun.gender]
      const ending = masculineObject ? "en" : definite ? "e" : { m: "er", f: "e", n: "es" }[noun.gender]
      return [article, adjective === null ? null : `${adjective[1]}${ending}`, noun.german].filter(Boolean).join(" ")
    },
  }
}

function nouns(list: string): readonly Noun[] {
  return list.split(", ").map((entry) => {
    const [english, german, gender] = entry.split(" ") as [string, string, Noun["gender"]]
    return { english, german, gender }
  })
}

function pairs(list: string): readonly (readonly [string, string])[] {
  return list.split(", ").map((entry) => entry.split(" ") as [string, string])
}
