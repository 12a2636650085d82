import { counted } from "../number.ts"

/** Why an answer has no score. */
export const scoreReasons = {
  notFinite: "its row holds a number that is not finite",
  noNumber: (value: string) => `its value is no number: ${value}`,
  noMeasurement: "it gives neither scored(row) nor unscored(reason)",
  outOfRange: (value: number, low: number, high: number) => `its value ${value} is outside its range ${low} to ${high}`,
  storedColumn: "a column is read, not measured",
  noValue: "no row has a value",
} as const

/** Of a side without an answer. */
export function allFailed(answers: number): string {
  return `all ${counted(answers, "answer")} failed`
}

/** Messages while answers are scored. */
export const scoreNotes = {
  changedMetric: (metric: string) =>
    `${metric} is computed otherwise than before (or its judge has changed): it is scored anew`,
  endedThread: (error: string) => `a thread that scores ended: ${error}; the rest is scored without threads`,
} as const

/** Name of the check that holds where no model of a metric was missing. */
export const modelsCheckName = "models that metrics need are there"

/** What to do where a data set calls its references something else. */
export const nameReferences = 'name its column with dataset(…, { fields: { references: "COLUMN" } })'
