import type { BenchLevel } from "./bench-level.ts"
import type { BenchResult } from "./bench-result.ts"

/** Whether most of a level's requests brought no answer: its figures are those of the few that did. */
export function isMostlyLost({ answered, requests }: Pick<BenchLevel, "answered" | "requests">): boolean {
  return 2 * answered < requests
}

/** A part of a bench of which most requests brought no answer. */
export interface MostlyLost {
  readonly variant: string
  /** Null: all loads of the variant together. */
  readonly level: BenchLevel | null
  readonly answered: number
  readonly requests: number
}

/**
 * What makes a bench incomplete: of loads that were stated, each of which most requests brought no answer; of a sweep and of a search for a rate,
 * which go beyond what a server can do on purpose, a variant whose requests at all loads together mostly brought none.
 */
export function mostlyLost({ levels, saturation, searches }: BenchResult): readonly MostlyLost[] {
  const variants = [...new Set(levels.map(({ variant }) => variant))]
  return variants.flatMap((variant): readonly MostlyLost[] => {
    const own = levels.filter((level) => level.variant === variant)
    const sum = (name: "answered" | "requests") => own.reduce((total, level) => total + level[name], 0)
    const all = { variant, level: null, answered: sum("answered"), requests: sum("requests") }
    if (all.answered === 0 || saturation.has(variant) || searches.has(variant)) return isMostlyLost(all) ? [all] : []
    return own.filter(isMostlyLost).map((level) => {
      const { answered, requests } = level
      return { variant, level, answered, requests }
    })
  })
}
