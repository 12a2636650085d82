import { outcomeTerms } from "./outcomes.ts"
import { qualityTerms } from "./quality.ts"
import { servingTerms } from "./serving.ts"
import { statisticsTerms } from "./statistics.ts"
import type { Term } from "./term.ts"
import { unscoredTerms } from "./unscored.ts"
import { verdictTerms } from "./verdicts.ts"

export type { Term } from "./term.ts"

/**
 * Verdicts, terms of the field, and the codes of outcomes and of missing scores: what `evalkit explain` prints, and the glossary at a
 * page's end. Not every heading has one: metrics, config fields and report fields are explained by their doc comments.
 */
export const terms: readonly Term[] = [
  ...verdictTerms,
  ...statisticsTerms,
  ...servingTerms,
  ...qualityTerms,
  ...outcomeTerms,
  ...unscoredTerms,
]

/** The term of this name or spelling, in any case: the one of the place where it stands, else the one of everywhere. */
export function findTerm(name: string, place?: string): Term | undefined {
  const all = findTerms(name)
  return all.find((term) => term.place === place && place !== undefined) ?? all.find((term) => term.place === undefined)
}

/** Every term of this name or spelling, in any case: a word may mean one thing here and another there. */
export function findTerms(name: string): readonly Term[] {
  const spelling = normalized(name)
  return bySpelling.get(spelling) ?? bySpelling.get(withoutUnit(spelling)) ?? []
}

/** However the case and the apostrophe are typed. */
function normalized(text: string): string {
  return text.trim().toLowerCase().replaceAll("\u2019", "'")
}

const bySpelling = new Map<string, Term[]>()
for (const term of terms)
  for (const text of new Set([term.id, term.title, ...(term.also ?? [])].map(normalized)))
    bySpelling.set(text, [...(bySpelling.get(text) ?? []), term])

/** `ttft p50/p99 ms` → `ttft p50/p99` → `ttft`: a heading without what it adds in brackets, its unit and its percentiles. */
function withoutUnit(heading: string): string {
  const shorter = heading.replace(/ (?:\([^()]*\)|ms|p\d\d(?:\/p\d\d)?)$/, "")
  return shorter === heading ? heading : withoutUnit(shorter)
}
