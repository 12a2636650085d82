import { UsageError } from "../../core/errors.ts"
import { isObject, membersOf } from "../../core/json-members.ts"
import type { MetricRow } from "../../core/metric/metric.ts"
import { type AnyMetric, scored } from "../../core/metric/metric.ts"
import type { SampleContent, ScoredVariant } from "../../core/metric/scored-variant.ts"
import type { VariantReport } from "../../core/report/report.ts"
import type { HardBreak } from "../../core/run/evaluation.ts"
import type { MetricRecord, RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import type { Variant } from "../../core/variant.ts"
import { longestAnswerOf } from "../../cost/cost-of-usage.ts"
import { constantAnswersOf } from "../../estimate/constant-answer.ts"
import { withAbsentRows } from "../../rows/absent-rows.ts"
import { columnBuilder } from "../../rows/columns/column-rows.ts"
import { factsBuilder, factsView } from "../../rows/columns/fact-columns.ts"
import { viewOf } from "../../rows/columns/metric-rows.ts"
import { findRun } from "../../store/find-run.ts"
import { readTwice } from "../../wording/run-checks.ts"
import { sourceNotes, whichData } from "../../wording/source-notes.ts"
import { dataName } from "../../words/data-name.ts"
import { storedDifficulty } from "../compare/difficulty/stored-difficulty.ts"
import { asJudged, type Judged, judgedOf } from "../interim/retry-part.ts"
import { runDesign } from "../interim/run-design.ts"
import { storedNoise } from "../sections/noise/stored-noise.ts"
import { type AnswersReader, answersReader } from "../summary/sample-splits.ts"
import type { CompareSource } from "./file-source.ts"
import { type PairBy, refuseOtherContent, sampleContent } from "./pair-by-content.ts"
import { type LoadedMetrics, refuseMissing, type StoredMetrics, storedMetrics } from "./stored-metrics.ts"

/** One side of a comparison: a variant of a run. */
export interface StoredSide {
  readonly run: RunRecord
  readonly variant: string
}

/** Options of {@link storedSource}. */
export interface StoredOptions {
  readonly names: readonly [string, string]
  readonly store: RunStore
  /** Run that the names are variants of; the newest by default. */
  readonly wantedRun?: string | undefined
  /** Metrics that decide, where the command line names them. */
  readonly primary?: readonly string[]
  /** `content` by default. */
  readonly pairBy?: PairBy
  /** Earlier runs whose answers say how hard the items are; those that the run's config names when absent. */
  readonly difficultyFrom?: readonly string[]
  /** Whether the metrics of a config are to be read in any case: somebody named it. */
  readonly isConfigNamed?: boolean
  /** The metrics of a run's config, when it can be loaded. Not asked where the run itself keeps all that is needed. */
  loadMetrics(run: RunRecord): Promise<LoadedMetrics>
  /** Makes a metric of the catalogue again; null when it cannot. */
  recreate(record: MetricRecord): AnyMetric | null
}

/**
 * Two sides of the store: `A B` are variants of one run (the newest, or `--run`), `RUN:VARIANT` names any other, and two
 * runs alone compare the one variant that both have. Sides of one run whose first is its baseline bring the run's other
 * candidates, limits and reported figures with them, so that they are decided on as in its report.
 *
 * @throws UsageError for samples whose contents differ under the same ids, and for deciding metrics that cannot be summarised
 */
export async function storedSource(options: StoredOptions): Promise<CompareSource> {
  const { store } = options
  const [a, b] = findSides(options.names, store, options.wantedRun)
  const notes: string[] = []
  const design = runDesign(store, b.run) ?? runDesign(store, a.run)
  const partial = new Set([a.run, b.run].filter(({ status }) => status !== "finished").map(({ id }) => id))
  if (partial.size > 0 && design === null) notes.push(sourceNotes.incomplete([...partial].join(" and run "), readTwice))
  const otherData = a.run.dataset.fingerprint !== b.run.dataset.fingerprint
  if (otherData) notes.push(sourceNotes.otherData(whichData(dataName(a.run.dataset), dataName(b.run.dataset))))
  const records = b.run.metrics.filter((metric) => a.run.metrics.some(({ name }) => name === metric.name))
  for (const record of records) {
    const before = a.run.metrics.find(({ name }) => name === record.name)?.signature
    if (before !== record.signature)
      notes.push(sourceNotes.computedDifferently(record.name, String(before), record.signature))
  }
  const stored = await metricsOf(records, { ...b, store }, options)
  const primary = records.filter(({ primary }) => primary).map(({ name }) => name)
  refuseMissing(options.primary?.length ? options.primary : primary, stored.refused)
  const label = (side: StoredSide) => (a.variant === b.variant ? `${side.variant} (run ${side.run.id})` : side.variant)
  const answersOf = answersReader(store)
  const judged = judgedOf(store, b.run)
  const reported = new Map([a.run, b.run].map(({ id }) => [id, store.report(id)?.variants ?? []]))
  const sideOf = (side: StoredSide, name: string): ScoredVariant => {
    const constantAnswers = constantAnswersOf(reportsOf(reported, side, name)[0]?.quality)
    return { ...storedVariant(store, side, name, stored.flat, answersOf), ...(constantAnswers && { constantAnswers }) }
  }
  const [baseline, candidate] = withAskedOfEither(sideOf(a, label(a)), asJudged(sideOf(b, label(b)), judged), [
    a.run,
    b.run,
  ])
  if (otherData && options.pairBy !== "id")
    refuseOtherContent(
      { ...baseline, contents: contentsOf(store, a.run) },
      { ...candidate, contents: contentsOf(store, b.run) },
    )
  const difficultyRuns = options.difficultyFrom ?? difficultyOf(b.run)
  const { margin, marginKind = "unit", missing = "worst", smallestGain, alpha, seed } = b.run
  return {
    baseline,
    candidate,
    metrics: stored.metrics,
    primary,
    margin,
    marginKind,
    missing,
    ...(smallestGain === undefined ? {} : { smallestGain }),
    alpha,
    seed,
    breaks: membersOf(b.run.config.breaks) as unknown as readonly HardBreak[],
    ...(difficultyRuns.length > 0 && {
      difficulty: storedDifficulty(store, a.run.id === b.run.id ? [b.run] : [b.run, a.run], difficultyRuns),
    }),
    notes: [
      ...notes,
      ...stored.notes,
      ...[...stored.refused].map(([name, cause]) => `${name} is not compared: ${cause}`),
    ],
    design,
    ...(a.run.id === b.run.id && { run: b.run.id }),
    reports: [...reportsOf(reported, a, label(a)), ...reportsOf(reported, b, label(b))],
    ...(a.run.id === b.run.id &&
      a.variant === a.run.baseline && {
        rivals: rivalsOf(b, judged, (name) => sideOf({ run: b.run, variant: name }, name)),
        constraints: constraintsOf(b.run),
        noise: storedNoise(store, b.run),
      }),
  }
}

/** Of two imported logs, what one lacks of a metric that the other shows to be asked of the sample. Each has its own gaps as rows already. */
function withAskedOfEither(
  baseline: ScoredVariant,
  candidate: ScoredVariant,
  [a, b]: readonly [RunRecord, RunRecord],
): readonly [ScoredVariant, ScoredVariant] {
  if (a.id === b.id || [a, b].some(({ config }) => config.importedFrom === undefined)) return [baseline, candidate]
  const whole = (side: ScoredVariant, other: ScoredVariant) =>
    withAbsentRows(side, { isUniform: false, others: [other.rows] })
  return [whole(baseline, candidate), whole(candidate, baseline)]
}

/** What rows are summarised by. A config is code, and takes its time: it is loaded only where the run does not keep what is needed. */
async function metricsOf(
  records: readonly MetricRecord[],
  side: StoredSide & { readonly store: RunStore },
  { loadMetrics, recreate, isConfigNamed }: StoredOptions,
): Promise<StoredMetrics> {
  const kept = storedMetrics(records, side, { metrics: [], cause: null }, recreate)
  const isWhole = kept.refused.size === 0 && records.every(({ aggregation }) => aggregation !== undefined)
  if (isWhole && !isConfigNamed) return kept
  return storedMetrics(records, side, await loadMetrics(side.run), recreate)
}

/** The other candidates of the run that have answers. */
function rivalsOf(
  { run, variant }: StoredSide,
  judged: Judged,
  scoredOf: (name: string) => ScoredVariant,
): ScoredVariant[] {
  return run.variants
    .filter(({ name }) => judged.isCandidate(name) && name !== variant)
    .map(({ name }) => scoredOf(name))
    .filter(({ answers }) => answers.length > 0)
    .map((rival) => asJudged(rival, judged))
}

/** What the side's run reports of it, under the name that the side has here. */
function reportsOf(
  reported: ReadonlyMap<string, readonly VariantReport[]>,
  { run, variant }: StoredSide,
  name: string,
): VariantReport[] {
  const report = reported.get(run.id)?.find((variantReport) => variantReport.name === variant)
  return report ? [{ ...report, name }] : []
}

/** The earlier runs that the run's own report was adjusted by. */
function difficultyOf({ config }: RunRecord): readonly string[] {
  const { difficultyFrom } = config
  return Array.isArray(difficultyFrom) ? difficultyFrom.filter((entry) => typeof entry === "string") : []
}

function constraintsOf({ config }: RunRecord): readonly string[] {
  const { constraints } = config
  return Array.isArray(constraints) ? constraints.filter((constraint) => typeof constraint === "string") : []
}

function contentsOf(store: RunStore, run: RunRecord): ReadonlyMap<string, SampleContent> {
  return new Map(Array.from(store.samples(run.dataset.fingerprint), (sample) => [sample.id, sampleContent(sample)]))
}

/**
 * The two variants that the names mean.
 *
 * @throws {UsageError} where there is no such run or variant, or several could be meant
 */
export function findSides(
  names: readonly [string, string],
  store: RunStore,
  wantedRun: string | undefined,
): [StoredSide, StoredSide] {
  const sides = names.map((name): { run: RunRecord; variant: string | null } => {
    const split = name.lastIndexOf(":")
    if (split >= 0) return { run: findRun(store, name.slice(0, split)), variant: name.slice(split + 1) }
    const home = wantedRun === undefined && store.runs().length === 0 ? null : findRun(store, wantedRun)
    if (home?.variants.some((variant) => variant.name === name)) return { run: home, variant: name }
    if (home && !store.runs().some(({ id }) => id.startsWith(name)))
      throw new UsageError("there is no such variant, run or file", {
        code: "run_not_found",
        where: name,
        hint: `run ${home.id} has the variants ${home.variants.map((variantRecord) => variantRecord.name).join(", ")}; list runs with: evalkit runs`,
      })
    return { run: findRun(store, name), variant: null }
  })
  const [first, second] = sides as [(typeof sides)[number], (typeof sides)[number]]
  const shared = first.run.variants.filter(({ name }) => second.run.variants.some((other) => other.name === name))
  return [first, second].map(({ run, variant }): StoredSide => {
    const chosen = variant ?? (shared.length === 1 ? (shared[0]?.name as string) : null)
    if (chosen === null || !run.variants.some(({ name }) => name === chosen))
      throw new UsageError(chosen === null ? "name a variant of the run" : `the run has no variant "${chosen}"`, {
        where: `run ${run.id}`,
        hint: `write ${run.id}:NAME with one of: ${run.variants.map(({ name }) => name).join(", ")}`,
      })
    return { run, variant: chosen }
  }) as [StoredSide, StoredSide]
}

/** A variant of the store; rows of `flat` metrics are their values. */
export function storedVariant(
  store: RunStore,
  { run, variant }: StoredSide,
  name: string,
  flat: ReadonlySet<string>,
  answersOf: AnswersReader,
): ScoredVariant {
  const answers = answersOf(run)
  const rows = run.metrics.map(({ name: metric }): [string, readonly MetricRow[]] => {
    const column = columnBuilder(answers.begin("rows"))
    for (const { sampleId, repeat, measured, value } of store.rows(run.id, variant, metric))
      column.add(sampleId, repeat, value, flat.has(metric) && value !== null ? scored<unknown>(value) : measured)
    return [metric, viewOf(column.done())]
  })
  const list = answers.begin("facts")
  const facts = factsBuilder(list, list.expected)
  for (const timed of store.answerFacts(run.id, variant)) facts.add(timed)
  return { name, answers: factsView(facts.done()), rows: new Map(rows), ...longestAnswerOf(statedOf(run, variant)) }
}

/** What the run's config states of a variant. */
function statedOf({ config: { variants } }: RunRecord, name: string): Partial<Variant> {
  const stated = Array.isArray(variants)
    ? variants.find((variant) => isObject(variant) && variant.name === name)
    : undefined
  return (stated ?? {}) as Partial<Variant>
}
