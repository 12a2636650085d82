import { workerData } from "node:worker_threads"
import { serveJobs } from "../worker/serve-jobs.ts"
import { type LoadedClassifier, loadClassifier } from "./load-classifier.ts"
import { type ClassifierPass, readingsOf } from "./read-texts.ts"
import type { Activation, ClassifierSettings, ClassifyJob, ClassifyResult, WindowRule } from "./settings.ts"

const settings = workerData as ClassifierSettings
const { form, windows, activation, batchSize } = settings

serveJobs<LoadedClassifier, ClassifyJob>({
  open: () => loadClassifier(settings),
  async work({ labels, limit, encoder, run }, { items }, proceed): Promise<ClassifyResult> {
    const parts = items.flatMap((item, index) =>
      readingsOf(item, encoder, { form, windows, limit }).map((reading) => ({ item: index, reading })),
    )
    const results = items.map((): (readonly number[])[] => [])
    let done = 0
    for (const batch of batches(parts)) {
      if (!proceed(`reading texts: ${done} of ${parts.length} passes`)) break
      const rows = await run(batch.map(({ reading }) => reading))
      for (const [i, { item }] of batch.entries()) {
        const values = (rows[i] ?? []).map((logits) => activated(logits, activation))
        results[item]?.push(combined(values, "max"))
      }
      done += batch.length
    }
    return { labels, values: results.map((rows) => combined(rows, windows)) }
  },
  close: (model) => model.dispose(),
})

/** Only passes of equal lengths share a batch: nothing is padded, so that a score does not depend on the texts beside it. */
function* batches<Part extends { readonly reading: ClassifierPass }>(
  parts: readonly Part[],
): Generator<readonly Part[]> {
  const alike = new Map<string, Part[]>()
  for (const part of parts) {
    const key = [...part.reading.inputs.values()].map(({ ids }) => ids.length).join(" ")
    const list = alike.get(key)
    if (list) list.push(part)
    else alike.set(key, [part])
  }
  for (const list of alike.values())
    for (let start = 0; start < list.length; start += batchSize) yield list.slice(start, start + batchSize)
}

/** Logits as probabilities, or as they are. A single logit has nothing to be compared with: it is read through a sigmoid. */
function activated(logits: readonly number[], activation: Activation): readonly number[] {
  if (activation === "none") return logits
  if (activation === "sigmoid" || logits.length === 1) return logits.map((logit) => 1 / (1 + Math.exp(-logit)))
  const max = Math.max(...logits)
  const powers = logits.map((logit) => Math.exp(logit - max))
  const sum = powers.reduce((total, power) => total + power, 0)
  return powers.map((power) => power / sum)
}

/** Label by label, the largest value or the mean over several rows (windows of a text, tokens of an answer). */
function combined(rows: readonly (readonly number[])[], rule: WindowRule): readonly number[] {
  const [first] = rows
  if (!first || rows.length === 1 || rule === "first") return first ?? []
  return first.map((_, label) => {
    const values = rows.map((row) => row[label] as number)
    return rule === "max" ? Math.max(...values) : values.reduce((sum, value) => sum + value, 0) / values.length
  })
}
