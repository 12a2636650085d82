import { readFileSync } from "node:fs"
import type { Generation } from "../../src/core/generation.ts"
import type { Measured, Metric, RowEntry, Summary } from "../../src/core/metric/metric.ts"
import type { MetricTools } from "../../src/core/metric/metric-tools.ts"
import type { Sample } from "../../src/core/sample.ts"
import { foreignGeneration } from "../../src/text/reading/foreign-generation.ts"
import { goldenFile } from "../support/golden-file.ts"

/** One record of a golden file. */
export interface GoldenRow<Inputs, Expected> {
  readonly id: string
  readonly inputs: Inputs
  readonly expected: Expected
}

/** Records of `a file of test/golden`. */
export function golden<Inputs, Expected>(file: string): GoldenRow<Inputs, Expected>[] {
  return readFileSync(goldenFile(file), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as GoldenRow<Inputs, Expected>)
}

/** A hypothesis with its references, as most golden files state their inputs. */
export interface Pair {
  readonly hyp: string
  readonly refs: readonly string[]
}

/** A sample with nothing but references. */
export function sampleOf(references: readonly string[], extra: Partial<Sample> = {}): Sample {
  return { id: "s", input: null, references, context: [], choices: [], expectedTools: [], metadata: {}, ...extra }
}

/** A foreign answer. */
export function answerOf(text: string): Generation {
  return foreignGeneration({ sampleId: "s", text })
}

/** Tools for metrics that reach for nothing. */
export const noTools: MetricTools = {
  signal: new AbortController().signal,
  seed: 1,
  cache: { get: async () => undefined, set: async () => {} },
  models: {
    call: async () => {
      throw new Error("no model in this test")
    },
  },
  valueOf: () => undefined,
  candidateModels: [],
}

/** Measures one answer. */
export async function measure<Row>(
  metric: Metric<Row>,
  output: string,
  references: readonly string[],
  extra: Partial<Sample> = {},
): Promise<Measured<Row>> {
  return metric.measure(sampleOf(references, extra), answerOf(output), noTools)
}

/** The row of one answer; throws when it is unscored. */
export async function rowOf<Row>(metric: Metric<Row>, output: string, references: readonly string[]): Promise<Row> {
  const measured = await measure(metric, output, references)
  if (measured.status !== "scored") throw new Error(measured.reason)
  // Without the marks of `comparing`.
  const { row } = measured
  return typeof row === "object" && row !== null && "marks" in row && "row" in row ? (row.row as Row) : row
}

/** The value of one answer, or the reason why it has none. */
export async function scoreOf<Row>(
  metric: Metric<Row>,
  output: string,
  references: readonly string[] = [],
  extra: Partial<Sample> = {},
): Promise<number | string | null> {
  const measured = await measure(metric, output, references, extra)
  return measured.status === "scored" ? metric.value(measured.row) : measured.reason
}

/** The summary of many answers, after their rows went through JSON as they do in the store. */
export async function summaryOf<Row>(metric: Metric<Row>, pairs: readonly Pair[]): Promise<Summary> {
  const entries: RowEntry<Row>[] = []
  for (const [index, { hyp, refs }] of pairs.entries()) {
    const row = JSON.parse(JSON.stringify(await rowOf(metric, hyp, refs))) as Row
    entries.push({ row, sampleId: String(index), repeat: 0 })
  }
  return metric.summarise(entries)
}

/** Whether two numbers agree within a relative tolerance (absolute below 1). */
export function agrees(actual: unknown, expected: number, tolerance: number): boolean {
  return typeof actual === "number" && Math.abs(actual - expected) <= tolerance * Math.max(1, Math.abs(expected))
}
