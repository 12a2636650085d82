import { mean, standardDeviation } from "../../src/stats/mean.ts"

/** How far a score depends on the wording of the prompt. @experimental */
export interface TemplateSensitivity {
  readonly mean: number
  /** Best template minus worst. */
  readonly spread: number
  readonly standardDeviation: number
  readonly best: string
  readonly worst: string
  /** Share of the samples that are not scored the same under all templates. */
  readonly unstable: number
}

/**
 * Sensitivity to the prompt template: the same samples scored under several templates (variants that otherwise
 * are the same). A spread that is larger than the difference between two models means that the comparison measures the template.
 *
 * @param scores values by template, each with the same samples in the same order; at least two templates and one sample
 * @example
 * templateSensitivity(new Map([["plain", [1, 1, 0, 0]], ["polite", [1, 1, 1, 0]]]))
 * // { mean: 0.625, spread: 0.25, best: "polite", worst: "plain", unstable: 0.25, … }
 * @experimental
 */
export function templateSensitivity(scores: ReadonlyMap<string, readonly number[]>): TemplateSensitivity {
  const means = [...scores].map(([template, values]) => ({ template, value: mean(values) }))
  const ordered = means.toSorted((a, b) => b.value - a.value)
  const [best, worst] = [ordered[0], ordered.at(-1)]
  const samples = [...scores.values()][0]?.length ?? 0
  if (!best || !worst || samples === 0 || scores.size < 2 || [...scores.values()].some((v) => v.length !== samples)) {
    throw new RangeError("templateSensitivity needs two templates or more with the same samples")
  }
  const columns = [...scores.values()]
  let unstable = 0
  for (let i = 0; i < samples; i++) unstable += Number(columns.some((values) => values[i] !== columns[0]?.[i]))
  const values = means.map((entry) => entry.value)
  return {
    mean: mean(values),
    spread: best.value - worst.value,
    standardDeviation: standardDeviation(values),
    best: best.template,
    worst: worst.template,
    unstable: unstable / samples,
  }
}
