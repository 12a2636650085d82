/** What is found of a rule of the gate. */
export const gateWords = {
  undecided: (evidence: string) => `${evidence}: the interval holds the limit`,
  unbounded: ", not bounded by so small a sample",
  noPairs: (metric: string) => `unknown: ${metric} has no pairs`,
  fewestRequests: (requests: string) => `; no fewer than ${requests} without a failure can show that it is kept`,
} as const
