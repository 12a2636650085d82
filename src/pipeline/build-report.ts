import { compareCandidates } from "../analyse/compare/compare-candidates.ts"
import type { ItemDifficulty } from "../analyse/compare/difficulty/item-difficulty.ts"
import { storedDifficulty } from "../analyse/compare/difficulty/stored-difficulty.ts"
import { decide } from "../analyse/decide/decide.ts"
import { evaluateGate } from "../analyse/decide/gate.ts"
import { limitFindings } from "../analyse/decide/limit-findings.ts"
import { frontierOfVariants } from "../analyse/frontier/frontier-of-variants.ts"
import { runRouters } from "../analyse/frontier/run-routers.ts"
import type { RunDesign } from "../analyse/interim/reading.ts"
import { asJudged, heldBy, type Judged, judgedOf, retryPartOf } from "../analyse/interim/retry-part.ts"
import { runDesign } from "../analyse/interim/run-design.ts"
import { stoppingRecord, stoppingSection } from "../analyse/interim/stopped-early.ts"
import { storedNoise } from "../analyse/sections/noise/stored-noise.ts"
import { measureAll, type SummaryHelp } from "../analyse/summary/measure-all.ts"
import { reportSections } from "../analyse/summary/report-sections.ts"
import { decidingDifferences, decidingFacts } from "../analyse/summary/run-difference.ts"
import { sampleSplits } from "../analyse/summary/sample-splits.ts"
import { type SummarisedVariant, summariseVariant } from "../analyse/summary/summarise.ts"
import { variantTask } from "../analyse/summary/variant-task.ts"
import type { Turns } from "../core/interruption.ts"
import type { JsonValue } from "../core/json.ts"
import { membersOf } from "../core/json-members.ts"
import type { AnyMetric } from "../core/metric/metric.ts"
import type { Comparison } from "../core/report/comparison.ts"
import type { Figure, KnownFigure } from "../core/report/figure.ts"
import type { Frontier } from "../core/report/frontier.ts"
import type { FrozenPlan, PlanFinding } from "../core/report/frozen-plan.ts"
import type { RunReport } from "../core/report/report.ts"
import type { Evaluation } from "../core/run/evaluation.ts"
import type { RunRecord } from "../core/run/run-record.ts"
import type { RunStore } from "../core/run/run-store.ts"
import type { Variant } from "../core/variant.ts"
import { clientErrorCheck, storedClientError, timeErrorOf, withClientError } from "../estimate/client-error.ts"
import { parseConstraints } from "../estimate/constraints.ts"
import { reportFigure } from "../estimate/report-figure.ts"
import { collectGarbage } from "../platform/collect-garbage.ts"
import { interruptible } from "../platform/interruptible.ts"
import { sharedAnswers } from "../rows/columns/shared-answers.ts"
import { askedAlike } from "../run/asked-alike.ts"
import { endedBecause } from "../run/ended-because.ts"
import { startedPartOf } from "../run/planned/started-part.ts"
import { statedFacts } from "../run/run-record.ts"
import { constantAnswers } from "../score/constant-answer.ts"
import { modelsWereThere } from "../score/missing-models.ts"
import type { CountTokens } from "../text/o200k.ts"
import { runChecks } from "../wording/run-checks.ts"
import { workersMeasured } from "./distribute/workers-on-record.ts"
import { judgesAskedAsMeant } from "./judge-differences.ts"
import { sameModelChecks } from "./same-model-check.ts"

/** What a report is derived from. */
export interface BuildReportOptions {
  readonly record: RunRecord
  readonly store: RunStore
  readonly evaluation: Evaluation
  /** Milliseconds that the run took, all its processes together. */
  readonly durationMs: number
  /** Spent on judges, per variant judged. */
  readonly judgeUsd: (variant: string) => Figure
  /** Counts o200k tokens of a text. */
  readonly countTokens: CountTokens
  readonly help?: SummaryHelp
  /** Called between two steps: gives way, or ends the work. */
  readonly turn: Turns
  /** What `turn` listens to. */
  readonly signal?: AbortSignal
}

/** Derives everything that a report shows from the stored answers and rows; nothing is measured or asked again. */
export async function buildReport(options: BuildReportOptions): Promise<RunReport> {
  const { record, store, evaluation, turn, signal } = options
  const answers = sharedAnswers(sampleSplits(store, record))
  const stopping = stoppingRecord(store, record.id)
  const design = runDesign(store, record)
  const judged = judgedOf(store, record)
  const retried = retryPartOf(store, record)
  const clientError = storedClientError(store, record.id)
  const plannedOf = (name: string) =>
    retried && judged.isPartial(name) ? retried.samples.length : record.dataset.samples
  const tasks = evaluation.variants.map((variant) =>
    variantTask(variant, {
      runId: record.id,
      evaluation,
      planned: (stopping?.asked.get(variant.name) ?? plannedOf(variant.name)) * record.repeats,
      judgeUsd: options.judgeUsd(variant.name),
      startedAt: record.startedAt,
      state: store.variantState(record.id, variant.name),
    }),
  )
  const constants = await constantAnswers(
    evaluation.metrics.filter(({ name }) => evaluation.primary.includes(name)),
    () => store.samples(record.dataset.fingerprint),
    turn,
  )
  const variants = await measureAll(tasks, {
    store,
    answers,
    countTokens: options.countTokens,
    turn,
    help: options.help ?? {},
    async finish(task, measures): Promise<SummarisedVariant> {
      const variant = evaluation.variants.find(({ name }) => name === task.variant) as Variant
      const summarised = await summariseVariant({
        variant,
        task,
        measures,
        evaluation,
        constants,
        ...(signal && { signal }),
        fingerprint: record.variants.find(({ name }) => name === variant.name)?.fingerprint,
      })
      const measured = withClientError(summarised.report, clientError)
      const limits = limitFindings(measured, evaluation.constraints, evaluation.primary[0], evaluation.metrics)
      collectGarbage()
      return { ...summarised, report: limits.length === 0 ? measured : { ...measured, limits } }
    },
  })
  const { primary, metrics } = evaluation
  const baseline = variants.find(({ report }) => report.baseline)
  const difficulty = storedDifficulty(store, [record], evaluation.difficultyFrom ?? [])
  const all = baseline
    ? await interruptible(() => comparedWith(baseline, variants, evaluation, { design, difficulty, judged }), signal)
    : []
  const compared = startedPartOf(store, record.id).aa ? all.map(withoutIdentityWarning) : all
  collectGarbage()
  await turn()
  const reports = variants.map(({ report }) => report)
  const whole = variants.filter(({ report }) => !judged.isPartial(report.name))
  const quality = metrics.find(({ name }) => name === primary[0])
  const meanCosts = new Map(reports.map(({ name, cost }) => [name, knownFigure(cost.perQueryUsd)]))
  const routersOf = (metric: AnyMetric, { scored: { name } }: SummarisedVariant) =>
    runRouters({
      ...evaluation,
      variants: whole.map(({ scored }) => scored),
      baseline: name,
      quality: metric,
      meanCosts,
    })
  const clientCheck = clientErrorCheck(clientError, {
    variants: reports,
    gate: evaluation.gate,
    constraints: evaluation.constraints.flatMap(parseConstraints),
  })
  const [first] = primary
  const frontier = first === undefined ? null : await interruptible(() => runFrontier(whole, evaluation, first), signal)
  collectGarbage()
  await turn()
  const { decision, comparisons } = baseline
    ? decide({
        ...evaluation,
        baseline: baseline.report.name,
        comparisons: compared,
        variants: reports,
        noise: storedNoise(store, record),
      })
    : { decision: null, comparisons: [] }
  const routers = quality && baseline ? await interruptible(() => routersOf(quality, baseline), signal) : []
  await turn()
  const because = record.status === "finished" ? null : endedBecause(store, record.id)
  const sections = await reportSections({ record, store, evaluation, variants, turn, ...(signal && { signal }) })
  return {
    schema: "evalkit.report/1",
    run: {
      id: record.id,
      name: record.name,
      startedAt: record.startedAt,
      finishedAt: record.finishedAt,
      durationMs: options.durationMs,
      status: record.status,
      ...(because !== null && { endedBecause: because }),
      seed: record.seed,
      repeats: record.repeats,
      versions: record.versions,
      config: record.config,
      ...(record.alpha === 0.05 ? {} : { alpha: record.alpha }),
    },
    dataset: record.dataset,
    metrics: record.metrics,
    variants: reports,
    comparisons,
    frontier,
    routers,
    decision,
    ...(evaluation.frozenPlan && { plan: planFinding(evaluation.frozenPlan, record, evaluation, store) }),
    gate: evaluateGate(evaluation.gate, { variants: heldBy(reports, judged), comparisons, metrics: record.metrics }),
    checks: [
      ...askedAlike(evaluation.variants, reports, comparisons),
      ...judgesAskedAsMeant(store, record.id),
      ...modelsWereThere(store, record.id),
      ...workersMeasured(store, record.id),
      ...runChecks(reports, comparisons),
      ...(await sameModelChecks(record, store, evaluation)),
      ...(clientCheck ? [clientCheck] : []),
    ],
    sections: [...(stopping ? [stoppingSection(stopping, record.dataset.samples)] : []), ...sections],
  }
}

/** What was changed after the plan was frozen: by what this report is decided, and when its first answers can have been seen. */
function planFinding(
  { frozenAt, sha256, decides }: FrozenPlan,
  record: RunRecord,
  evaluation: Evaluation,
  store: RunStore,
): PlanFinding {
  let first = record
  for (
    let before: RunRecord | null = record;
    before;
    before = store.run(before.extension?.of ?? before.retry?.of ?? "")
  )
    first = before
  const stated = statedFacts(evaluation)
  // What was asked stands in the record; what is decided by, and what it costs, in the config.
  const prices = new Map(evaluation.variants.map(({ name, price }): [unknown, unknown] => [name, price]))
  const variants = membersOf(record.config.variants).map((member) => ({ ...member, price: prices.get(member.name) }))
  const config = { ...stated.config, variants: variants as unknown as JsonValue }
  const facts = decidingFacts({ ...record, ...stated, config })
  const { retry } = record
  return {
    frozenAt,
    sha256,
    startedAt: first.startedAt,
    differences: decidingDifferences(decides, facts),
    ...(retry && {
      retry: {
        triesBefore: retry.triesBefore,
        firstAlpha: retry.firstAlpha,
        variants: retry.prompts.map(({ variant }) => variant),
      },
    }),
  }
}

interface HowCompared {
  readonly design: RunDesign | null
  readonly difficulty: ReadonlyMap<string, ItemDifficulty>
  readonly judged: Judged
}

/** Every other variant that has answers, compared with the baseline. */
function comparedWith(
  baseline: SummarisedVariant,
  variants: readonly SummarisedVariant[],
  evaluation: Evaluation,
  { design, difficulty, judged }: HowCompared,
): Comparison[] {
  const candidates = variants.filter(
    (variant) => judged.isCandidate(variant.report.name) && variant.scored.answers.length > 0,
  )
  return compareCandidates({
    ...evaluation,
    timeErrorMs: timeErrorOf(variants.map(({ report }) => report)),
    design,
    difficulty,
    baseline: baseline.scored,
    candidates: candidates.map(({ scored }) => asJudged(scored, judged)),
  }).map((comparison, i) => withDistinctModels(baseline, candidates[i] as SummarisedVariant, comparison))
}

function runFrontier(variants: readonly SummarisedVariant[], evaluation: Evaluation, quality: string): Frontier {
  const reports = new Map(variants.map(({ report }) => [report.name, report]))
  return frontierOfVariants({
    variants: variants.map(({ scored }) => scored),
    metrics: evaluation.metrics,
    quality,
    axes: evaluation.axes,
    constraints: evaluation.constraints,
    seed: evaluation.seed,
    alpha: evaluation.alpha,
    missing: evaluation.missing,
    figure: (variant, name) => {
      const report = reports.get(variant)
      return report ? knownFigure(reportFigure(report, name)) : null
    },
  })
}

/** A figure with its interval; null where it is unknown. */
function knownFigure(figure: Figure): KnownFigure | null {
  return figure.status === "known" ? figure : null
}

/** Two models that are known by their content are not one endpoint, however similar their answers are. */
function withDistinctModels(a: SummarisedVariant, b: SummarisedVariant, comparison: Comparison): Comparison {
  if (!a.identifiesContent || !b.identifiesContent || a.report.fingerprint === b.report.fingerprint) return comparison
  return withoutIdentityWarning(comparison)
}

/** Also where both sides are meant to be one endpoint. */
function withoutIdentityWarning(comparison: Comparison): Comparison {
  return { ...comparison, identity: { ...comparison.identity, warning: null } }
}
