import type { Turns } from "../../../core/interruption.ts"
import type { ScoredVariant } from "../../../core/metric/scored-variant.ts"
import type { ReportSection } from "../../../core/report/report-sections.ts"
import type { Evaluation } from "../../../core/run/evaluation.ts"
import type { RunRecord } from "../../../core/run/run-record.ts"
import type { RunStore } from "../../../core/run/run-store.ts"
import { collectGarbage } from "../../../platform/collect-garbage.ts"
import { interruptible } from "../../../platform/interruptible.ts"
import { hasGivenText } from "../../../rows/columns/fact-columns.ts"
import { earlierScores } from "../../compare/difficulty/earlier-scores.ts"
import type { SummarisedVariant } from "../../summary/summarise.ts"
import { type NumberedCause, numberedCauses, readCauses } from "../causes/read-causes.ts"
import { createInputs } from "../causes/rules.ts"
import { brokeSection } from "../causes/section.ts"
import { surprisalSection } from "../surprisal.ts"
import { answerLengthAxis, difficultyAxis } from "./other-axes.ts"
import { readAxes } from "./read-axes.ts"
import type { SamplePositions } from "./sample-positions.ts"
import { slicesSection } from "./section.ts"

/** What the sections are read from. */
export interface SliceSectionsOptions {
  readonly record: RunRecord
  readonly store: Pick<RunStore, "runs" | "samples" | "rows" | "generations" | "generationsTo" | "eventsOfKinds">
  readonly evaluation: Evaluation
  readonly variants: readonly SummarisedVariant[]
  readonly turn: Turns
  readonly signal?: AbortSignal
}

/** The samples of a run, cut in every way that is wanted, and their inputs, where they are wanted. */
async function readSamples(
  { record, store, evaluation, turn }: Omit<SliceSectionsOptions, "variants">,
  baseline: ScoredVariant,
  wantsInputs: boolean,
) {
  const { slices: names = null, metrics, primary, difficultyFrom = [] } = evaluation
  const { samples, fingerprint } = record.dataset
  const quality = metrics.find(({ name }) => name === primary[0])
  const inputs = createInputs(samples)
  const earlier =
    quality && names?.includes("difficulty")
      ? earlierScores(store, record, quality, difficultyFrom)
      : "no metric decides"
  const read = await readAxes(store.samples(fingerprint), {
    samples,
    names,
    turn,
    others: new Map([
      ["answerLength", (positions) => answerLengthAxis(baseline, positions)],
      ["difficulty", (positions) => difficultyAxis(earlier, quality ?? { name: "", direction: "higher" }, positions)],
    ]),
    ...(wantsInputs && { see: inputs.add }),
  })
  return { read, inputs }
}

/** The causes of a candidate's losses, as the report of its run numbers them, and the positions of the samples. */
export async function causesOf(
  options: Omit<SliceSectionsOptions, "variants">,
  [baseline, candidate]: readonly [ScoredVariant, ScoredVariant],
): Promise<{ readonly causes: readonly NumberedCause[]; readonly positions: SamplePositions }> {
  const { record, store, evaluation, turn } = options
  const { read, inputs } = await readSamples(options, baseline, true)
  const causes = await readCauses({
    store,
    runId: record.id,
    baseline,
    candidates: [candidate],
    evaluation,
    read,
    inputs,
    turn,
  })
  return { causes: numberedCauses(causes.get(candidate.name) ?? []), positions: read.positions }
}

/** Slices of the samples, what broke, and how surprising the parts of given texts are: all read the samples, once. */
export async function sliceSections(options: SliceSectionsOptions): Promise<readonly (ReportSection | null)[]> {
  const { record, store, evaluation, variants, turn, signal } = options
  const { slices: names = null } = evaluation
  const baseline = variants.find(({ report }) => report.baseline) ?? variants[0]
  const isSliced = names?.length !== 0
  if (!baseline || (!isSliced && !hasGivenText(baseline.scored.answers))) return []
  const candidates = variants.filter((variant) => variant !== baseline && variant.scored.answers.length > 0)
  const { read, inputs } = await readSamples(options, baseline.scored, isSliced && candidates.length > 0)
  const surprisal = await surprisalSection({
    store,
    runId: record.id,
    variants: [baseline, ...candidates].map(({ scored }) => scored),
    read,
    alpha: evaluation.alpha,
    turn,
  })
  if (!isSliced) return [surprisal]
  collectGarbage()
  const scored = { baseline: baseline.scored, candidates: candidates.map(({ scored }) => scored), read, evaluation }
  const causes = await readCauses({ ...scored, store, runId: record.id, inputs, turn })
  const [section, regressions] = await interruptible(
    () => [
      slicesSection({ ...scored, isAskedFor: names !== null }),
      brokeSection({ baseline, candidates, evaluation, positions: read.positions, causes }),
    ],
    signal,
  )
  return [section ?? null, surprisal, regressions ?? null]
}
