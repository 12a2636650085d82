import type { Outcome } from "../../../src/core/outcome.ts"

/** What goes wrong, and the class that the answer must end in. */
export const chaosFaults = {
  none: "ok",
  reset: "connection",
  resetInside: "connection",
  rateLimited: "rate_limited",
  serverError: "http_5xx",
  slowLoris: "timeout_first_token",
  truncated: "truncated",
  malformed: "malformed",
  endless: "malformed",
  burst: "ok",
  selfSigned: "connection",
  wrongHost: "connection",
} as const satisfies Record<string, Outcome>

/** One of {@link chaosFaults}. */
export type ChaosFault = keyof typeof chaosFaults

/** How often each fault comes, of a hundred: mostly such as do not say that the whole service is down, which would end a run. */
const shares: Readonly<Record<Exclude<ChaosFault, "none">, number>> = {
  rateLimited: 18,
  truncated: 17,
  malformed: 17,
  burst: 16,
  endless: 5,
  reset: 6,
  resetInside: 6,
  serverError: 6,
  selfSigned: 4,
  wrongHost: 4,
  slowLoris: 1,
}

const hundred = Object.entries(shares).flatMap(([fault, share]) => Array<ChaosFault>(share).fill(fault as ChaosFault))

/** The fault that the n-th question meets, the same in every process: no fault but for `rate` of the questions. */
export function chaosFault(n: number, rate: number): ChaosFault {
  const mixed = Math.imul(n + 1, 2_654_435_761) >>> 0
  if (mixed / 2 ** 32 >= rate) return "none"
  return hundred[(Math.imul(mixed ^ (mixed >>> 15), 2_246_822_519) >>> 7) % hundred.length] as ChaosFault
}
