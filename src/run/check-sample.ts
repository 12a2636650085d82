import type { Dataset } from "../core/dataset.ts"
import { UsageError } from "../core/errors.ts"
import { isObject } from "../core/json-members.ts"
import type { Sample } from "../core/sample.ts"
import { sampleFaults } from "../words/run/samples.ts"

/** The samples of a data set, each checked: one of the user's own may give anything. */
export async function* checkedSamples(dataset: Dataset, signal?: AbortSignal): AsyncGenerator<Sample> {
  let number = 0
  for await (const sample of dataset.samples(signal)) {
    const fault = faultOf(sample)
    if (fault !== null)
      throw new UsageError(`the data set gives something else than a sample: ${fault}`, {
        code: "bad_row",
        where: `${dataset.source}, sample ${number + 1}`,
        hint: "dataset.from(rows) makes samples of rows {input, reference, …}",
      })
    number++
    yield sample
  }
}

const lists = ["references", "context", "choices", "expectedTools"] as const satisfies readonly (keyof Sample)[]

function faultOf(sample: unknown): string | null {
  if (!isObject(sample)) return sampleFaults.noObject(sample === null ? "null" : typeof sample)
  const { id, input, metadata } = sample
  if (typeof id !== "string" || id === "") return sampleFaults.id
  const isInput = input === null || typeof input === "string" || (Array.isArray(input) && input.every(isTurn))
  if (!isInput) return sampleFaults.input
  const wrong = lists.find((name) => !Array.isArray(sample[name]))
  if (wrong !== undefined) return sampleFaults.list(wrong)
  return isObject(metadata) ? null : sampleFaults.metadata
}

function isTurn(value: unknown): boolean {
  return isObject(value) && typeof value.role === "string" && value.content !== undefined
}
