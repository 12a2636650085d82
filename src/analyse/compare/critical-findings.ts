import type { AnyMetric } from "../../core/metric/metric.ts"
import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import { isFailure } from "../../core/outcome.ts"
import type { CriticalFinding } from "../../core/report/critical.ts"
import { answerKey } from "../../core/run/answer-key.ts"
import { isOurFault } from "../../rows/rows-of.ts"
import { clopperPearsonInterval } from "../../stats/intervals/proportion-interval.ts"
import { criticalSentence } from "../../wording/verdict/critical.ts"
import type { CompareOptions } from "./comparison-of.ts"

/** What is known of one sample on one side. */
type SampleState = "right" | "wrong" | "unknown"

/** The states of a side's samples, and those of which an answer failed. */
interface SideStates {
  readonly states: ReadonlyMap<string, SampleState>
  readonly failed: ReadonlySet<string>
}

/** Error rate of the bound on the share that is right: one-sided. */
const boundAlpha = 0.05

/** What became of the samples that must not break, by each metric that decides; none where no sample is marked so. */
export function criticalFindings({
  baseline,
  candidate,
  metrics,
  primary,
}: Pick<CompareOptions, "baseline" | "candidate" | "metrics" | "primary">): readonly CriticalFinding[] {
  const ids = [...new Set([baseline, candidate].flatMap(criticalIds))].sort()
  if (ids.length === 0) return []
  return metrics
    .filter(({ name }) => primary.includes(name))
    .map((metric) => findingOf(metric, ids, statesOf(metric, baseline), statesOf(metric, candidate)))
}

function criticalIds({ answers }: ScoredVariant): readonly string[] {
  return answers.flatMap(({ sampleId, critical }) => (critical ? [sampleId] : []))
}

function findingOf(metric: AnyMetric, ids: readonly string[], before: SideStates, after: SideStates): CriticalFinding {
  const stateOf = ({ states }: SideStates, id: string): SampleState => states.get(id) ?? "unknown"
  const count = (side: SideStates, state: SampleState) => ids.filter((id) => stateOf(side, id) === state).length
  const broken = ids.filter((id) => stateOf(before, id) === "right" && stateOf(after, id) === "wrong")
  const mayBeBroken = (id: string) => {
    const [was, is] = [stateOf(before, id), stateOf(after, id)]
    return was !== "wrong" && is !== "right" && (was === "unknown" || is === "unknown")
  }
  const rightCandidate = count(after, "right")
  const isKnown = count(after, "unknown") === 0
  const finding = {
    metric: metric.name,
    samples: ids.length,
    rightBaseline: count(before, "right"),
    rightCandidate,
    broken,
    brokenByFailure: broken.filter((id) => after.failed.has(id)).length,
    unknown: ids.filter(mayBeBroken).length,
    // The lower end of a two-sided interval at twice the error rate is the one-sided bound.
    atLeast: isKnown ? clopperPearsonInterval(rightCandidate, ids.length, 2 * boundAlpha).low : null,
  }
  return { ...finding, sentence: criticalSentence(finding, metric) }
}

function statesOf(metric: AnyMetric, { answers, rows }: ScoredVariant): SideStates {
  const best = metric.range[metric.direction === "higher" ? 1 : 0]
  const values = new Map((rows.get(metric.name) ?? []).map((row) => [answerKey(row), row.value]))
  const states = new Map<string, SampleState>()
  const failed = new Set<string>()
  for (const { sampleId, repeat, outcome, critical } of answers) {
    if (!critical) continue
    const value = values.get(answerKey({ sampleId, repeat })) ?? null
    const isFailed = isFailure(outcome) && !isOurFault(outcome)
    if (isFailed) failed.add(sampleId)
    const state = isFailed ? "wrong" : value === null || !Number.isFinite(best) ? "unknown" : stateOfValue(value, best)
    states.set(sampleId, worse(states.get(sampleId) ?? "right", state))
  }
  return { states, failed }
}

function stateOfValue(value: number, best: number): SampleState {
  return Math.abs(value - best) <= 1e-9 ? "right" : "wrong"
}

function worse(one: SampleState, other: SampleState): SampleState {
  if (one === "wrong" || other === "wrong") return "wrong"
  return one === "unknown" || other === "unknown" ? "unknown" : "right"
}
