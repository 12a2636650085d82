import type { Dataset } from "../core/dataset.ts"
import { UsageError } from "../core/errors.ts"
import { isObject } from "../core/json-members.ts"
import type { Sample } from "../core/sample.ts"

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
  if (!isObject(sample)) return `expected an object, got ${sample === null ? "null" : typeof sample}`
  const { id, input, metadata } = sample
  if (typeof id !== "string" || id === "") return "id: expected a text"
  const isInput = input === null || typeof input === "string" || (Array.isArray(input) && input.every(isTurn))
  if (!isInput) return "input: expected a text, turns {role, content}, or null"
  const wrong = lists.find((name) => !Array.isArray(sample[name]))
  if (wrong !== undefined) return `${wrong}: expected a list`
  return isObject(metadata) ? null : "metadata: expected an object"
}

function isTurn(value: unknown): boolean {
  return isObject(value) && typeof value.role === "string" && value.content !== undefined
}
