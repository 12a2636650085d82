import type { AnyMetric } from "../../core/metric/metric.ts"
import type { ScoredForeignAnswer } from "../../engine/score/score-file.ts"
import { openOutput } from "../output-file.ts"

/** Writes one line per answer: `{"id", "metrics": {name: value or null}, "reasons": {name: why it is null}}`. */
export interface RowsFile {
  write(answer: ScoredForeignAnswer): Promise<void>
  close(): Promise<void>
}

/**
 * Opens (and empties) the file of `--rows`.
 * @throws UsageError when it cannot be written
 */
export async function openRowsFile(path: string, metrics: readonly AnyMetric[]): Promise<RowsFile> {
  const output = await openOutput(path)
  let buffered = ""
  const flush = async () => {
    const text = buffered
    buffered = ""
    if (text !== "") await output.write(text)
  }
  return {
    async write(answer) {
      buffered += `${JSON.stringify(rowLine(answer, metrics))}\n`
      if (buffered.length > 64 * 1024) await flush()
    },
    async close() {
      await flush()
      await output.close()
    },
  }
}

function rowLine({ sampleId, repeat, scores }: ScoredForeignAnswer, metrics: readonly AnyMetric[]) {
  const values: [string, number | null][] = []
  const reasons: [string, string][] = []
  for (const [i, { name }] of metrics.entries()) {
    const score = scores[i]
    values.push([name, score?.value ?? null])
    if (score?.measured.status === "unscored") reasons.push([name, score.measured.reason])
    else if (score?.value === null) reasons.push([name, "the metric has no figure for a single answer"])
  }
  return {
    id: sampleId,
    ...(repeat > 0 && { repeat }),
    metrics: Object.fromEntries(values),
    ...(reasons.length > 0 && { reasons: Object.fromEntries(reasons) }),
  }
}
