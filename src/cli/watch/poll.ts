import { storedVariant } from "../../analyse/source/stored-source.ts"
import { answersReader } from "../../analyse/summary/sample-splits.ts"
import type { JsonObject } from "../../core/json.ts"
import type { AnswerFacts } from "../../core/metric/scored-variant.ts"
import { isAnswered, isOfVariant } from "../../core/outcome.ts"
import { type Figure, figureValue } from "../../core/report/figure.ts"
import type { AvailabilityTrend, OperationTrend } from "../../core/report/trend.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { CallKey, RunStore } from "../../core/run/run-store.ts"
import { segmentStarts } from "../../core/run/segment-start.ts"
import { type AnsweredAt, type BurnAlarm, burnAlarms } from "../../perf/client/burn-alarm.ts"
import { seriesDistribution } from "../../perf/distribution.ts"
import { wilsonRate } from "../../perf/wilson.ts"
import { createNumberList } from "../../stats/number-list.ts"
import { significant } from "../../words/number.ts"
import { percent } from "../../words/percent.ts"
import { plainText } from "../../words/text.ts"
import { trendOf } from "./trend-of.ts"

/** Something that is worse than it should be. */
export interface WatchAlarm {
  /** The same alarm of the next look has the same key. */
  readonly key: string
  readonly variant: string
  readonly kind: "quality" | OperationTrend["figure"] | "availability" | "errors"
  readonly sentence: string
}

/** What is known of a variant over the last 72 hours: medians of its answers. */
export interface RecentFigures {
  readonly variant: string
  readonly runs: number
  readonly ttftMs: Figure
  readonly e2eMs: Figure
  readonly tokensPerSecond: Figure
  readonly costUsd: Figure
  readonly availability: Figure
  readonly burn: readonly BurnAlarm[]
}

/** What one look found. */
export interface WatchPoll {
  readonly alarms: readonly WatchAlarm[]
  readonly recent: readonly RecentFigures[]
}

/** What is looked at. */
export interface LookOptions {
  readonly store: RunStore
  /** The runs that are watched: those of one config that ask the same. */
  isWatched(run: RunRecord): boolean
  /** Wall time. */
  readonly nowMs: number
  readonly everyMs: number
  /** Share of requests that must be answered. */
  readonly target: number
}

/** Hours over which medians are taken. */
const recentMs = 72 * 3_600_000
/** Runs that a trend is computed over, at most. */
const trendRuns = 60

/** Looks at all runs of a watch: trends of quality, latency and cost, burn of the error budget, and medians of the last 72 hours. */
export function pollStore({ store, isWatched, nowMs, everyMs, target }: LookOptions): WatchPoll {
  const runs = [...store.runs()].filter((run) => isWatched(run) && Date.parse(run.startedAt) > nowMs - recentMs)
  const names = runs[0]?.variants.map(({ name }) => name) ?? []
  const alarms: WatchAlarm[] = []
  const recent: RecentFigures[] = []
  for (const variant of names) {
    const figures = recentFigures(store, runs, variant, { nowMs, everyMs, target })
    recent.push(figures)
    const burning = burnAlarmsOf(figures, target)
    // Errors that burn the budget say it more sharply.
    const trends = trendAlarms(store, isWatched, variant).filter(
      ({ kind }) => kind !== "availability" || burning.length === 0,
    )
    alarms.push(...trends, ...burning)
  }
  return { alarms, recent }
}

function trendAlarms(store: RunStore, counts: LookOptions["isWatched"], variant: string): readonly WatchAlarm[] {
  const { result } = trendOf(store, { variant, limit: trendRuns, counts })
  const at = (kind: WatchAlarm["kind"], sentence: string): WatchAlarm => ({
    key: `${variant}/${kind}`,
    variant,
    kind,
    sentence,
  })
  // An earlier run that was worse is history, where the newest is not.
  const isNow = result.points.at(-1)?.alarm === true || result.changes.length > 0
  return [
    ...(result.worse && isNow ? [at("quality", result.sentence)] : []),
    ...(isDown(result.availability) ? [at("availability", result.availability.sentence ?? "fewer are answered")] : []),
    ...result.operations.flatMap(({ figure, worse, sentence }) =>
      worse ? [at(figure, sentence ?? `${figure} is worse`)] : [],
    ),
  ]
}

/** Whether fewer requests are answered since the newest change, and in the newest run still. */
function isDown({ worse, changes, values }: AvailabilityTrend): boolean {
  const newest = values.at(-1)
  return worse && newest?.status === "known" && (newest.high ?? 1) < (changes.at(-1)?.before ?? 0)
}

function burnAlarmsOf({ variant, burn }: RecentFigures, target: number): readonly WatchAlarm[] {
  const worst = burn.find(({ alarm }) => alarm)
  if (!worst) return []
  const hours = Math.round(worst.longMs / 3_600_000)
  const rate = figureValue(worst.long) ?? 0
  const sentence = `Errors of the last ${hours} ${hours === 1 ? "hour" : "hours"} use up the budget of a ${percent(target)} target ${significant(rate)} times too fast (alarm from ${worst.threshold} on).`
  return [{ key: `${variant}/errors`, variant, kind: "errors", sentence }]
}

function recentFigures(
  store: RunStore,
  runs: readonly RunRecord[],
  variant: string,
  scope: { readonly nowMs: number; readonly everyMs: number; readonly target: number },
): RecentFigures {
  const [ttft, e2e, speed, cost] = [createNumberList(), createNumberList(), createNumberList(), createNumberList()]
  const answersOf = answersReader(store)
  const counts = runs.map((run): readonly AnsweredAt[] => {
    const { answers } = storedVariant(store, { run, variant }, variant, new Set(), answersOf)
    const asked = answers.filter(({ outcome, source }) => isOfVariant(outcome) && source === "measured")
    for (const { outcome, ttftMs, e2eMs, tpotMs, costUsd } of asked) {
      if (!isAnswered(outcome)) continue
      if (ttftMs !== null) ttft.push(ttftMs)
      if (e2eMs !== null) e2e.push(e2eMs)
      if (tpotMs !== null && tpotMs > 0) speed.push(1000 / tpotMs)
      if (costUsd !== null) cost.push(costUsd)
    }
    const endedMs = endOf(store, run, variant)
    return asked.map((answer) => ({ atMs: endedMs(answer), answered: isAnswered(answer.outcome) ? 1 : 0, asked: 1 }))
  })
  const all = counts.flat()
  const sum = (of: (answeredAt: AnsweredAt) => number) => all.reduce((total, answeredAt) => total + of(answeredAt), 0)
  const median = (list: ReturnType<typeof createNumberList>, none: string) =>
    seriesDistribution(list.values(), none).p50
  return {
    variant,
    runs: runs.length,
    ttftMs: median(ttft, "no answer of the last 72 hours has a time to first token"),
    e2eMs: median(e2e, "no answer of the last 72 hours was timed"),
    tokensPerSecond: median(speed, "no answer of the last 72 hours has a decode speed"),
    costUsd: median(cost, "no answer of the last 72 hours has a cost"),
    availability: wilsonRate(
      sum(({ answered }) => answered),
      sum(({ asked }) => asked),
      "nothing was asked in the last 72 hours",
    ),
    // What the run does after its last answer, such as asking judges, is no time in which the service was asked.
    burn: burnAlarms(all, { ...scope, nowMs: latestOf(counts[0] ?? []) ?? scope.nowMs }),
  }
}

/** When the answers of a variant ended, wall time; those of a run that does not say when it began to ask count at its end. */
function endOf(store: RunStore, run: RunRecord, variant: string): (answer: AnswerFacts) => number {
  const starts = segmentStarts(store, run.id)
  const runEndMs = Date.parse(run.finishedAt ?? run.startedAt)
  return ({ sampleId, repeat, segment, sentMs, e2eMs }) => {
    const start = segment === undefined ? undefined : starts.get(segment)
    if (start === undefined || sentMs === undefined) return runEndMs
    // The facts of a failed request do not say how long it took.
    return start + (e2eMs === null ? endMs(store, run, { variant, sampleId, repeat }) : sentMs + e2eMs)
  }
}

function endMs(store: RunStore, { id }: RunRecord, call: CallKey): number {
  return store.generation(id, call)?.log.endMs ?? 0
}

function latestOf(counts: readonly AnsweredAt[]): number | null {
  return counts.reduce<number | null>((latest, { atMs }) => Math.max(latest ?? atMs, atMs), null)
}

/** An alarm, as a terminal shows it. */
export function alarmLine({ variant, kind, sentence }: WatchAlarm): string {
  return `  ALARM ${plainText(variant, 40)}, ${kind}: ${plainText(sentence, 600)}`
}

/** A look as JSON, one object a round. */
export function lookJson({ alarms, recent }: WatchPoll): JsonObject {
  return {
    alarms: alarms.map((alarm) => ({ ...alarm })),
    last_72_hours: recent.map(({ variant, runs, ttftMs, e2eMs, tokensPerSecond, costUsd, availability, burn }) => ({
      variant,
      runs,
      ttft_ms: figureValue(ttftMs),
      e2e_ms: figureValue(e2eMs),
      decode_tps: figureValue(tokensPerSecond),
      cost_usd: figureValue(costUsd),
      availability: figureValue(availability),
      availability_low: availability.status === "known" ? (availability.low ?? null) : null,
      burn: burn.map(({ longMs, threshold, long, short, alarm }) => ({
        hours: longMs / 3_600_000,
        threshold,
        rate: figureValue(long),
        short_rate: figureValue(short),
        alarm,
      })),
    })),
  }
}
