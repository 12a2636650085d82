import { UsageError } from "../../core/errors.ts"
import { type ForeignTool, hasFailed } from "../../core/foreign/foreign-log.ts"
import type { MetricRow } from "../../core/metric/metric.ts"
import type { SampleContent } from "../../core/metric/scored-variant.ts"
import { withAbsentRows } from "../../rows/absent-rows.ts"
import type { ColumnFacts } from "../../rows/foreign-variant.ts"
import { sourceNotes } from "../../wording/source-notes.ts"
import { allFailed } from "../../words/reasons/scores.ts"
import type { LogVariant } from "./log-variant.ts"

/** Two logs, made to speak of the same samples and metrics. */
export interface JoinedLogs {
  readonly sides: readonly [LogVariant, LogVariant]
  /** Metrics that were named, as the first log calls them. */
  readonly on: readonly string[]
  /** How samples found each other, where some did not, or not by their ids. */
  readonly notes: readonly string[]
}

/** What is said of the two logs. */
export interface JoinOptions {
  readonly tools: readonly [ForeignTool, ForeignTool]
  /** `metric`, or `metric=metric` where the second log calls it otherwise. */
  readonly on: readonly string[]
  /** Ids are to be trusted: samples are never looked for by their question. */
  readonly byId: boolean
}

/**
 * Gives the second log the first one's names: of metrics, where `on` says which is which, and of samples, where two tools number
 * them in two ways. Then they are found by their question, word for word; what is asked twice is left as it is.
 *
 * @throws {UsageError} for logs without a metric in common, with what each has
 */
export function joinLogs(sides: readonly [LogVariant, LogVariant], { tools, on, byId }: JoinOptions): JoinedLogs {
  const pairs = on.map((name) => metricPair(name, sides))
  const named = withMetrics(sides[1], pairs)
  const [first, renamed] = [withFailedMetrics(sides[0], named), withFailedMetrics(named, sides[0])]
  if (![...first.columns.keys()].some((name) => renamed.columns.has(name))) throw noSharedMetric(sides, tools)
  const isShared = [...(first.scored.contents?.keys() ?? [])].some((id) => renamed.scored.contents?.has(id))
  const isByQuestion = !isShared && !byId
  const second = isByQuestion ? withSamplesOf(first, renamed) : renamed
  const whole = (side: LogVariant, other: LogVariant): LogVariant => ({
    ...side,
    scored: withAbsentRows(side.scored, { isUniform: side.isUniform, others: [other.scored.rows] }),
  })
  return {
    sides: [whole(first, second), whole(second, first)],
    on: pairs.map(([name]) => name),
    notes: alignment(first, second, isByQuestion),
  }
}

/** `a=b` names a metric of each log; a metric may have the sign in its own name. */
function metricPair(name: string, [first, second]: readonly [LogVariant, LogVariant]): readonly [string, string] {
  if (first.columns.has(name) || second.columns.has(name)) return [name, name]
  for (let at = name.indexOf("="); at > 0; at = name.indexOf("=", at + 1)) {
    const [left, right] = [name.slice(0, at), name.slice(at + 1)]
    if (first.columns.has(left) && second.columns.has(right)) return [left, right]
  }
  return [name, name]
}

function withMetrics(side: LogVariant, pairs: readonly (readonly [string, string])[]): LogVariant {
  const columns = new Map<string, ColumnFacts>(side.columns)
  const rows = new Map<string, readonly MetricRow[]>(side.scored.rows)
  for (const [name, own] of pairs) {
    if (name === own) continue
    columns.set(name, side.columns.get(own) as ColumnFacts)
    rows.set(name, side.scored.rows.get(own) ?? [])
  }
  return { ...side, columns, scored: { ...side.scored, rows } }
}

/** A side whose every answer failed has no score: it failed each metric of the other. */
function withFailedMetrics(side: LogVariant, { columns }: LogVariant): LogVariant {
  if (side.columns.size > 0 || !isAllFailed(side)) return side
  const own = [...columns].map(([name, facts]) => [name, { ...facts, known: 0 }] as const)
  const rows = new Map([...columns.keys()].map((name) => [name, []]))
  return { ...side, columns: new Map(own), scored: { ...side.scored, rows } }
}

function isAllFailed({ scored }: LogVariant): boolean {
  return scored.answers.every(({ outcome }) => hasFailed(outcome))
}

function noSharedMetric(sides: readonly [LogVariant, LogVariant], tools: readonly ForeignTool[]): UsageError {
  const names = sides.map(({ columns }) => [...columns.keys()])
  const has = sides.map((side, i) => {
    const { name, answers } = side.scored
    const own = isAllFailed(side) ? `: ${allFailed(answers.length)}` : ` has ${listed(names[i] ?? [])}`
    return `${name} (${tools[i]})${own}`
  })
  const [left, right] = names.map(([name]) => name)
  const hint =
    left !== undefined && right !== undefined && `name one of each: --on ${JSON.stringify(`${left}=${right}`)}`
  return new UsageError("the logs share no metric", { where: has.join("; "), ...(hint && { hint }) })
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return "no scores"
  return names.slice(0, 8).join(", ") + (names.length > 8 ? ` and ${names.length - 8} more` : "")
}

/** The second log with the first one's ids, where both ask the same question once. */
function withSamplesOf(first: LogVariant, second: LogVariant): LogVariant {
  const [asked, own] = [onlyOnce(first.questions), onlyOnce(second.questions)]
  const ids = new Map<string, string>()
  for (const [question, id] of own) {
    const existing = asked.get(question)
    if (existing !== undefined) ids.set(id, existing)
  }
  const named = <Row extends { readonly sampleId: string }>(row: Row): Row => {
    const sampleId = ids.get(row.sampleId)
    return sampleId === undefined ? row : { ...row, sampleId }
  }
  const contents = [...(second.scored.contents ?? [])].map(([id, content]): [string, SampleContent] => {
    // Two tools keep a question in two shapes: as a text, or as a list of messages.
    const { prompt: _, ...others } = content
    return ids.has(id) ? [ids.get(id) as string, others] : [id, content]
  })
  const rows = [...second.scored.rows].map(([name, list]) => [name, list.map(named)] as const)
  const scored = { ...second.scored, answers: second.scored.answers.map(named), rows: new Map(rows) }
  return { ...second, scored: { ...scored, contents: new Map(contents) } }
}

function onlyOnce(questions: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const seen = new Map<string, string | null>()
  for (const [id, question] of questions) seen.set(question, seen.has(question) ? null : id)
  return new Map([...seen].filter((entry): entry is [string, string] => entry[1] !== null))
}

/** What the error of an empty pairing states of a side. */
function factsOf({ scored, questions }: LogVariant) {
  const ids = [...(scored.contents?.keys() ?? [])].slice(0, 2)
  return { name: scored.name, ids, samples: scored.contents?.size ?? 0, questions: questions.size }
}

function alignment(first: LogVariant, second: LogVariant, isByQuestion: boolean): readonly string[] {
  const [a, b] = [new Set(first.scored.contents?.keys()), new Set(second.scored.contents?.keys())]
  const both = [...a].filter((id) => b.has(id)).length
  if (!isByQuestion && both === a.size && both === b.size) return []
  if (both === 0) return [sourceNotes.nothingInCommon(factsOf(first), factsOf(second))]
  const how = isByQuestion ? sourceNotes.byQuestions : sourceNotes.byIds
  const [left, right] = [first.scored.name, second.scored.name]
  return [sourceNotes.inCommon(how, both, a.size - both, left, b.size - both, right)]
}
