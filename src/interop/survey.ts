import { createHash } from "node:crypto"
import type { SkippedRow } from "../core/dataset.ts"
import { UsageError } from "../core/errors.ts"
import { type ForeignLog, type ForeignRecord, hasFailed, isRecord, variantName } from "../core/foreign/foreign-log.ts"
import { canonicalJson } from "../core/json.ts"
import { createSamplesFingerprint } from "../core/run/samples-fingerprint.ts"

/** What the scores of a metric are like. */
export interface SurveyedMetric {
  /** Every score is 0 or 1. */
  readonly rate: boolean
  readonly low: number
  readonly high: number
  readonly known: number
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
  const metrics = new Map<string, { rate: boolean; low: number; high: number; known: number }>()
  const skipped: SkippedRow[] = []
  let skippedCount = 0
  let [answers, failed] = [0, 0]
  let repeats = 1
  for await (const read of log.records()) {
    if (!isRecord(read)) {
      if (++skippedCount <= maxSkipped) skipped.push(read)
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
    if (answer && hasFailed(answer.outcome)) failed++
    repeats = Math.max(repeats, repeat + 1)
    addScores(metrics, scores)
  }
  if (answers === 0)
    throw new UsageError("no answer could be read", {
      where: skipped[0]?.where ?? log.file,
      hint: skipped[0]?.reason ?? "the log has no answers",
    })
  if (log.hasScores && metrics.size === 0 && failed < answers)
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
    ...{ answers, failed },
    variants: names,
    repeats,
    metrics,
    skipped,
    skippedCount,
  }
}

function addScores(
  metrics: Map<string, { rate: boolean; low: number; high: number; known: number }>,
  scores: ForeignRecord["scores"],
): void {
  for (const [name, score] of Object.entries(scores)) {
    const facts = metrics.get(name) ?? {
      rate: true,
      low: Number.POSITIVE_INFINITY,
      high: Number.NEGATIVE_INFINITY,
      known: 0,
    }
    metrics.set(name, facts)
    if (typeof score !== "number") continue
    facts.known++
    facts.rate &&= score === 0 || score === 1
    facts.low = Math.min(facts.low, score)
    facts.high = Math.max(facts.high, score)
  }
}
