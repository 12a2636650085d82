import { absentScore, type ForeignRecord, hasFailed } from "../core/foreign/foreign-log.ts"
import { type AnswerKey, lackingScores } from "../core/foreign/lacking-scores.ts"
import type { Outcome } from "../core/outcome.ts"
import type { StoredRow } from "../core/run/run-store.ts"

/** Finds, once a log was read, the rows that it lacks. */
export interface AbsentScores {
  add(variant: string, record: ForeignRecord): void
  /** A row for each answer that lacks a score of a metric which was asked of it: failed, or unscored. */
  rows(): Iterable<StoredRow>
}

/**
 * @param incomplete metrics that not every answer of the log has; without any, nothing is kept
 * @param isUniform every metric is one of every answer
 */
export function createAbsentScores(incomplete: ReadonlySet<string>, isUniform: boolean): AbsentScores {
  const answers = new Map<string, (AnswerKey & { readonly outcome: Outcome })[]>()
  /** By metric and variant. */
  const scored = new Map([...incomplete].map((metric) => [metric, new Map<string, AnswerKey[]>()]))
  return {
    add(variant, { sample, repeat, answer, scores }) {
      if (incomplete.size === 0) return
      const key = { sampleId: sample.id, repeat }
      if (answer) listAt(answers, variant).push({ ...key, outcome: answer.outcome })
      for (const metric of Object.keys(scores)) {
        const lists = scored.get(metric)
        if (lists) listAt(lists, variant).push(key)
      }
    },
    *rows() {
      for (const [metric, lists] of scored) {
        const alsoAsked = [...lists.values()].flatMap((list) => list.map(({ sampleId }) => sampleId))
        for (const [variant, own] of answers) {
          const list = lists.get(variant) ?? []
          // A variant that answers and has no row of the metric does not have it.
          if (list.length === 0 && !own.every(({ outcome }) => hasFailed(outcome))) continue
          for (const { sampleId, repeat, outcome } of lackingScores(own, list, { isUniform, alsoAsked }))
            yield { variant, sampleId, repeat, metric, measured: absentScore(outcome), value: null }
        }
      }
    },
  }
}

function listAt<Item>(lists: Map<string, Item[]>, key: string): Item[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}
