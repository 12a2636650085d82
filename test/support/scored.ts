import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import type { MetricRow } from "../../src/core/metric/metric.ts"
import { type AnyMetric, unscored } from "../../src/core/metric/metric.ts"
import type { AnswerFacts, ScoredVariant } from "../../src/core/metric/scored-variant.ts"

/** What a test states of one answer. */
export interface Stated {
  readonly id?: string
  readonly repeat?: number
  readonly cluster?: string
  /** `null`: unscored. */
  readonly value: number | null
  readonly facts?: Partial<AnswerFacts>
}

/** A scored variant from stated answers; ids are s0, s1 … unless given. */
export function scoredVariant(name: string, metricName: string, stated: readonly Stated[]): ScoredVariant {
  const answers: AnswerFacts[] = []
  const rows: MetricRow[] = []
  stated.forEach(({ id, repeat = 0, cluster, value, facts }, i) => {
    const key = { sampleId: id ?? `s${i}`, repeat, ...(cluster === undefined ? {} : { cluster }) }
    answers.push({
      ...key,
      outcome: "ok",
      source: "measured",
      ttftMs: null,
      e2eMs: null,
      tpotMs: null,
      costUsd: null,
      completionTokens: null,
      textHash: `${name}-${i}`,
      confidence: null,
      ...facts,
    })
    rows.push({
      ...key,
      measured: value === null ? unscored("empty_output") : { status: "scored", row: value },
      value,
    })
  })
  return { name, answers, rows: new Map([[metricName, rows]]) }
}

/** A mean metric whose rows are numbers. */
export function numberMetric(
  name: string,
  options: {
    readonly range?: readonly [number, number]
    readonly direction?: "higher" | "lower"
    readonly unit?: string
  } = {},
): AnyMetric {
  const metric = meanMetric({ name, signature: name, measure: () => unscored("not measured in tests"), ...options })
  return {
    ...metric,
    value: (row) => row as number,
    summarise: (rows) => metric.summarise(rows.map((entry) => ({ ...entry, row: entry.row as number }))),
  }
}

/** Zeros and ones: `right` ones first. */
export function rates(total: number, right: number): Stated[] {
  return Array.from({ length: total }, (_, i) => ({ value: i < right ? 1 : 0 }))
}

/** `lost` of the right answers turned wrong, `won` of the wrong ones turned right. */
export function flipped(from: readonly Stated[], lost: number, won: number): Stated[] {
  let toLose = lost
  let toWin = won
  return from.map((entry) => {
    if (entry.value === 1 && toLose-- > 0) return { ...entry, value: 0 }
    if (entry.value === 0 && toWin-- > 0) return { ...entry, value: 1 }
    return entry
  })
}
