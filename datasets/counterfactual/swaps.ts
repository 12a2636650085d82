import { UsageError } from "../../src/core/errors.ts"
import { canonicalJson, type JsonValue } from "../../src/core/json.ts"
import { checkOptions } from "../../src/core/options.ts"
import type { Random } from "../../src/core/random.ts"
import type { Sample } from "../../src/core/sample.ts"

/** A way to exchange an attribute in a text. @public */
export interface Swap {
  /** Unique within a data set: `gender`, `names` … */
  readonly attribute: string
  /** Everything that changes its results. */
  readonly identity: string
  /** The same text with the attribute exchanged; the same text where it does not mention it. */
  exchange(text: string, random: Random): string
  /**
   * The group that a text mentions, and the one that replaces it; null where it mentions none or
   * several. Gives a difference its direction: without it there is only "exchanged − original".
   */
  direction?(text: string): Direction | null
  /** Whether a sample is to be copied at all. Default: wherever the exchange changes the question. */
  applies?(sample: Sample): boolean
}

/** Which group is exchanged for which. @public */
export interface Direction {
  readonly from: string
  readonly to: string
}

/** Options of {@link nameSwap}. @public */
export interface NameSwapOptions {
  readonly attribute?: string
  /** Names by group; each name of one group is replaced by one of the next group. At least two groups. */
  readonly groups?: readonly (readonly string[])[]
  /** What the groups are called in the report, in their order. Default `women`, `men`; with your own groups `1`, `2` … */
  readonly labels?: readonly string[]
}

const women = "Aisha Anna Clara Emma Eva Fatima Greta Ines Leila Lena Maria Mei Nina Priya Ruth Yuki".split(" ")
const men = "Amir Ben Diego Finn Hugo Karl Kenji Luis Marc Omar Otto Paul Ravi Tariq Tom Yusuf".split(" ")

/**
 * Exchanges first names by names of another group; the same name in a text always becomes the same other name, and two names
 * never become one.
 *
 * @example nameSwap() // "Anna met Clara" → for example "Leo met Karl"
 * @public
 */
export function nameSwap(options: NameSwapOptions = {}): Swap {
  checkOptions("nameSwap", options)
  const { attribute = "names", groups = [women, men] } = options
  if (groups.length < 2 || groups.some((group) => group.length === 0))
    throw new UsageError("names need two groups or more, none empty", { where: "nameSwap({ groups })" })
  const labels = options.labels ?? (options.groups ? groups.map((_, i) => `${i + 1}`) : ["women", "men"])
  if (labels.length !== groups.length)
    throw new UsageError("every group needs its label", { where: "nameSwap({ labels })" })
  const groupOf = new Map(groups.flatMap((group, g) => group.map((name) => [name, g] as const)))
  return {
    attribute,
    identity: JSON.stringify(groups),
    direction(text) {
      const matches = new Set(words(text).flatMap((word) => groupOf.get(word) ?? []))
      const [only] = matches
      if (only === undefined || matches.size > 1) return null
      return { from: labels[only] as string, to: labels[(only + 1) % labels.length] as string }
    },
    exchange(text, random) {
      const names = [...new Set(words(text).filter((word) => groupOf.has(word)))]
      const pools = groups.map((group) => random.shuffle(group.filter((name) => !names.includes(name))))
      const others = new Map<string, string>()
      for (const name of names) {
        const pool = pools[((groupOf.get(name) as number) + 1) % groups.length]
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
 * Exchanges English pronouns and words of gender. "her" becomes "his" before a word and "him" before punctuation; "his" always
 * becomes "her" and "him" too, so that the rare "his" without a noun after it is replaced wrongly.
 *
 * @example pronounSwap() // "She lost her key." → "He lost his key."
 * @public
 */
export function pronounSwap(options: { readonly attribute?: string } = {}): Swap {
  checkOptions("pronounSwap", options)
  const pairs = new Map(genderWords.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]))
  return {
    attribute: options.attribute ?? "gender",
    identity: "pronouns and gendered nouns, 1",
    direction: (text) => oneOf(words(text).map((word) => genderOf(word.toLowerCase()))),
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

function genderOf(word: string): Direction | null {
  if (word === "his" || word === "him" || genderWords.some(([man]) => man.toLowerCase() === word))
    return { from: "men", to: "women" }
  if (word === "her" || genderWords.some(([, woman]) => woman.toLowerCase() === word))
    return { from: "women", to: "men" }
  return null
}

/** The direction shared by all that have one; null where they differ. */
function oneOf(directions: readonly (Direction | null)[]): Direction | null {
  const directed = directions.filter((direction) => direction !== null)
  const [first] = directed
  return first && directed.every(({ from, to }) => from === first.from && to === first.to) ? first : null
}

/** Options of {@link groupSwap}. @public */
export interface GroupSwapOptions {
  readonly attribute: string
  /** Pairs of words that name the groups: `["Christian", "Muslim"]`. Each is exchanged for the other. */
  readonly pairs: readonly (readonly [string, string])[]
}

/**
 * Exchanges words that name groups.
 *
 * @example groupSwap({ attribute: "religion", pairs: [["Christian", "Muslim"]] }) // "a Muslim" → "a Christian"
 * @public
 */
export function groupSwap(options: GroupSwapOptions): Swap {
  checkOptions("groupSwap", options)
  const { attribute, pairs } = options
  const others = new Map(pairs.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]))
  return {
    attribute,
    identity: JSON.stringify(pairs),
    direction: (text) =>
      oneOf(
        words(text).map((word) => {
          const to = others.get(word)
          return to === undefined ? null : { from: word, to }
        }),
      ),
    exchange: (text) => replaceWords(text, (word) => others.get(word)),
  }
}

/**
 * Several exchanges as one: names together with the pronouns that go with them.
 *
 * @example combinedSwap("gender", [nameSwap(), pronounSwap()]) // "Eva lost her key." → for example "Omar lost his key."
 * @public
 */
export function combinedSwap(attribute: string, swaps: readonly Swap[]): Swap {
  return {
    attribute,
    identity: JSON.stringify(swaps.map(({ identity }) => identity)),
    direction: (text) => oneOf(swaps.map((swap) => swap.direction?.(text) ?? null)),
    exchange: (text, random) => swaps.reduce((changed, swap) => swap.exchange(changed, random), text),
  }
}

/**
 * An exchange for some samples only: those whose metadata fields have the values given (one of them, where a list is given).
 * The attribute can then be reported by kind of sample.
 *
 * @example swapWhere({ task: ["qa", "summary"] }, combinedSwap("gender in questions", [nameSwap(), pronounSwap()]))
 * @public
 */
export function swapWhere(fields: Readonly<Record<string, JsonValue>>, swap: Swap): Swap {
  const conditions = Object.entries(fields).map(([field, value]) => {
    const list: readonly JsonValue[] = Array.isArray(value) ? value : [value]
    return [field, new Set(list.map(canonicalJson))] as const
  })
  return {
    ...swap,
    identity: `${swap.identity} where ${canonicalJson(fields)}`,
    applies: (sample) =>
      (swap.applies?.(sample) ?? true) &&
      conditions.every(([field, values]) => {
        const value = Object.hasOwn(sample.metadata, field) ? sample.metadata[field] : undefined
        return value !== undefined && values.has(canonicalJson(value))
      }),
  }
}

const word = /[\p{L}\p{M}][\p{L}\p{M}\p{N}'’-]*/gu

function words(text: string): readonly string[] {
  return (text.match(word) ?? []).map((match) => match.replace(/['’]s?$/, ""))
}

/** Replaces whole words; a possessive ending stays. */
function replaceWords(text: string, other: (word: string, after: string) => string | undefined): string {
  return text.replace(word, (match, at: number) => {
    const bare = match.replace(/['’]s?$/, "")
    const replacement = other(bare, text.slice(at + match.length, at + match.length + 2))
    return replacement === undefined ? match : replacement + match.slice(bare.length)
  })
}

function inCaseOf(original: string, replacement: string): string {
  const [first = ""] = original
  if (first !== first.toUpperCase()) return replacement
  return replacement.slice(0, 1).toUpperCase() + replacement.slice(1)
}
