import type { JsonValue } from "../../src/core/json.ts"
import type { Embedder } from "../../src/core/metric/embedder.ts"
import type { Metric, Unscored } from "../../src/core/metric/metric.ts"
import type { MetricTools } from "../../src/core/metric/metric-tools.ts"
import { rowMetric } from "../row-metric.ts"
import { isUnscored, referencesOf } from "../text/references.ts"
import { signature } from "../text/signature.ts"
import { type EmbedderOption, embedderIdentity, embedderParts, withEmbedder } from "./use-embedder.ts"

/** What a metric that compares an answer with each of its references by a model states; the rest is filled in. */
export interface ReferenceMetricOptions<Row, Texts> {
  readonly options: EmbedderOption & { readonly name?: string }
  /** Its name unless the options give another. */
  readonly name: string
  /** Facts of the signature, after the embedder and before the rule for several references. */
  readonly facts: Readonly<Record<string, string | number | boolean>>
  readonly direction: "higher" | "lower"
  readonly range: readonly [number, number]
  /** What is compared, read without the model; unscored where there is nothing. */
  texts(answer: string, references: readonly string[]): Texts | Unscored
  /** One row for each reference, or why there is none. */
  rows(texts: Texts, embedder: Embedder, tools: MetricTools): Promise<readonly Row[] | Unscored>
  /** The figure of a row: of several references the best one counts. */
  figure(row: Row): number
  /** What else a row says of its answer. */
  parts?(row: Row): Readonly<Record<string, number>>
  /** What the best row is turned into before it is kept. */
  finish?(row: Row): Row
  /** Details of the summary, whose value is the mean of the figures. */
  details(rows: readonly Row[]): JsonValue
}

/** A metric that compares an answer with each of its references by a model, and keeps the best. */
export function referenceMetric<Row, Texts extends object>(facts: ReferenceMetricOptions<Row, Texts>): Metric<Row> {
  const { options, direction, range, figure } = facts
  const better =
    direction === "higher" ? (a: Row, b: Row) => figure(a) > figure(b) : (a: Row, b: Row) => figure(a) < figure(b)
  return rowMetric<Row>({
    name: options.name ?? facts.name,
    signature: signature(facts.name, { embedder: embedderIdentity(options), ...facts.facts, refs: "best" }),
    direction,
    range,
    unit: "score",
    async measure(sample, generation, tools) {
      const references = referencesOf(sample)
      if (isUnscored(references)) return references
      const texts = facts.texts(generation.text, references)
      if ("status" in texts) return texts
      return withEmbedder(options, tools, async (embedder) => {
        const rows = await facts.rows(texts, embedder, tools)
        if ("status" in rows) return rows
        const best = rows.reduce((winner, row) => (better(row, winner) ? row : winner))
        return facts.finish ? facts.finish(best) : best
      })
    },
    ...embedderParts(options),
    value: figure,
    ...(facts.parts && { parts: facts.parts }),
    summarise: (rows) => ({
      value: rows.reduce((sum, row) => sum + figure(row), 0) / rows.length,
      details: facts.details(rows),
    }),
  })
}
