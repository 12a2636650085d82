import { createHash } from "node:crypto"
import { canonicalJson } from "../src/core/json.ts"
import type { Sample } from "../src/core/sample.ts"

/**
 * SHA-256 over the canonical JSON of each sample, in order, one per line; 32 hex digits. Streams: one sample in memory.
 *
 * @example await fingerprintOf(inline([{ id: "1", input: "Hello" }]).samples())
 */
export async function fingerprintOf(samples: AsyncIterable<Sample>): Promise<string> {
  const hash = createHash("sha256")
  for await (const sample of samples) hash.update(`${canonicalJson(sample)}\n`)
  return hash.digest("hex").slice(0, 32)
}
