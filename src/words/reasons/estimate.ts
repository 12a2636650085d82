import { listed } from "../names.ts"
import { count } from "../number.ts"

/** Why a figure of rows is unknown, or has no interval. */
export const estimateReasons = {
  nothingScored: (reason: string | null) => `nothing was scored${reason ? `: ${reason}` : ""}`,
  undefinedFigure: "the figure is undefined for these answers",
  singleSample: "one sample gives no interval",
  singleUnit: (method: string) => `${method}: one unit gives no interval`,
  fewResamples: "most resamples have no figure: too few samples",
  noFigure: (name: string) => `the report has no figure named "${name}"`,
  noStage: (stage: string) => `no answer of this variant had a stage "${stage}"`,
  noStageFigure: (figure: string) => `a stage has no figure "${figure}"`,
} as const

/** How a figure of rows was made, and warnings of it. */
export const estimateMethods = {
  failedLeftOut: (failed: number, answers: number) => `${failed} of ${answers} failed and are not in it`,
  droppedResamples: (dropped: number, resamples: number) => `${dropped} of ${resamples} resamples have no figure`,
  corpusDifference: (draws: number, randomisations: number, over: string) =>
    `BCa bootstrap of ${draws} draws and approximate randomisation of ${randomisations} over ${over}`,
  rowDifference: (over: string, resamples: number) => `percentile bootstrap over ${over}, ${resamples} resamples`,
  largest: "the largest that was seen",
} as const

/** Why the bounds of a paired difference are wide. */
export const boundWarnings = {
  few_clusters: "fewer than 20 effective clusters",
  one_large_cluster: "one cluster holds more than a quarter of the pairs",
} as const

/** What warnings of the bounds say to a reader: one text of all of them, for what follows from them is the same. */
export function boundWarningTexts(warnings: readonly (keyof typeof boundWarnings)[]): readonly string[] {
  if (warnings.length === 0) return []
  return [
    `${warnings.map((warning) => boundWarnings[warning]).join(", and ")}, so that the bounds, which hold, are wide`,
  ]
}

/** Answers of two variants are the same more often than two models would make them. */
export function identityWarning(identical: number, compared: number, names: readonly [string, string]): string {
  return `${count(identical)} of ${count(compared)} answers are identical: ${listed(names)} may be one endpoint`
}
