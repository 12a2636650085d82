import { count, counted } from "../words/number.ts"

/** What is found of a rule of the gate. */
export const gateWords = {
  undecided: (evidence: string) => `${evidence}: the interval holds the limit`,
  unbounded: ", not bounded by so small a sample",
  noPairs: (metric: string) => `unknown: ${metric} has no pairs`,
  fewestRequests: (requests: string) => `; no fewer than ${requests} without a failure can show that it is kept`,
} as const

/** Where a run has too few samples for "not worse by more than the margin", whatever its answers are. */
export function tooFewForMargin(
  samples: number,
  needed: number,
  { who, metric, allowed }: { readonly who: string; readonly metric: string; readonly allowed: string },
): string {
  const end = who === "the gate" ? "exit code 4 is foreseen" : "the verdict will be open"
  return `${tooFew(samples, who)}: "${metric} not worse by more than ${allowed}" takes at least ${count(needed)} samples even if no answer changes, so that ${end}.`
}

/** Where a run has too few samples for a limit of the gate. */
export function tooFewForLimit(samples: number, needed: number, rule: string): string {
  return `${tooFew(samples, "the gate")}: "${rule}" takes at least ${count(needed)} samples even if every answer is as it should be, so that exit code 4 is foreseen.`
}

function tooFew(samples: number, who: string): string {
  return `${counted(samples, "sample")} ${samples === 1 ? "is" : "are"} too few for ${who}`
}
