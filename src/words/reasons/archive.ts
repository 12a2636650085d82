import { counted } from "../number.ts"

/** What is wrong with an archive of a run; a field that it is wrong with stands first. */
export const archiveFaults = {
  noJson: "the line is not JSON",
  unknownKind: "the kind of the line is unknown",
  otherVersion: "its format is of another version",
  noRun: "the first line is not a run",
  afterEnd: "lines follow its end",
  noEnd: "its end is missing: it was cut off",
  changedLines: "sha256: the lines were changed after they were written",
  lineCount: (lines: number, written: number) =>
    `lines: ${counted(lines, "line")} came before the end, and ${written} ${written === 1 ? "was" : "were"} written`,
  otherRun: "report.run.id: the report is of another run",
  unknownSample: (kind: string, id: string) => `${kind}.sampleId: the archive has no sample ${JSON.stringify(id)}`,
  repeatTooHigh: (kind: string, repeat: number, repeats: number) =>
    `${kind}.repeat: ${repeat} is not below the run's ${repeats}`,
  unknownVariant: (field: string, name: string) => `${field}: the run has no variant ${JSON.stringify(name)}`,
  repeatedAnswer: "an answer or its position comes twice",
  storedSamples: (stored: number, samples: number) =>
    `the store has ${counted(stored, "sample")} of this data set, and the archive ${samples}`,
  unusedMedia: "sha256: no sample shows these bytes",
  repeatedSample: (id: string) => `sample.id: ${JSON.stringify(id)} comes twice`,
  sampleCount: (samples: number, archived: number) =>
    `the run has ${counted(samples, "sample")}, and the archive ${archived}`,
  mediaCount: (shown: number, archived: number) =>
    `the samples show ${shown} pictures and recordings, and the archive has ${archived}`,
  otherSamples: "the samples are not those of the run's data set: they have another fingerprint",
  otherBytes: "the bytes have another hash",
} as const

/** What a field of an archive must be. */
export const expectedFields = {
  time: "expected an ISO 8601 time",
  runId: "expected letters, digits, - and _, at most 64",
  distinctNames: "expected names that differ",
} as const

/** Why sums of what a server used are unknown in a merged run. */
export const mergeReasons = {
  unrecordedPart: "a part of the run has no record of what its server used",
  sharedAnswers: (part: string) =>
    `${part} has answers that another part gave first: its sums are of more than what is kept`,
} as const

/** Runs that say that they are running, and no process writes. */
export function stuckRuns(runs: number): string {
  return `${runs === 1 ? "1 run says that it is" : `${runs} runs say that they are`} running, and no process writes`
}
