import type { ForeignMetric, ForeignScore } from "../core/foreign/foreign-log.ts"
import type { Generation } from "../core/generation.ts"
import type { JsonObject, JsonValue } from "../core/json.ts"
import { isUnscoredCode } from "../core/metric/unscored-code.ts"
import { isFailure, type Outcome, outcomes } from "../core/outcome.ts"
import type { MetricRecord } from "../core/run/run-record.ts"
import type { Sample } from "../core/sample.ts"
import { answerLatency } from "../perf/answer-latency.ts"
import { listOf, member, numberOf, objectOf, textOf, textsOf } from "./fields.ts"

// What evalkit writes beside the fields of a format that has no place for it, so that it reads the same verdict back.

/** Facts of an answer and its sample, for a format's own place for metadata. */
export function ownFacts(sample: Sample, generation: Generation, unscored: JsonObject): JsonObject {
  const { ttftMs, e2eMs } = answerLatency(generation)
  return {
    evalkit_outcome: generation.outcome,
    ...(Object.keys(unscored).length > 0 && { evalkit_unscored: unscored }),
    ...(sample.cluster !== undefined && { evalkit_cluster: sample.cluster }),
    ...(sample.group !== undefined && { evalkit_group: sample.group }),
    ...(sample.context.length > 0 && { evalkit_context: [...sample.context] }),
    ...(ttftMs !== null && { evalkit_ttft_ms: ttftMs }),
    ...(e2eMs !== null && { evalkit_e2e_ms: e2eMs }),
    ...(generation.cost.status === "known" && { evalkit_cost_usd: generation.cost.usd }),
  }
}

/** Facts of the metrics. */
export function ownMetrics(metrics: readonly MetricRecord[]): JsonObject {
  return Object.fromEntries(
    metrics.map(({ name, direction, range, unit, signature }) => [
      name,
      { direction, range: [...range], signature, ...(unit !== null && { unit }) },
    ]),
  )
}

/** What evalkit wrote of its metrics; empty for logs of others. */
export function readOwnMetrics(metadata: JsonValue | undefined): ReadonlyMap<string, ForeignMetric> {
  const all = Object.entries(objectOf(member(metadata, "evalkit_metrics")) ?? {})
  return new Map(
    all.map(([name, facts]): [string, ForeignMetric] => {
      const [low, high] = listOf(member(facts, "range"))
      const unit = textOf(member(facts, "unit"))
      return [
        name,
        {
          direction: member(facts, "direction") === "lower" ? "lower" : "higher",
          range: [numberOf(low) ?? null, numberOf(high) ?? null],
          ...(unit !== undefined && { unit }),
        },
      ]
    }),
  )
}

/** Cluster, group and passages of a sample that evalkit wrote. */
export function readOwnSplit(metadata: JsonValue | undefined): Partial<Sample> {
  const cluster = textOf(member(metadata, "evalkit_cluster"))
  const group = textOf(member(metadata, "evalkit_group"))
  const context = textsOf(member(metadata, "evalkit_context"))
  return {
    ...(cluster !== undefined && { cluster }),
    ...(group !== undefined && { group }),
    ...(context.length > 0 && { context }),
  }
}

/** How an answer ended that evalkit wrote; undefined for those of others. */
export function readOwnOutcome(metadata: JsonValue | undefined): Outcome | undefined {
  const said = member(metadata, "evalkit_outcome")
  return outcomes.find((outcome) => outcome === said)
}

/** Latencies and cost of an answer that evalkit wrote, to the digit; null for those of others. */
export function readOwnFigures(
  metadata: JsonValue | undefined,
): { readonly ttftMs?: number; readonly e2eMs?: number; readonly costUsd?: number } | null {
  if (readOwnOutcome(metadata) === undefined) return null
  const figure = (name: string) => {
    const value = numberOf(member(metadata, name))
    return value !== undefined && value >= 0 ? value : undefined
  }
  const [ttftMs, e2eMs, costUsd] = ["evalkit_ttft_ms", "evalkit_e2e_ms", "evalkit_cost_usd"].map(figure)
  return {
    ...(ttftMs !== undefined && { ttftMs }),
    ...(e2eMs !== undefined && { e2eMs }),
    ...(costUsd !== undefined && { costUsd }),
  }
}

/** Scores that an answer lacks, by metric, with the reasons that evalkit had. */
export function readOwnUnscored(metadata: JsonValue | undefined): Record<string, ForeignScore> {
  const outcome = readOwnOutcome(metadata)
  if (outcome === undefined) return {}
  const reasons = Object.entries(objectOf(member(metadata, "evalkit_unscored")) ?? {})
  return Object.fromEntries(reasons.map(([metric, reason]) => [metric, unscoredAs(textOf(reason) ?? "", outcome)]))
}

/** A missing score by evalkit's own reason, which begins with its code. */
export function unscoredAs(reason: string, outcome: Outcome): Exclude<ForeignScore, number> {
  const [code = ""] = reason.split(":", 1)
  if (isUnscoredCode(code)) return { reason, code }
  return { reason, isFailure: isFailure(outcome) }
}
