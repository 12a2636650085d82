import { benchTerms } from "./bench.ts"
import { comparisonTerms } from "./comparison.ts"
import { costTerms } from "./cost.ts"
import { episodeTerms } from "./episodes.ts"
import { groundingTerms } from "./grounding.ts"
import { judgeTerms } from "./judges.ts"
import { limitTerms } from "./limits.ts"
import { loadTerms } from "./loads.ts"
import { modelTerms } from "./models.ts"
import { outcomeTerms } from "./outcomes.ts"
import { pageTerms } from "./page.ts"
import { peopleTerms } from "./people.ts"
import { planTerms } from "./plans.ts"
import { qualityTerms } from "./quality.ts"
import { safetyTerms } from "./safety.ts"
import { servingTerms } from "./serving.ts"
import { speedTerms } from "./speed.ts"
import type { Term } from "./term.ts"
import { unscoredTerms } from "./unscored.ts"
import { verdictTerms } from "./verdicts.ts"
import { wordTerms } from "./words.ts"

export type { Term } from "./term.ts"

/** Verdicts, figures, words and parts that a page uses: what `evalkit explain` prints, and the glossary at a page's end. */
export const terms: readonly Term[] = [
  ...verdictTerms,
  ...speedTerms,
  ...costTerms,
  ...wordTerms,
  ...pageTerms,
  ...comparisonTerms,
  ...qualityTerms,
  ...groundingTerms,
  ...judgeTerms,
  ...safetyTerms,
  ...episodeTerms,
  ...modelTerms,
  ...servingTerms,
  ...benchTerms,
  ...loadTerms,
  ...limitTerms,
  ...planTerms,
  ...peopleTerms,
  ...outcomeTerms,
  ...unscoredTerms,
]

/** The term of this name or spelling, in any case: the one of the place where it stands, else the one of everywhere. */
export function findTerm(name: string, place?: string): Term | undefined {
  const found = findTerms(name)
  return (
    found.find((term) => term.place === place && place !== undefined) ??
    found.find((term) => term.place === undefined) ??
    found[0]
  )
}

/** Every term of this name or spelling, in any case: a word may mean one thing here and another there. */
export function findTerms(name: string): readonly Term[] {
  const wanted = spelt(name)
  const exact = bySpelling.get(wanted)
  if (exact) return exact
  const standing = [...new Set(patterns.flatMap((one) => (stands(one, wanted) ? [one.term] : [])))]
  const plain = withoutUnit(wanted)
  return standing.length > 0 || plain === wanted ? standing : findTerms(plain)
}

/** However the apostrophe is typed. */
function spelt(text: string): string {
  return text.trim().toLowerCase().replaceAll("\u2019", "'")
}

const spellings = terms.flatMap((term) =>
  [...new Set([term.id, term.title, ...(term.also ?? [])].map(spelt))].map((text) => ({ term, text })),
)
const bySpelling = new Map<string, Term[]>()
for (const { term, text } of spellings) bySpelling.set(text, [...(bySpelling.get(text) ?? []), term])

/** Spellings with `*` for any text. */
const patterns = spellings.flatMap(({ term, text }) => {
  const [start, end] = text.split("*")
  return start === undefined || end === undefined ? [] : [{ term, start, end }]
})

/** Whether a spelling with `*` stands for these words. */
function stands({ start, end }: { readonly start: string; readonly end: string }, words: string): boolean {
  return words.length > start.length + end.length && words.startsWith(start) && words.endsWith(end)
}

/** `ttft p50/p99 ms` \u2192 `ttft`: a heading without what it adds in brackets, its unit and its percentiles. */
function withoutUnit(heading: string): string {
  return heading.replace(/ (?:\([^()]*\)|ms|p\d\d(?:\/p\d\d)?)$/, "")
}
