import type { AnyMetric } from "../../core/metric/metric.ts"
import type { KnownFigure } from "../../core/report/figure.ts"
import type { LimitFinding } from "../../core/report/limit.ts"
import type { VariantReport } from "../../core/report/report.ts"
import { figureWords } from "../report/figure-words.ts"
import { reportFigure, stagePrefix } from "../report/report-figure.ts"
import { limitState, parseConstraints } from "./constraints.ts"
import { amount, counted } from "./phrases.ts"

/**
 * Every limit against what a variant's report says, in the order in which they are written: one finding each, kept ones too.
 * `quality` is the first metric that decides, `metrics` have what
 * each is called.
 */
export function limitFindings(
  report: VariantReport,
  constraints: readonly string[],
  quality: string | undefined,
  metrics: readonly Pick<AnyMetric, "name" | "title">[] = [],
): LimitFinding[] {
  return constraints.flatMap(parseConstraints).map((constraint) => {
    const { figure: name, text: limit, limit: bound, inclusive } = constraint
    const asMeant = name === "quality" ? (quality ?? name) : name
    const figure = reportFigure(report, asMeant)
    const asked = { limit, figure: name, side: constraint.below ? "below" : "above", bound, inclusive } as const
    if (figure.status === "unknown") return { ...asked, state: "unknown", found: figure.reason }
    return {
      ...asked,
      state: limitState(figure, constraint),
      value: figure.value,
      ...(figure.low !== undefined && { low: figure.low }),
      ...(figure.high !== undefined && { high: figure.high }),
      found: `${figureWords(asMeant, metrics)} is ${inUnit(name, figure.value)}${intervalWords(name, figure)}`,
    }
  })
}

/** ", between 750 ms and 900 ms": nothing for an exact figure, or one whose bounds read alike. */
function intervalWords(name: string, { low, high, n }: KnownFigure): string {
  if (low === undefined || high === undefined) return ""
  if (low === null || high === null)
    return `, which ${counted(n, "answer")} ${n === 1 ? "does" : "do"} not bound ${high === null ? "from above" : "from below"}`
  const [from, to] = [inUnit(name, low), inUnit(name, high)]
  return from === to ? "" : `, between ${from} and ${to}`
}

/** A value in the unit that its figure's name ends with; the cost of one request as that of 1,000, as limits are written. */
function inUnit(figure: string, value: number): string {
  if (figure === "costUsd") return `${amount(value * 1000)} USD per 1,000`
  if (figure.startsWith(stagePrefix)) return `${amount(value)} ms`
  if (/Bytes(?:\.|$)/.test(figure)) return inBytes(value)
  const [, ending = ""] = /(Ms|Usd|Joules)(?:\.|$)/.exec(figure) ?? []
  return `${amount(value)}${{ Ms: " ms", Usd: " USD", Joules: " J" }[ending] ?? ""}`
}

/** Bytes in the decimal unit that reads best. */
function inBytes(value: number): string {
  const step = Math.min(4, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)))
  return `${amount(value / 1000 ** step)} ${["bytes", "kB", "MB", "GB", "TB"][step]}`
}
