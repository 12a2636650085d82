import type { Turns } from "../../core/interruption.ts"
import type { ReportSection } from "../../core/report/report-sections.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { timeErrorOf } from "../../estimate/client-error.ts"
import { interruptible } from "../../platform/interruptible.ts"
import { simulatedUserCost, summaryCost } from "../../run/episode/non-variant-cost.ts"
import { startedPartOf } from "../../run/planned/started-part.ts"
import { batchesSection } from "../../wording/sections/batches.ts"
import { contextWindowSection } from "../../wording/sections/context-window.ts"
import { episodeSections } from "../../wording/sections/episodes.ts"
import { serverMetricsSections } from "../../wording/sections/server-metrics.ts"
import { serverViewSection } from "../../wording/sections/server-view.ts"
import { answerLengthsSection } from "../../wording/sections/serving/answer-lengths.ts"
import { coldStartSection } from "../../wording/sections/serving/cold-start.ts"
import { gpusSection } from "../../wording/sections/serving/gpus.ts"
import { promptCacheSection } from "../../wording/sections/serving/prompt-cache.ts"
import type { ServedVariant } from "../../wording/sections/serving/served-variant.ts"
import { throughputSection } from "../../wording/sections/serving/throughput.ts"
import { tokensSection } from "../../wording/sections/tokens.ts"
import type { SimulatedConversations } from "../../wording/sections/users.ts"
import { runDesign } from "../interim/run-design.ts"
import { calibrationSection } from "../sections/calibration.ts"
import { divergenceSection } from "../sections/divergence.ts"
import { episodeSuccessSections } from "../sections/episode-success.ts"
import { judgeCardSection } from "../sections/judge-card.ts"
import { levelFamilies } from "../sections/levels/families.ts"
import { levelsSection } from "../sections/levels/section.ts"
import { noiseSection } from "../sections/noise/section.ts"
import { mayHaveLogprobs } from "../sections/pair-summary.ts"
import { type QuantizationFamily, quantizationFamilies } from "../sections/quantization/families.ts"
import { quantizationSection } from "../sections/quantization/section.ts"
import { retrySection } from "../sections/retry.ts"
import { robustnessSection } from "../sections/robustness.ts"
import { sliceSections } from "../sections/slices/slice-sections.ts"
import { usersSection } from "../sections/users.ts"
import type { SummarisedVariant } from "./summarise.ts"

/** What the trust sections are derived from. */
export interface ReportSectionsOptions {
  readonly record: RunRecord
  readonly store: RunStore
  readonly evaluation: Evaluation
  readonly variants: readonly SummarisedVariant[]
  /** Called between two steps: gives way, or ends the work. */
  readonly turn: Turns
  /** What `turn` listens to. */
  readonly signal?: AbortSignal
}

/** The parts of a report beyond quality, speed and cost: those that every run can show, then what its metrics add. */
export async function reportSections(options: ReportSectionsOptions): Promise<readonly ReportSection[]> {
  const { evaluation, signal } = options
  const { seed, metrics, alpha } = evaluation
  const variants = options.variants.map(({ scored }) => scored)
  const primary = metrics.find(({ name }) => name === evaluation.primary[0])
  const isRate = primary?.range[0] === 0 && primary.range[1] === 1
  const families = quantizationFamilies(options.variants)
  const sections = [
    await interruptible(() => retrySection({ ...options, variants }), signal),
    ...(await quantizationSections(options, families)),
    ...(await levelsSections(options)),
    await interruptible(
      () => calibrationSection(variants, { quality: primary && isRate ? primary.name : null, seed, alpha }),
      signal,
    ),
    ...(await divergences(options, families, primary && isRate ? primary.name : null)),
    primary ? await interruptible(() => robustnessSection(variants, { metric: primary, seed, alpha }), signal) : null,
    ...(await judgeCards(options)),
    ...episodeSections(options.variants, primary && isRate ? primary.name : null, {
      users: simulatedUserCost(options.store, options.record.id),
      summaries: summaryCost(options.store, options.record.id),
    }),
    ...episodeSuccessSections(options.variants, primary && isRate ? primary.name : null, alpha),
    primary ? usersSection(talkedWith(options), primary, alpha) : null,
    batchesSection({
      store: options.store,
      runId: options.record.id,
      reports: options.variants.map(({ report }) => report),
    }),
    contextWindowSection(options.variants.map(({ report }) => report)),
    serverViewSection(options.variants.map(({ report }) => report)),
    ...serverMetricsSections(
      options.variants.map(({ report }) => report),
      (name) => options.store.variantState(options.record.id, name)?.server ?? null,
    ),
    tokensSection(options.variants.map(({ report }) => report)),
    await interruptible(() => selfSection(options), signal),
    ...servingSections(options),
    ...(await metricSections(options)),
    // Last, since whether something broke depends on alpha: the place of every other section does not.
    ...(await sliceSections(options)),
  ]
  return withoutCopies(sections.filter((section) => section !== null && section !== undefined))
}

/** How the variants were served: throughput, prompt cache, start, lengths of answers. */
function servingSections({ variants, store, record, evaluation }: ReportSectionsOptions): (ReportSection | null)[] {
  const served = variants.map(
    ({ report, scored, serving }): ServedVariant => ({
      report,
      scored,
      serving,
      resources: store.variantState(record.id, report.name)?.resources ?? null,
    }),
  )
  return [
    throughputSection(served),
    promptCacheSection(served),
    coldStartSection(served),
    gpusSection(served),
    answerLengthsSection(served, evaluation.alpha),
  ]
}

/** The noise of a run of the baseline against itself; null for any other. */
function selfSection({ store, record, evaluation, variants }: ReportSectionsOptions): ReportSection | null {
  if (!startedPartOf(store, record.id).aa) return null
  const [first, second] = variants
  if (!first || !second) return null
  const [baseline, copy] = first.report.baseline ? [first, second] : [second, first]
  const timeErrorMs = timeErrorOf(variants.map(({ report }) => report))
  return noiseSection({ baseline: baseline.scored, copy: copy.scored, evaluation, timeErrorMs })
}

/** The variants with their rows of the first metric. */
function talkedWith({ evaluation, variants }: ReportSectionsOptions): readonly SimulatedConversations[] {
  return evaluation.variants.flatMap((variant) => {
    const entry = variants.find(({ scored }) => scored.name === variant.name)
    const rows = entry?.scored.rows.get(evaluation.primary[0] ?? "") ?? []
    return entry ? [{ variant, isBaseline: entry.report.baseline, rows }] : []
  })
}

/** What each level of a sweep changes, a section a family. The store is read before the step that may be broken off. */
async function levelsSections({
  variants,
  evaluation,
  store,
  record,
  signal,
}: ReportSectionsOptions): Promise<readonly ReportSection[]> {
  const families = levelFamilies(variants, evaluation)
  if (families.length === 0) return []
  const design = runDesign(store, record)
  return interruptible(() => families.map((family) => levelsSection(family, evaluation, design)), signal)
}

/** Metrics that differ only in their figure (macro F1 and accuracy of the same labels) add the same section: it is shown once. */
function withoutCopies(sections: readonly ReportSection[]): readonly ReportSection[] {
  const seen = new Set<string>()
  return sections.filter((section) => {
    const key = JSON.stringify([section.kind, section.title, section.data])
    return !seen.has(key) && seen.add(key)
  })
}

/** What the metrics themselves add. */
async function metricSections({
  evaluation,
  variants,
  signal,
}: ReportSectionsOptions): Promise<(ReportSection | null | undefined)[]> {
  const { metrics, alpha } = evaluation
  const sections: (ReportSection | null | undefined)[] = []
  for (const metric of metrics) {
    const rows = variants.map(({ report, scored }) => ({
      variant: scored.name,
      baseline: report.baseline,
      rows: scored.rows.get(metric.name) ?? [],
    }))
    if (metric.section) sections.push(await interruptible(() => metric.section?.(rows, { alpha }), signal))
  }
  return sections
}

/** How reliable the judges behind each metric are; null for metrics without a judge. */
async function judgeCards({
  record,
  store,
  evaluation,
  variants,
  signal,
}: ReportSectionsOptions): Promise<(ReportSection | null)[]> {
  const labels = store.labels(record.id)
  const { seed, alpha } = evaluation
  const cards: (ReportSection | null)[] = []
  for (const { name: metric, note, range } of evaluation.metrics) {
    const judged = variants.map(({ report, scored }) => ({
      name: report.name,
      model: report.model,
      rows: scored.rows.get(metric) ?? [],
    }))
    cards.push(
      await interruptible(() => judgeCardSection(judged, { metric, note, range, labels, seed, alpha }), signal),
    )
  }
  return cards
}

/** What each quantization of a model changes, a section a model. */
async function quantizationSections(
  { record, store, evaluation, turn }: ReportSectionsOptions,
  families: readonly QuantizationFamily[],
): Promise<ReportSection[]> {
  const sections: ReportSection[] = []
  const source = { store, runId: record.id, dataset: record.dataset.fingerprint, evaluation, turn }
  for (const family of families) sections.push(await quantizationSection({ ...source, family }))
  return sections
}

/** How answers differ from the baseline's, a section a pair metric; a section of quantizations shows the first divergence of its variants. */
async function divergences(
  { record, store, evaluation, variants, turn }: ReportSectionsOptions,
  families: readonly QuantizationFamily[],
  quality: string | null,
): Promise<(ReportSection | null)[]> {
  const baseline = variants.find(({ report }) => report.baseline)
  if (!baseline) return []
  const shown = families.find(({ reference }) => reference === baseline)?.others ?? []
  const others = variants.filter((variant) => variant !== baseline)
  const first = evaluation.pairMetrics.find(({ isTokenDivergence }) => isTokenDivergence)
  const sections: (ReportSection | null)[] = []
  for (const metric of evaluation.pairMetrics) {
    if (metric.needs?.logprobs && !mayHaveLogprobs(baseline.scored)) continue
    const compared =
      metric === first ? others.filter((summarisedVariant) => !shown.includes(summarisedVariant)) : others
    sections.push(
      await divergenceSection({
        store,
        runId: record.id,
        dataset: record.dataset.fingerprint,
        metric,
        baseline: baseline.scored,
        candidates: compared.map(({ scored }) => scored),
        quality,
        alpha: evaluation.alpha,
        seed: evaluation.seed,
        turn,
      }),
    )
  }
  return sections
}
