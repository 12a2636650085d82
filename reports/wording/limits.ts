import type { LimitFinding } from "../../src/core/report/limit.ts"
import type { RunReport } from "../../src/core/report/report.ts"

/** How a limit ended, in a word. */
export const limitWords: Readonly<Record<LimitFinding["state"], string>> = {
  kept: "kept",
  violated: "broken",
  open: "open",
  unknown: "unknown",
}

/** One limit of one variant that is not known to be kept. */
export interface LimitLine {
  readonly variant: string
  readonly finding: LimitFinding
  /** `"p95 E2E < 25 ms" is broken: e2eMs.p95 is 30 ms, between 28 ms and 33 ms` */
  readonly text: string
}

/** A limit's finding as a sentence without its end. */
export function limitLine({ limit, state, found }: LimitFinding): string {
  return `"${limit}" is ${limitWords[state]}: ${found}`
}

/**
 * Every limit that a variant breaks or may break, the broken ones first; without those that the sentence of its comparison has
 * said with their figures.
 */
export function limitLines({ variants, comparisons }: Pick<RunReport, "variants" | "comparisons">): LimitLine[] {
  const said = new Map(comparisons.map(({ candidate, sentence }) => [candidate, sentence]))
  const lines = variants.flatMap(({ name, limits = [] }) =>
    limits
      .filter(({ state, found }) => state !== "kept" && !said.get(name)?.includes(found))
      .map((finding) => ({ variant: name, finding, text: limitLine(finding) })),
  )
  const isBroken = ({ finding }: LimitLine) => finding.state === "violated"
  return [...lines.filter(isBroken), ...lines.filter((line) => !isBroken(line))]
}
