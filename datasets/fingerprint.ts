import { createSamplesFingerprint } from "../src/core/run/samples-fingerprint.ts"
import type { Sample } from "../src/core/sample.ts"

/**
 * SHA-256 over the canonical JSON of each sample, in order, one per line; 32 hex digits. Streams: one sample in memory.
 *
 * @example await fingerprintOf(inline([{ id: "1", input: "Hello" }]).samples())
 */
export async function fingerprintOf(samples: AsyncIterable<Sample>): Promise<string> {
  const fingerprint = createSamplesFingerprint()
  for await (const sample of samples) fingerprint.add(sample)
  return fingerprint.digest()
}
