import type { Generation } from "../../core/generation.ts"
import { createTurns } from "../../core/interruption.ts"
import type { AnyMetric } from "../../core/metric/metric.ts"
import type { MetricTools } from "../../core/metric/metric-tools.ts"
import type { AnswerText, EncodedRows, PackedAnswers, StoredRow } from "../../core/run/run-store.ts"
import type { Sample } from "../../core/sample.ts"
import { scoreAnswer } from "../score.ts"

/** Values of rows that an answer has already, by metric. */
export type KnownValues = ReadonlyMap<string, number | null>

/** Some answers to be measured, in any thread. */
export interface Part {
  readonly packed: PackedAnswers
  /** By the answer's place in the part; absent where it has none. */
  readonly known: ReadonlyMap<number, KnownValues>
}

/** What was measured of a part: its rows, or those rows as another thread has encoded them. */
export type ScoredPart = { readonly rows: readonly StoredRow[] } | { readonly encoded: EncodedRows }

/**
 * Measures the answers of a part, in their order; gives way to the event loop now and then, and ends early when it is interrupted.
 *
 * @param metrics of those that measure texts alone, in the order in which they depend on each other
 * @param unpacked the part's answers with their samples
 */
export async function scorePart(
  metrics: readonly AnyMetric[],
  { known }: Pick<Part, "known">,
  unpacked: Iterable<readonly [AnswerText, Sample]>,
  tools: Omit<MetricTools, "valueOf">,
): Promise<StoredRow[]> {
  const rows: StoredRow[] = []
  const turn = createTurns()
  let index = 0
  for (const [answer, sample] of unpacked) {
    const values = known.get(index++)
    // These metrics look at nothing else of an answer; see `measuresText`.
    const generation = answer as Generation
    rows.push(...(await scoreAnswer(metrics, sample, generation, tools, (metric) => values?.get(metric))))
    const wait = turn()
    if (wait) await wait
    if (tools.signal.aborted) break
  }
  return rows
}
