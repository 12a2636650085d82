import { basename } from "node:path"
import type { CompareSource, ForeignFile } from "../../analyse/source/file-source.ts"
import { type PairBy, refuseOtherContent, sampleContent } from "../../analyse/source/pair-by-content.ts"
import { withQuestionClusters } from "../../analyse/source/question-clusters.ts"
import { UsageError } from "../../core/errors.ts"
import type { AnyMetric, MetricRow } from "../../core/metric/metric.ts"
import type { MetricTools } from "../../core/metric/metric-tools.ts"
import type { AnswerFacts, SampleContent, ScoredVariant } from "../../core/metric/scored-variant.ts"
import type { ConstantAnswer } from "../../core/report/constant-answer.ts"
import { type Sample, splitOf } from "../../core/sample.ts"
import { besideConstant } from "../../estimate/constant-answer.ts"
import type { AbsentRows } from "../../rows/missing-rows.ts"
import { constantAnswers } from "../../score/constant-answer.ts"
import { createRepeatFinder, questionOf } from "../../text/questions/repeated-questions.ts"
import { noSharedId } from "../../wording/no-shared-id.ts"
import { sourceNotes } from "../../wording/source-notes.ts"
import { answersOfLog, answersOfRows, type Scorable, type ScorableOptions } from "./scorable-answers.ts"
import { scoreForeignAnswer } from "./score-file.ts"

/** How the outputs of two files are scored. */
export interface ScoredSourceOptions extends ScorableOptions {
  /** Dependencies before those that depend on them. */
  readonly metrics: readonly AnyMetric[]
  /** The metrics that were asked for, the one that decides first. */
  readonly names: readonly string[]
  readonly tools: Omit<MetricTools, "valueOf">
  readonly pairBy?: PairBy | undefined
  readonly signal: AbortSignal
}

/** Answers that are measured side by side. */
const batchSize = 256

/**
 * Scores the outputs of two files with the same metrics, so that they are compared as the variants of a run are: figures over a
 * corpus by resampling both sides' rows together. Memory: rows, hashes, and what samples expect; no questions, no answers.
 *
 * @throws {UsageError} for a file without rows, for ids whose questions differ, and where a metric can score no answer of a file
 */
export async function scoredSource(
  files: readonly [ForeignFile, ForeignFile],
  options: ScoredSourceOptions,
): Promise<CompareSource> {
  const labels = labelsOf(files)
  const asked = new Map<string, Sample>()
  const plain = [
    await scoredSide(files[0], labels[0], options, asked),
    await scoredSide(files[1], labels[1], options, asked),
  ] as const
  for (const name of options.names)
    for (const [side, scored] of plain.entries()) refuseUnscored(name, scored, files[side]?.name ?? "")
  if (options.pairBy !== "id") refuseOtherContent(...plain)
  const deciding = options.metrics.filter(({ name }) => name === options.names[0])
  const constants = await constantAnswers(deciding, () => asked.values())
  const clustered = withQuestionClusters([{ scored: plain[0] }, { scored: plain[1] }])
  const tools = files.map((file) => ("log" in file ? file.log.tool : null))
  // As in `fileSource`: a log holds all that was asked of it.
  const absentRows: AbsentRows = tools.includes(null) ? "unmeasured" : "not_asked"
  const howCompared = { absentRows, alpha: 0.05, seed: 42 }
  const beside = (scored: ScoredVariant): ScoredVariant => ({
    ...scored,
    constantAnswers: new Map(
      deciding.flatMap((metric): [string, ConstantAnswer][] => {
        const constant = constants.get(metric.name)
        const answer = constant && besideConstant(metric, constant, scored.rows.get(metric.name) ?? [], howCompared)
        return answer ? [[metric.name, answer]] : []
      }),
    ),
  })
  return {
    baseline: beside(clustered.sides[0].scored),
    candidate: beside(clustered.sides[1].scored),
    metrics: options.names.flatMap((name) => options.metrics.filter((metric) => metric.name === name)),
    primary: options.names.slice(0, 1),
    margin: 0.01,
    marginKind: "share",
    ...howCompared,
    ...(tools.some((tool) => tool !== null) && { recognised: [tools[0] ?? null, tools[1] ?? null] as const }),
    notes: [
      ...files.flatMap((file) => ("log" in file ? [sourceNotes.readAs(file.name, file.log.tool)] : [])),
      ...noSharedId(...plain),
      ...clustered.notes,
      ...options.metrics
        .filter(({ name }) => options.names.includes(name))
        .map(({ name, signature }) => `${name}: measured here, ${signature}`),
    ],
  }
}

/** Two columns of one file are told apart by these, two files by their names. */
function labelsOf(files: readonly [ForeignFile, ForeignFile]): readonly [string, string] {
  const full = files.map(({ name, variant }) => (variant === null ? name : `${name}:${variant}`)) as [string, string]
  const short = files.map(({ name, variant }) => variant ?? basename(name)) as [string, string]
  return short[0] === short[1] ? full : short
}

/** @param asked takes what the samples expect, by their ids: references and choices, no questions */
async function scoredSide(
  file: ForeignFile,
  name: string,
  options: ScoredSourceOptions,
  asked: Map<string, Sample>,
): Promise<ScoredVariant> {
  const { metrics, tools, signal } = options
  const answers: AnswerFacts[] = []
  const contents = new Map<string, SampleContent>()
  const rows = new Map<string, MetricRow[]>(metrics.map((metric) => [metric.name, []]))
  const seen = new Set<string>()
  const repeats = createRepeatFinder()
  const flush = async (batch: readonly Scorable[]) => {
    signal.throwIfAborted()
    const scored = await Promise.all(batch.map((answer) => scoreForeignAnswer(metrics, answer, tools)))
    for (const [index, { sampleId, repeat, scores }] of scored.entries()) {
      const { sample, facts, where } = batch[index] as Scorable
      const key = `${repeat}\u0000${sampleId}`
      if (seen.has(key))
        throw new UsageError(`the id "${sampleId}" occurs twice`, {
          code: "duplicate_id",
          where,
          hint: "ids must be unique; number several answers to one sample in a field repeat: 0, 1, 2 …",
        })
      seen.add(key)
      answers.push(facts)
      if (!contents.has(sampleId)) {
        contents.set(sampleId, sampleContent(sample))
        asked.set(sampleId, { ...sample, input: null, context: [] })
        repeats.add(sample, questionOf(sample))
      }
      for (const [i, metric] of metrics.entries())
        rows.get(metric.name)?.push({ sampleId, repeat, ...splitOf(sample), ...(scores[i] as (typeof scores)[number]) })
    }
  }
  let batch: Scorable[] = []
  for await (const answer of "log" in file ? answersOfLog(file) : answersOfRows(file, options)) {
    batch.push(answer)
    if (batch.length < batchSize) continue
    await flush(batch)
    batch = []
  }
  await flush(batch)
  if (answers.length === 0)
    throw new UsageError("the file has no rows", { where: file.name, hint: "check that it was written" })
  return { name, answers, rows, contents, questions: repeats.clusters() }
}

/** Nothing to compare by is a mistake of the caller's, not of the data's. */
function refuseUnscored(metric: string, { rows }: ScoredVariant, where: string): void {
  const own = rows.get(metric) ?? []
  const [first] = own
  if (first === undefined || first.measured.status === "scored" || own.some((row) => row.measured.status === "scored"))
    return
  throw new UsageError(`no answer can be scored by ${metric}: ${first.measured.reason}`, {
    code: first.measured.code,
    where,
    hint: "name the columns with --output-column and --map references=COLUMN",
  })
}
