import { UsageError } from "../../core/errors.ts"
import {
  type ForeignLog,
  type ForeignMetric,
  type ForeignRecord,
  isRecord,
  measuredScore,
  variantName,
} from "../../core/foreign/foreign-log.ts"
import { contentHash } from "../../core/json.ts"
import type { MetricRow } from "../../core/metric/metric.ts"
import type { AnswerFacts, SampleContent } from "../../core/metric/scored-variant.ts"
import { inputText, splitOf } from "../../core/sample.ts"
import { answerFacts } from "../../perf/answer-facts.ts"
import { withAbsentRows } from "../../rows/absent-rows.ts"
import { type ColumnFacts, columnFacts, type ForeignVariant } from "../../rows/foreign-variant.ts"
import { createRepeatFinder, questionOf } from "../../text/questions/repeated-questions.ts"
import { foreignGeneration } from "../../text/reading/foreign-generation.ts"
import { sampleContent } from "./pair-by-content.ts"

/** The log of another tool, and which of its variants is meant; null: the only one that it has. */
export interface VariantOfLog {
  readonly log: ForeignLog
  readonly variant: string | null
}

/** A variant of a log, with its own name. */
export interface LogVariant extends ForeignVariant {
  readonly variant: string
  /** Every metric is one of every answer. */
  readonly isUniform: boolean
  /** Records that could not be read. */
  readonly skipped: number
  /** A hash of what each sample asks, by its id. */
  readonly questions: ReadonlyMap<string, string>
}

/**
 * Reads a variant of a log as it is compared. Memory: numbers and hashes only, the texts are not kept.
 *
 * @throws {UsageError} where the log has several variants and none is named, or not the named one
 */
export async function logVariant({ log, variant }: VariantOfLog, name: string): Promise<LogVariant> {
  const answers: AnswerFacts[] = []
  const rows = new Map<string, MetricRow[]>()
  const contents = new Map<string, SampleContent>()
  const questions = new Map<string, string>()
  const asked = new Map<string, { readonly sampleId: string }[]>()
  const repeats = createRepeatFinder()
  const names = new Map<string, string>()
  let skipped = 0
  for await (const read of log.records()) {
    if (!isRecord(read)) {
      skipped++
      continue
    }
    const own = names.get(read.variant) ?? variantName(read.variant, new Set(names.values()))
    names.set(read.variant, own)
    if (variant !== null && read.variant !== variant && own !== variant) {
      addAsked(asked, read)
      continue
    }
    if (names.size > 1 && variant === null) continue
    if (read.answer) answers.push(factsOf(read))
    if (!contents.has(read.sample.id)) {
      contents.set(read.sample.id, sampleContent(read.sample))
      repeats.add(read.sample, questionOf(read.sample))
      const question = inputText(read.sample).trim()
      if (question !== "") questions.set(read.sample.id, contentHash(question, 16))
    }
    addRows(rows, read)
  }
  const own = chosenVariant(log, variant && (names.get(variant) ?? variant), new Set(names.values()))
  const columns = [...rows].map(([metric, list]): [string, ColumnFacts] => [
    metric,
    { ...columnFacts(list), ...within(log.metrics.get(metric), list) },
  ])
  const isUniform = log.isUniform ?? false
  const scored = withAbsentRows(
    { name, answers, rows, contents, questions: repeats.clusters() },
    { isUniform, others: [asked] },
  )
  return {
    scored,
    columns: new Map(columns),
    variant: own ?? name,
    isUniform,
    skipped,
    questions,
  }
}

/**
 * The variant that is meant.
 *
 * @throws {UsageError} where a log has several and none is named, or not the named one
 */
export function chosenVariant(
  log: ForeignLog,
  variant: string | null,
  variants: ReadonlySet<string>,
): string | undefined {
  const own = variant ?? [...variants][0]
  if ((variant === null && variants.size > 1) || (variant !== null && !variants.has(variant)))
    throw new UsageError(
      variant === null
        ? `the file has ${variants.size} variants`
        : `the file has no variant ${JSON.stringify(variant)}`,
      {
        where: log.file,
        hint: `name one behind a colon: ${[...variants]
          .slice(0, 6)
          .map((name) => `${log.file}:${name}`)
          .join(", ")}`,
      },
    )
  return own
}

function factsOf({ sample, repeat, answer }: ForeignRecord): AnswerFacts {
  const generation = foreignGeneration({ ...answer, sampleId: sample.id, repeat, text: answer?.text ?? "" })
  return { ...answerFacts(generation).facts, ...splitOf(sample) }
}

/** What the log asked of a sample, as an answer of another variant shows. */
function addAsked(asked: Map<string, { readonly sampleId: string }[]>, { sample, scores }: ForeignRecord): void {
  for (const metric of Object.keys(scores)) {
    const list = asked.get(metric) ?? []
    asked.set(metric, list)
    list.push({ sampleId: sample.id })
  }
}

function addRows(rows: Map<string, MetricRow[]>, { sample, repeat, answer, scores }: ForeignRecord): void {
  const split = splitOf(sample)
  for (const [metric, score] of Object.entries(scores)) {
    const list = rows.get(metric) ?? []
    rows.set(metric, list)
    const value = typeof score === "number" ? score : null
    const measured = measuredScore(score, answer)
    list.push({ sampleId: sample.id, repeat, ...split, measured, value })
  }
}

/** What the tool says of the metric; a range that its own values leave is none. */
function within(
  metric: ForeignMetric | undefined,
  rows: readonly MetricRow[],
): Pick<ColumnFacts, "direction" | "range" | "countedIn"> {
  if (!metric) return {}
  const { direction, range, unit } = metric
  const isKept = range && rows.every(({ value }) => value === null || isWithin(value, range))
  return {
    ...(direction !== undefined && { direction }),
    ...(isKept && { range }),
    ...(unit !== undefined && { countedIn: unit }),
  }
}

function isWithin(value: number, [low, high]: readonly [number | null, number | null]): boolean {
  return (low === null || value >= low) && (high === null || value <= high)
}
