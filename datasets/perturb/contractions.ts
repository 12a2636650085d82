import { checkOptions } from "../../src/core/options.ts"
import { type Perturbation, textPerturbation } from "./perturbation.ts"

/** Options of {@link contractions}. @experimental */
export interface ContractionsOptions {
  readonly name?: string
  /** `toggle` (default) contracts long forms and expands contractions. */
  readonly to?: "contracted" | "expanded" | "toggle"
}

/** Pairs with one meaning only; `'s` and `'d` have several and are left alone. */
const pairs: readonly (readonly [string, string])[] = [
  ["cannot", "can't"],
  ["will not", "won't"],
  ["shall not", "shan't"],
  ...["do", "does", "did", "is", "are", "was", "were", "has", "have", "had", "would", "could", "should", "must"].map(
    (verb) => [`${verb} not`, `${verb}n't`] as const,
  ),
  ["I am", "I'm"],
  ...["you", "we", "they"].map((who) => [`${who} are`, `${who}'re`] as const),
  ...["I", "you", "we", "they"].flatMap((who) => [
    [`${who} have`, `${who}'ve`] as const,
    [`${who} will`, `${who}'ll`] as const,
  ]),
]

const contract = new Map(pairs.map(([long, short]) => [long.toLowerCase(), short]))
const expand = new Map(pairs.map(([long, short]) => [short.toLowerCase(), long]))
const longForms = new RegExp(`\\b(?:${[...contract.keys()].join("|")})\\b`, "gi")
const shortForms = new RegExp(`\\b(?:${[...expand.keys()].join("|")})\\b`, "gi")

/**
 * English contractions, written out or contracted.
 *
 * @example contractions() // "Do not say that they're here." → "Don't say that they are here."
 * @public
 */
export function contractions(options: ContractionsOptions = {}): Perturbation {
  checkOptions("perturb.contractions", options)
  const { name = "contractions", to = "toggle" } = options
  return textPerturbation({
    name,
    identity: { to },
    change(text) {
      if (to === "contracted") return replace(text, longForms, contract)
      if (to === "expanded") return replace(text.replaceAll("’", "'"), shortForms, expand)
      const both = new RegExp(`${shortForms.source}|${longForms.source}`, "gi")
      return replace(text.replaceAll("’", "'"), both, new Map([...contract, ...expand]))
    },
  })
}

function replace(text: string, pattern: RegExp, forms: ReadonlyMap<string, string>): string {
  return text.replace(pattern, (match) => {
    const other = forms.get(match.toLowerCase()) as string
    const capital = match.charAt(0) !== match.charAt(0).toLowerCase()
    return capital ? other.charAt(0).toUpperCase() + other.slice(1) : other
  })
}
