import type { Slo } from "../../../src/perf/bench/slo.ts"
import { count, significant } from "../../../src/words/number.ts"

/** `800 ms` or `5 s`. */
export function msWords(milliseconds: number): string {
  return milliseconds >= 1000 ? `${Number(significant(milliseconds / 1000))} s` : `${count(milliseconds)} ms`
}

/** Names of the figures that can be limited. */
export const sloNames: Readonly<Record<Slo["figure"], string>> = {
  ttft: "TTFT",
  ttft_from_intent: "TTFT from intent",
  ttft_any: "TTFT of any kind",
  tpot: "TPOT",
  stop: "longest stop",
  "itl.max": "longest ITL",
  e2e: "E2E",
}
