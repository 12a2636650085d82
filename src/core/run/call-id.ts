import type { CallKey } from "./run-store.ts"

/** A call of a run as one text: equal for equal calls only. */
export function callId({ variant, sampleId, repeat }: CallKey): string {
  return `${variant}\u0000${repeat}\u0000${sampleId}`
}
