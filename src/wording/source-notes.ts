/** Which data two runs asked, where it is not the same. */
export function whichData(a: string, b: string): string {
  return a === b
    ? `the runs used different versions or parts of the same data set (${a})`
    : `the runs used different data sets (${a}, ${b})`
}

/** What a side of a comparison has. */
interface ReadSide {
  readonly name: string
  readonly ids: readonly string[]
  readonly samples: number
  readonly questions: number
}

function sideWords({ name, ids, samples, questions }: ReadSide): string {
  const shown = ids.map((id) => JSON.stringify(id.slice(0, 40))).join(", ")
  return `${name} has ${samples} samples (${shown}${samples > ids.length ? " …" : ""}), ${questions} with a question`
}

/** How files and runs were read for a comparison. */
export const sourceNotes = {
  unitRange: (field: string) => `${field}: taken to lie between 0 and 1, as all its values do`,
  textValues: (field: string, values: number, first: string, where: string) =>
    `${field}: ${values === 1 ? "1 value is" : `${values} values are`} no number and without a score (first: ${JSON.stringify(first.slice(0, 40))}, ${where}); write numbers with a point, and shares as 0.85`,
  meanOfValues: (field: string, metric: string) =>
    `${field}: the mean of the answers' own values is compared; for the figure of all answers together compare the outputs with --metric ${metric}`,
  skipped: (file: string, records: number) => `${file}: ${records} records could not be read`,
  readAs: (file: string, tool: string) => `${file}: read as a file of ${tool}`,
  byQuestions: "paired by their questions, since they have no id in common",
  byIds: "paired by their ids",
  inCommon: (how: string, both: number, onlyA: number, a: string, onlyB: number, b: string) =>
    `samples are ${how}: ${both} in both, ${onlyA} in ${a} only, ${onlyB} in ${b} only${onlyA + onlyB > 0 ? ", which the other was not asked: left out" : ""}`,
  nothingInCommon: (a: ReadSide, b: ReadSide) =>
    `no sample is in both, by id or by question: ${sideWords(a)}; ${sideWords(b)}; other prompts around the same questions are paired by --pair-by id where ids agree`,
  sameFile: (file: string) => `${file} is compared with itself: the same file on both sides`,
  noScores: (field: string, reason: string, name?: string) =>
    `${field}: no answer${name === undefined ? "" : ` of ${name}`} has a score: ${reason}`,
  noMean: (cause: string) => `its figure is no mean of single answers, and ${cause}`,
  storedMean: (metric: string, cause: string) => `${metric}: mean of its stored values, since ${cause}`,
  otherSignature: (now: string, before: string) =>
    `the config computes it differently now: ${now} instead of ${before}`,
  noSuchMetric: "the config has no metric of that name any more",
  incomplete: (runs: string, readTwice: string) => `run ${runs} is not complete. ${readTwice}`,
  otherData: (which: string) => `${which}; samples with the same id are paired`,
  computedDifferently: (metric: string, before: string, now: string) =>
    `${metric} was computed differently: ${before} and ${now}`,
} as const
