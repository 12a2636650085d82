import { createHash } from "node:crypto"
import type { SkippedRow } from "../core/dataset.ts"
import { UsageError } from "../core/errors.ts"
import { type ForeignLog, type ForeignRecord, hasFailed, isRecord, variantName } from "../core/foreign/foreign-log.ts"
import { canonicalJson } from "../core/json.ts"
import { isFailure } from "../core/outcome.ts"
import { createSamplesFingerprint } from "../core/run/samples-fingerprint.ts"

/** What the scores of a metric are like. */
export interface SurveyedMetric {
  /** Every score is 0 or 1. */
  readonly rate: boolean
  readonly low: number
  readonly high: number
  readonly known: number
  /** Answers that have a row of it, with a score or without. */
  readonly rows: number
  /** Why the first answer without a score has none, where it did not fail. */
  readonly reason?: string
}

/** What is in a log, found in one pass over it. */
export interface Survey {
  /** Hash of all that is in it: the same log gives the same. */
  readonly digest: string
  /** Fingerprint of the samples, in the order in which they first come. */
  readonly fingerprint: string
  readonly samples: number
  readonly answers: number
  /** Of these, answers that failed. */
  readonly failed: number
  /** Variants as the tool names them, and the names that evalkit gives them. */
  readonly variants: ReadonlyMap<string, string>
  readonly repeats: number
  readonly metrics: ReadonlyMap<string, SurveyedMetric>
  /** Metrics that not every answer has a row of. */
  readonly incomplete: ReadonlySet<string>
  /** The first thousand of what could not be read. */
  readonly skipped: readonly SkippedRow[]
  /** All of it. */
  readonly skippedCount: number
}

/** Rows that are named one by one. */
const maxSkipped = 1000
/** Variants of a log: more are something else than variants. */
const maxVariants = 1000

/**
 * Reads a log once. Memory: a number for each sample, and for each of its contents a hash.
 *
 * @throws {UsageError} where nothing can be read
 */
export async function surveyLog(log: ForeignLog): Promise<Survey> {
  const all = createHash("sha256").update(log.tool)
  const fingerprint = createSamplesFingerprint()
  const samples = new Set<string>()
  const names = new Map<string, string>()
  const metrics: Metrics = new Map()
  const skipped: SkippedRow[] = []
  let skippedCount = 0
  let [answers, failed, notAnswered] = [0, 0, 0]
  let repeats = 1
  for await (const read of log.records()) {
    if (!isRecord(read)) {
      if (++skippedCount <= maxSkipped) skipped.push({ where: read.where, field: read.field, reason: read.reason })
      continue
    }
    const { sample, variant, repeat, answer, scores } = read
    all.update(`${canonicalJson([variant, sample.id, repeat, answer, scores])}\n`)
    if (!samples.has(sample.id)) {
      samples.add(sample.id)
      fingerprint.add(sample)
    }
    if (!names.has(variant)) names.set(variant, variantName(variant, new Set(names.values())))
    if (names.size > maxVariants) throw new UsageError("the log has more than a thousand models", { where: log.file })
    if (answer) answers++
    if (answer && isFailure(answer.outcome)) notAnswered++
    if (answer && hasFailed(answer.outcome)) failed++
    repeats = Math.max(repeats, repeat + 1)
    addScores(metrics, scores, answer === null || !isFailure(answer.outcome))
  }
  if (answers === 0)
    throw new UsageError("no answer could be read", {
      where: skipped[0]?.where ?? log.file,
      hint: skipped[0]?.reason ?? "the log has no answers",
    })
  if (log.hasScores && metrics.size === 0 && notAnswered < answers)
    throw new UsageError(`no score could be read, though files of ${log.tool} hold scores`, {
      where: log.file,
      hint: log.notes.at(-1) ?? "check that the file is whole, and of a version that docs/logs.md names",
    })
  const samplesDigest = fingerprint.digest()
  return {
    // Answers to other questions, or with figures that are read in another direction, are another log.
    digest: all.update(canonicalJson([samplesDigest, [...log.metrics]])).digest("hex"),
    fingerprint: samplesDigest,
    samples: samples.size,
    answers,
    failed,
    incomplete: new Set([...metrics].flatMap(([name, { rows }]) => (rows < answers ? [name] : []))),
    variants: names,
    repeats,
    metrics,
    skipped,
    skippedCount,
  }
}

type Metrics = Map<string, { -readonly [Name in keyof SurveyedMetric]: SurveyedMetric[Name] }>

function addScores(metrics: Metrics, scores: ForeignRecord["scores"], isAnswered: boolean): void {
  for (const [name, score] of Object.entries(scores)) {
    const facts = metrics.get(name) ?? {
      rate: true,
      low: Number.POSITIVE_INFINITY,
      high: Number.NEGATIVE_INFINITY,
      known: 0,
      rows: 0,
    }
    metrics.set(name, facts)
    facts.rows++
    if (typeof score !== "number") {
      if (isAnswered && !score.isFailure) facts.reason ??= score.reason
      continue
    }
    facts.known++
    facts.rate &&= score === 0 || score === 1
    facts.low = Math.min(facts.low, score)
    facts.high = Math.max(facts.high, score)
  }
}
