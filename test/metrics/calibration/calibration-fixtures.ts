import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Generation } from "../../../src/core/generation.ts"
import type { Metric, Summary } from "../../../src/core/metric/metric.ts"
import { answerOf, golden, noTools, sampleOf } from "../lexical-fixtures.ts"

/** Confidences and whether they were right. */
export interface Confidences {
  readonly confidence: readonly number[]
  readonly correct: readonly number[]
}

/** Figures of the reference implementations, by their names. */
export type ReferenceFigures = Readonly<Record<string, unknown>>

export const confidenceSets = golden<Confidences, ReferenceFigures>("calibration_topconf")

/** An answer that states its confidence and whether it is right. */
export function statedAnswer(confidence: number, correct: number): Generation {
  return { ...answerOf("x"), given: { confidence, correct } }
}

/** The figure of a metric over stated confidences, through both of its phases. */
export async function figureOf<Row>(metric: Metric<Row>, { confidence, correct }: Confidences): Promise<Summary> {
  const rows = await Promise.all(
    confidence.map(async (value, i) => {
      const measured = await metric.measure(sampleOf([]), statedAnswer(value, correct[i]!), noTools)
      if (measured.status !== "scored") throw new Error(measured.reason)
      return { row: measured.row, sampleId: String(i), repeat: 0 }
    }),
  )
  return metric.summarise(rows)
}

/** A member of a reference figure that may be nested: `at(expected, "guo10", "ece")`. */
export function at(expected: ReferenceFigures, ...path: readonly string[]): number {
  const value = path.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], expected)
  if (typeof value !== "number") throw new Error(`no number at ${path.join(".")}`)
  return value
}

/** Folder with the public data that is not part of the project; null when it is not given. */
export const referenceData = process.env.EVALKIT_REFERENCE_DATA ?? null
if (!referenceData) console.warn("EVALKIT_REFERENCE_DATA is not set: the tests on public predictions are left out")

/** Top-label predictions of an image classifier, as `netcal` publishes them. */
export function imagePredictions(name: string): Confidences | null {
  const path = join(referenceData ?? "", "calibration", `${name}.jsonl`)
  if (!referenceData || !existsSync(path)) return null
  const rows = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { label: number; pred: number; conf: number })
  return {
    confidence: rows.map((row) => row.conf),
    correct: rows.map((row) => Number(row.label === row.pred)),
  }
}
