import { checkOptions } from "../../src/core/options.ts"
import type { Random } from "../../src/core/random.ts"
import { type Perturbation, textPerturbation } from "./perturbation.ts"

/** Ways of mistyping: a key beside the right one, two letters swapped, a letter left out, a letter twice. */
export const typoKinds = ["keyboard", "swap", "drop", "double"] as const

/** Options of {@link typos}. @experimental */
export interface TyposOptions {
  readonly name?: string
  /** Share of the words that are mistyped; at least one. Default 0.1. */
  readonly rate?: number
  /** Default: all of them. */
  readonly kinds?: readonly (typeof typoKinds)[number][]
}

/** Neighbours on a QWERTY keyboard. */
const neighbours = new Map(
  "qwsa wqeas ewrsd retdf tryfg ytugh uyihj iuojk oipkl pol aqwsz swedxza derfcxs frtgvcd gtyhbvf hyujnbg juikmnh kiolmj lopk zasx xzsdc cxdfv vcfgb bvghn nbhjm mnjk"
    .split(" ")
    .map((keys) => [keys[0] as string, keys.slice(1)]),
)

/**
 * Typing errors in words of four letters and more. Digits, first and last letters stay, so that a reader still knows
 * every word and every number.
 *
 * @example typos({ kinds: ["swap"] }) // "Translate into German" → "Tarnslate into German"
 * @public
 */
export function typos(options: TyposOptions = {}): Perturbation {
  checkOptions("perturb.typos", options)
  const { name = "typos", rate = 0.1, kinds = typoKinds } = options
  return textPerturbation({
    name,
    identity: { rate, kinds },
    change(text, random) {
      const words = [...text.matchAll(/\p{L}{4,}/gu)]
      const count = Math.max(1, Math.round(rate * words.length))
      const chosen = new Set(random.shuffle(words.map((_, i) => i)).slice(0, count))
      let i = 0
      return text.replace(/\p{L}{4,}/gu, (word) => (chosen.has(i++) ? mistype(word, kinds, random) : word))
    },
  })
}

function mistype(word: string, kinds: TyposOptions["kinds"] & object, random: Random): string {
  const letters = [...word]
  const at = 1 + random.integer(letters.length - 2)
  const kind = kinds[random.integer(kinds.length)]
  const letter = letters[at] as string
  if (kind === "drop") letters.splice(at, 1)
  else if (kind === "double") letters.splice(at, 0, letter)
  else if (kind === "swap" && at + 1 < letters.length - 1) letters.splice(at, 2, letters[at + 1] as string, letter)
  else {
    const beside = neighbours.get(letter.toLowerCase())
    if (!beside) letters.splice(at, 0, letter)
    else {
      const key = beside[random.integer(beside.length)] as string
      letters[at] = letter === letter.toLowerCase() ? key : key.toUpperCase()
    }
  }
  return letters.join("")
}
