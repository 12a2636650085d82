import type { JsonObject } from "../core/json.ts"
import type { Sample } from "../core/sample.ts"

/** A sample of a log; what the tool does not know is empty. */
export function foreignSample(facts: Pick<Sample, "id" | "input"> & Partial<Sample>): Sample {
  return { references: [], context: [], choices: [], expectedTools: [], metadata: {} as JsonObject, ...facts }
}
