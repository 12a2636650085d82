import { type ForeignRecord, variantName } from "../../core/foreign/foreign-log.ts"
import type { AnyMetric } from "../../core/metric/metric.ts"
import type { MetricTools } from "../../core/metric/metric-tools.ts"
import type { AnswerFacts } from "../../core/metric/scored-variant.ts"
import { type Scorable, scorableOf } from "./scorable-answers.ts"
import { scoreForeignAnswer } from "./score-file.ts"

/** What two variants of a log answered to the same. */
export interface LogPair {
  readonly baseline: AnswerFacts
  readonly candidate: AnswerFacts
  /** Candidate − baseline of each metric, in their order; null where either has no score. */
  readonly differences: readonly (number | null)[]
}

/** How pairs are read. */
export interface LogPairOptions {
  /** Dependencies before those that depend on them. */
  readonly metrics: readonly AnyMetric[]
  readonly tools: Omit<MetricTools, "valueOf">
  readonly signal: AbortSignal
}

/** Answers whose other side has not come yet: older ones than so many are given up. */
const maxWaiting = 20_000
/** Pairs that are scored side by side. */
const batchSize = 128

/** A variant's records, by its name in the log or as evalkit types it; null: all. */
export type SideOfLog = string | null

/** Pairs records as they come, over any number of passes: a pair stands where its later answer does. Memory: what waits for its other side. */
export function createLogPairs({ metrics, tools, signal }: LogPairOptions) {
  const waiting = [new Map<string, Scorable>(), new Map<string, Scorable>()] as const
  const scored = async ([a, b]: readonly [Scorable, Scorable]): Promise<LogPair> => {
    const [first, second] = await Promise.all([a, b].map((scorable) => scoreForeignAnswer(metrics, scorable, tools)))
    const differences = metrics.map((_, i) => {
      const [before, after] = [first?.scores[i]?.value ?? null, second?.scores[i]?.value ?? null]
      return before === null || after === null ? null : after - before
    })
    return { baseline: a.facts, candidate: b.facts, differences }
  }
  /** @param sides which records are the baseline's, and which the candidate's; undefined: none of these */
  return async function* read(
    records: AsyncIterable<ForeignRecord>,
    sides: readonly [SideOfLog | undefined, SideOfLog | undefined],
  ): AsyncGenerator<LogPair> {
    let batch: (readonly [Scorable, Scorable])[] = []
    for await (const record of records) {
      const side = sides.findIndex((entry) => isOf(record, entry))
      const own = waiting[side]
      const answer = own && scorableOf(record)
      if (!own || !answer) continue
      const key = `${record.repeat}\u0000${record.sample.id}`
      const others = waiting[side === 0 ? 1 : 0] as Map<string, Scorable>
      const other = others.get(key)
      if (!other) {
        own.set(key, answer)
        const [oldest = ""] = own.size > maxWaiting ? own.keys() : []
        own.delete(oldest)
        continue
      }
      others.delete(key)
      batch.push(side === 0 ? [answer, other] : [other, answer])
      if (batch.length < batchSize) continue
      signal.throwIfAborted()
      yield* await Promise.all(batch.map(scored))
      batch = []
    }
    yield* await Promise.all(batch.map(scored))
  }
}

function isOf({ variant }: ForeignRecord, side: SideOfLog | undefined): boolean {
  return side === null || (side !== undefined && (variant === side || variantName(variant, new Set()) === side))
}
