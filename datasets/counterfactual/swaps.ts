import { UsageError } from "../../src/core/errors.ts"
import type { Random } from "../../src/core/random.ts"

/** A way to exchange an attribute in a text. */
export interface Swap {
  /** Unique within a data set: `gender`, `names` … */
  readonly attribute: string
  /** Everything that changes its results. */
  readonly identity: string
  /** The same text with the attribute exchanged; the same text where it does not speak of it. */
  exchange(text: string, random: Random): string
}

/** Options of {@link names}. */
export interface NameSwapOptions {
  readonly attribute?: string
  /** Names by group; each name of one group is replaced by one of the next group. At least two groups. */
  readonly groups?: readonly (readonly string[])[]
}

const women = "Aisha Anna Clara Emma Eva Fatima Greta Ines Leila Lena Maria Mei Nina Priya Ruth Yuki".split(" ")
const men = "Amir Ben Diego Finn Hugo Karl Kenji Luis Marc Omar Otto Paul Ravi Tariq Tom Yusuf".split(" ")

/**
 * Exchanges first names by names of another group; the same name in a text always becomes the same other name, and two names
 * never become one.
 *
 * @example nameSwap() // "Anna met Clara" → for example "Leo met Karl"
 */
export function nameSwap(options: NameSwapOptions = {}): Swap {
  const { attribute = "names", groups = [women, men] } = options
  if (groups.length < 2 || groups.some((group) => group.length === 0))
    throw new UsageError("names need two groups or more, none empty", { where: "nameSwap({ groups })" })
  const place = new Map(groups.flatMap((group, g) => group.map((name) => [name, g] as const)))
  return {
    attribute,
    identity: JSON.stringify(groups),
    exchange(text, random) {
      const found = [...new Set(words(text).filter((word) => place.has(word)))]
      const pools = groups.map((group) => random.shuffle(group.filter((name) => !found.includes(name))))
      const others = new Map<string, string>()
      for (const name of found) {
        const pool = pools[((place.get(name) as number) + 1) % groups.length]
        const other = pool?.pop()
        if (other === undefined) return text
        others.set(name, other)
      }
      return replaceWords(text, (word) => others.get(word))
    },
  }
}

const genderWords: readonly (readonly [string, string])[] = [
  ["he", "she"],
  ["himself", "herself"],
  ["man", "woman"],
  ["men", "women"],
  ["boy", "girl"],
  ["boys", "girls"],
  ["father", "mother"],
  ["dad", "mom"],
  ["son", "daughter"],
  ["sons", "daughters"],
  ["brother", "sister"],
  ["brothers", "sisters"],
  ["uncle", "aunt"],
  ["nephew", "niece"],
  ["husband", "wife"],
  ["king", "queen"],
  ["prince", "princess"],
  ["actor", "actress"],
  ["waiter", "waitress"],
  ["grandfather", "grandmother"],
  ["gentleman", "lady"],
  ["Mr", "Ms"],
  ["male", "female"],
]

/**
 * Exchanges English pronouns and words of gender. "her" is read as "his" before a word and as "him" before a stop; "his" always
 * becomes "her" and "him" too, so that a rare "his" without a noun after it comes out wrong.
 *
 * @example pronounSwap() // "She lost her key." → "He lost his key."
 */
export function pronounSwap(options: { readonly attribute?: string } = {}): Swap {
  const pairs = new Map(genderWords.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]))
  return {
    attribute: options.attribute ?? "gender",
    identity: "pronouns and gendered nouns, 1",
    exchange: (text) =>
      replaceWords(text, (word, after) => {
        const lower = word.toLowerCase()
        if (lower === "his" || lower === "him") return inCaseOf(word, "her")
        if (lower === "her") return inCaseOf(word, /^ \p{L}/u.test(after) ? "his" : "him")
        const other = pairs.get(word) ?? pairs.get(lower)
        return other === undefined ? undefined : inCaseOf(word, other)
      }),
  }
}

/** Options of {@link groupSwap}. */
export interface GroupSwapOptions {
  readonly attribute: string
  /** Pairs of words that stand for the groups: `["Christian", "Muslim"]`. Each is exchanged for the other. */
  readonly pairs: readonly (readonly [string, string])[]
}

/**
 * Exchanges words that name groups.
 *
 * @example groupSwap({ attribute: "religion", pairs: [["Christian", "Muslim"]] }) // "a Muslim" → "a Christian"
 */
export function groupSwap({ attribute, pairs }: GroupSwapOptions): Swap {
  const others = new Map(pairs.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]))
  return {
    attribute,
    identity: JSON.stringify(pairs),
    exchange: (text) => replaceWords(text, (word) => others.get(word)),
  }
}

/**
 * Several exchanges as one: names together with the pronouns that go with them.
 *
 * @example combinedSwap("gender", [nameSwap(), pronounSwap()]) // "Eva lost her key." → for example "Omar lost his key."
 */
export function combinedSwap(attribute: string, swaps: readonly Swap[]): Swap {
  return {
    attribute,
    identity: JSON.stringify(swaps.map(({ identity }) => identity)),
    exchange: (text, random) => swaps.reduce((changed, swap) => swap.exchange(changed, random), text),
  }
}

const word = /[\p{L}\p{M}][\p{L}\p{M}\p{N}'’-]*/gu

function words(text: string): readonly string[] {
  return (text.match(word) ?? []).map((found) => found.replace(/['’]s?$/, ""))
}

/** Replaces whole words; a possessive ending stays. */
function replaceWords(text: string, other: (word: string, after: string) => string | undefined): string {
  return text.replace(word, (found, at: number) => {
    const bare = found.replace(/['’]s?$/, "")
    const replacement = other(bare, text.slice(at + found.length, at + found.length + 2))
    return replacement === undefined ? found : replacement + found.slice(bare.length)
  })
}

function inCaseOf(original: string, replacement: string): string {
  const [first = ""] = original
  if (first !== first.toUpperCase()) return replacement
  return replacement.slice(0, 1).toUpperCase() + replacement.slice(1)
}
