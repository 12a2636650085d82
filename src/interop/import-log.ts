import { type ForeignLog, type ForeignMetric, isRecord, measuredScore } from "../core/foreign/foreign-log.ts"
import { contentHash } from "../core/json.ts"
import type { MetricRecord, RunRecord } from "../core/run/run-record.ts"
import type { RunStore, StoredRow } from "../core/run/run-store.ts"
import type { Sample } from "../core/sample.ts"
import { saveQuestionClusters } from "../run/repeated-questions.ts"
import { createRepeatFinder, questionOf } from "../text/questions/repeated-questions.ts"
import { foreignGeneration } from "../text/reading/foreign-generation.ts"
import { createAbsentScores } from "./absent-scores.ts"
import { type Survey, type SurveyedMetric, surveyLog } from "./survey.ts"

/** A log as a run of the store. */
export interface ImportedLog {
  readonly record: RunRecord
  readonly survey: Survey
  /** False: the store had the same log already, and was left as it was. */
  readonly isNew: boolean
}

/** What the file does not say. */
export interface ImportFacts {
  readonly versions: Readonly<Record<string, string>>
  /** ISO 8601: when a log was made that does not say it. */
  readonly now: string
}

/** Samples that are written at a time. */
const batchSize = 500

/**
 * Keeps a log of another tool as a run: all of it, or nothing where it ends with an error. Its scores are kept as the tool gave
 * them; nothing is measured again.
 *
 * @param openStore called once the log was read to its end: one that cannot be read makes no store
 * @throws {UsageError} where the log cannot be read
 */
export async function importLog(openStore: () => RunStore, log: ForeignLog, facts: ImportFacts): Promise<ImportedLog> {
  const survey = await surveyLog(log)
  const store = openStore()
  const record = recordOf(log, survey, facts)
  const stored = store.run(record.id)
  if (stored) return { record: stored, survey, isNew: false }
  await store.atomically(() => writeLog(store, log, record, survey))
  return { record, survey, isNew: true }
}

/** What a config that states neither goes by: the report of an imported run says them as that of any other. */
const margin = 0.01
const alpha = 0.05

function recordOf(log: ForeignLog, survey: Survey, { versions, now }: ImportFacts): RunRecord {
  const startedAt = log.startedAt ?? now
  const variants = [...survey.variants].map(([model, name]) => ({
    name,
    model,
    provider: log.tool,
    quantization: null,
    priceSource: null,
    fingerprint: contentHash({ tool: log.tool, model }),
  }))
  return {
    id: survey.digest.slice(0, 12),
    name: `${log.dataset} (${log.tool})`,
    startedAt,
    finishedAt: startedAt,
    status: "finished",
    seed: 42,
    repeats: survey.repeats,
    margin,
    marginKind: "share",
    missing: "worst",
    smallestGain: 0.05,
    alpha,
    baseline: variants[0]?.name ?? null,
    versions,
    configPath: null,
    config: { importedFrom: log.file, tool: log.tool, notes: log.notes, margin, alpha },
    dataset: {
      name: log.dataset,
      source: log.file,
      fingerprint: survey.fingerprint,
      samples: survey.samples,
      skipped: survey.skipped,
    },
    variants,
    metrics: [...survey.metrics].map(([name, seen], i) => metricOf(log, name, seen, i === 0)),
    plan: contentHash({ imported: survey.digest }),
  }
}

function metricOf(log: ForeignLog, name: string, seen: SurveyedMetric, primary: boolean): MetricRecord {
  const said = log.metrics.get(name)
  return {
    name,
    primary,
    signature: `${log.tool}|${name}`,
    direction: said?.direction ?? "higher",
    range: rangeOf(said, seen),
    unit: said?.unit ?? (seen.rate && seen.known > 0 ? "share" : "score"),
    aggregation: "mean",
  }
}

/** The range that the tool states, where its values keep it; 0 to 1 where all of them lie there. */
function rangeOf(
  said: ForeignMetric | undefined,
  { low, high, known }: SurveyedMetric,
): readonly [number | null, number | null] {
  const [least, most] = said?.range ?? [null, null]
  if (said?.range && (least === null || low >= least) && (most === null || high <= most)) return said.range
  return known > 0 && low >= 0 && high <= 1 ? [0, 1] : [null, null]
}

async function writeLog(
  store: RunStore,
  log: ForeignLog,
  record: RunRecord,
  { variants, incomplete }: Survey,
): Promise<void> {
  store.createRun(record)
  const seen = new Set<string>()
  const repeats = createRepeatFinder()
  const absent = createAbsentScores(incomplete, log.isUniform ?? false)
  let batch: Sample[] = []
  let rows: StoredRow[] = []
  const flush = (): void => {
    store.saveSamples(record.dataset.fingerprint, batch, seen.size - batch.length)
    store.saveRows(record.id, rows)
    batch = []
    rows = []
  }
  let position = 0
  for await (const read of log.records()) {
    if (!isRecord(read)) continue
    const { sample, repeat, answer, scores } = read
    const variant = variants.get(read.variant) ?? read.variant
    if (!seen.has(sample.id)) {
      seen.add(sample.id)
      repeats.add(sample, questionOf(sample))
      batch.push(sample)
    }
    if (answer)
      store.saveGeneration(
        record.id,
        foreignGeneration({ ...answer, variant, sampleId: sample.id, repeat, position: position++, text: answer.text }),
      )
    for (const [metric, score] of Object.entries(scores)) {
      const value = typeof score === "number" ? score : null
      const measured = measuredScore(score, answer)
      rows.push({ variant, sampleId: sample.id, repeat, metric, measured, value })
    }
    absent.add(variant, read)
    if (rows.length + batch.length >= batchSize) flush()
  }
  for (const row of absent.rows()) {
    rows.push(row)
    if (rows.length >= batchSize) flush()
  }
  flush()
  saveQuestionClusters(store, record.id, record.startedAt, repeats.clusters())
}
