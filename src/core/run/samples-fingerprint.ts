import { createHash } from "node:crypto"
import { canonicalJson } from "../json.ts"
import type { Sample } from "../sample.ts"

/** Takes samples one after the other, and gives the fingerprint of all of them. */
export interface SamplesFingerprint {
  add(sample: Sample): void
  /** 32 hex digits. To be called once, at the end. */
  digest(): string
}

/** SHA-256 over the canonical JSON of each sample, in order, one per line. */
export function createSamplesFingerprint(): SamplesFingerprint {
  const hash = createHash("sha256")
  return {
    add: (sample) => void hash.update(`${canonicalJson(sample)}\n`),
    digest: () => hash.digest("hex").slice(0, 32),
  }
}
