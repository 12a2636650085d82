import type { AnyMetric } from "../../core/metric/metric.ts"
import type { ScoredForeignAnswer } from "../../pipeline/score-file/score-file.ts"
import { openOutput } from "../../platform/output-file.ts"

/**
 * Writes one line per answer: `{"id", "metrics": {name: value or null}, "reasons": {name: why it is null}}`, and where there are
 * any `parts` (what is behind a value, such as precision and recall), `cluster` and `group`. The first line also says of which
 * metrics less is better (`lower`), and whose figure is that of all answers together, no mean of the values (`sets`).
 * `evalkit compare` reads all of it.
 */
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
  let isFirst = true
  const flush = async () => {
    const text = buffered
    buffered = ""
    if (text !== "") await output.write(text)
  }
  return {
    async write(answer) {
      buffered += `${JSON.stringify({ ...rowLine(answer, metrics), ...(isFirst && factsOf(metrics)) })}\n`
      isFirst = false
      if (buffered.length > 64 * 1024) await flush()
    },
    async close() {
      await flush()
      await output.close()
    },
  }
}

function rowLine({ sampleId, repeat, cluster, group, scores }: ScoredForeignAnswer, metrics: readonly AnyMetric[]) {
  const values: [string, number | null][] = []
  const reasons: [string, string][] = []
  const parts: [string, Readonly<Record<string, number>>][] = []
  for (const [i, metric] of metrics.entries()) {
    const { name } = metric
    const score = scores[i]
    values.push([name, score?.value ?? null])
    if (metric.parts && score?.measured.status === "scored") parts.push([name, metric.parts(score.measured.row)])
    if (score?.measured.status === "unscored") reasons.push([name, score.measured.reason])
    else if (score?.value === null) reasons.push([name, "the metric has no figure for a single answer"])
  }
  return {
    id: sampleId,
    ...(repeat > 0 && { repeat }),
    ...(cluster !== undefined && { cluster }),
    ...(group !== undefined && { group }),
    metrics: Object.fromEntries(values),
    ...(parts.length > 0 && { parts: Object.fromEntries(parts) }),
    ...(reasons.length > 0 && { reasons: Object.fromEntries(reasons) }),
  }
}

/** What the values alone do not say of the metrics. */
function factsOf(metrics: readonly AnyMetric[]) {
  const named = (isMeant: (metric: AnyMetric) => boolean) => metrics.filter(isMeant).map(({ name }) => name)
  const lower = named(({ direction }) => direction === "lower")
  const sets = named(({ aggregation }) => aggregation.kind !== "mean")
  return { ...(lower.length > 0 && { lower }), ...(sets.length > 0 && { sets }) }
}
