import type { Comparison } from "../../src/core/report/comparison.ts"
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
  /** `"p95 E2E < 25 ms" is broken: time end to end (p95) is 30 ms, between 28 ms and 33 ms` */
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

/**
 * The same in a sentence per limit, for runs of many variants: `"p95 E2E < 25 ms" is broken by q8, q4; open for q2`.
 */
export function limitSentences(lines: readonly LimitLine[]): string[] {
  const limits = [...new Set(lines.map(({ finding }) => finding.limit))]
  return limits.map((limit) => {
    const parts = (
      [
        ["violated", "is broken by"],
        ["open", "open for"],
        ["unknown", "unknown for"],
      ] as const
    ).flatMap(([state, words]) => {
      const names = lines.filter(({ finding }) => finding.limit === limit && finding.state === state)
      return names.length === 0 ? [] : [`${words} ${names.map(({ variant }) => variant).join(", ")}`]
    })
    return `"${limit}" ${parts[0]?.startsWith("is ") ? "" : "is "}${parts.join("; ")}`
  })
}

/** One line on the samples or checks that must not break, and whether it is bad news. */
export interface CriticalLine {
  readonly candidate: string
  readonly label: "critical samples" | "hard breaks"
  readonly text: string
  readonly isBroken: boolean
}

/** What became of the samples and checks that must not break: a line for each candidate and metric, those that broke first. */
export function criticalLines({ comparisons }: Pick<RunReport, "comparisons">): readonly CriticalLine[] {
  const lines = comparisons.flatMap(criticalLinesOf)
  return [...lines.filter(({ isBroken }) => isBroken), ...lines.filter(({ isBroken }) => !isBroken)]
}

/** Those of one comparison. */
export function criticalLinesOf({ candidate, critical = [], breaks = [] }: Comparison): readonly CriticalLine[] {
  const line = (label: CriticalLine["label"], text: string, isBroken: boolean) => ({ candidate, label, text, isBroken })
  return [
    ...critical.map(({ sentence, broken }) => line("critical samples", sentence, broken.length > 0)),
    ...breaks.map(({ sentence, broken, allowed }) => line("hard breaks", sentence, broken.length > allowed)),
  ]
}
