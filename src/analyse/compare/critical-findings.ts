import type { AnyMetric } from "../../core/metric/metric.ts"
import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import { isFailure } from "../../core/outcome.ts"
import type { BreakFinding, CriticalFinding } from "../../core/report/critical.ts"
import { answerKey } from "../../core/run/answer-key.ts"
import type { HardBreak } from "../../core/run/evaluation.ts"
import { isOurFault } from "../../rows/rows-of.ts"
import { clopperPearsonInterval } from "../../stats/intervals/proportion-interval.ts"
import { breakSentence, criticalSentence } from "../../wording/verdict/critical.ts"
import type { CompareOptions } from "./comparison-of.ts"

/** What is known of one sample on one side; `none`: nothing, since no answer came. */
type SampleState = "right" | "wrong" | "unknown" | "none"

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
    .map((metric) => findingOf(metric, ids, criticalStates(metric, baseline), criticalStates(metric, candidate)))
}

/** What became of the checks that must not break, in their order. */
export function breakFindings({
  baseline,
  candidate,
  metrics,
  breaks = [],
}: Pick<CompareOptions, "baseline" | "candidate" | "metrics" | "breaks">): readonly BreakFinding[] {
  return breaks.flatMap((hardBreak) => {
    const metric = metrics.find(({ name }) => name === hardBreak.metric)
    return metric ? [breakFinding(metric, hardBreak, [baseline, candidate])] : []
  })
}

function breakFinding(
  metric: AnyMetric,
  { min, max, allowed = 0 }: HardBreak,
  [baseline, candidate]: readonly [ScoredVariant, ScoredVariant],
): BreakFinding {
  const best = metric.range[metric.direction === "higher" ? 1 : 0]
  const [low, high] = min === undefined && max === undefined ? [best, best] : [min ?? -Infinity, max ?? Infinity]
  const isKept = (value: number) => value >= low - tolerance && value <= high + tolerance
  const statesOf = (side: ScoredVariant) =>
    sampleStates(metric, side, { isWanted: () => true, isKept, failure: "none" })
  const [before, after] = [statesOf(baseline).states, statesOf(candidate).states]
  const ids = [...new Set([...before.keys(), ...after.keys()])]
    .filter((id) => [before, after].some((side) => isMeasured(side.get(id))))
    .sort()
  const count = (side: SideStates["states"]) => ids.filter((id) => side.get(id) === "wrong").length
  const mayBeBroken = (id: string) =>
    (after.get(id) === "unknown" && before.get(id) !== "wrong") ||
    (after.get(id) === "wrong" && !isMeasured(before.get(id)))
  const finding = {
    metric: metric.name,
    samples: ids.length,
    baseline: count(before),
    candidate: count(after),
    allowed,
    broken: ids.filter((id) => before.get(id) === "right" && after.get(id) === "wrong"),
    unknown: ids.filter(mayBeBroken).length,
  }
  return { ...finding, sentence: breakSentence(finding, metric, [baseline.name, candidate.name]) }
}

const isMeasured = (state: SampleState | undefined) => state === "right" || state === "wrong"

const tolerance = 1e-9

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

function criticalStates(metric: AnyMetric, side: ScoredVariant): SideStates {
  const best = metric.range[metric.direction === "higher" ? 1 : 0]
  const isKept = (value: number) => (Number.isFinite(best) ? Math.abs(value - best) <= tolerance : null)
  return sampleStates(metric, side, { isWanted: ({ critical }) => critical === true, isKept, failure: "wrong" })
}

/** The samples of a side by what is known of all answers to them; `isKept` is null where a value says nothing. */
function sampleStates(
  metric: AnyMetric,
  { answers, rows }: ScoredVariant,
  {
    isWanted,
    isKept,
    failure,
  }: {
    isWanted(answer: ScoredVariant["answers"][number]): boolean
    isKept(value: number): boolean | null
    /** What an answer is that failed: wrong whatever its score, or none where it has no score. */
    readonly failure: "wrong" | "none"
  },
): SideStates {
  const values = new Map((rows.get(metric.name) ?? []).map((row) => [answerKey(row), row.value]))
  const states = new Map<string, SampleState>()
  const failed = new Set<string>()
  for (const answer of answers) {
    if (!isWanted(answer)) continue
    const { sampleId, repeat, outcome } = answer
    const value = values.get(answerKey({ sampleId, repeat })) ?? null
    const kept = value === null ? null : isKept(value)
    const isFailed = isFailure(outcome) && (failure === "none" || !isOurFault(outcome))
    if (isFailed) failed.add(sampleId)
    const scored = kept === null ? "unknown" : kept ? "right" : "wrong"
    const state = isFailed && (failure === "wrong" || kept === null) ? failure : scored
    states.set(sampleId, worse(states.get(sampleId) ?? state, state))
  }
  return { states, failed }
}

/** Of two answers to one sample what is known of both. */
function worse(sampleState: SampleState, other: SampleState): SampleState {
  if (sampleState === "wrong" || other === "wrong") return "wrong"
  if (sampleState === "unknown" || other === "unknown") return "unknown"
  return sampleState === "right" || other === "right" ? "right" : "none"
}
