import { type Figure, figureValue, unknown } from "../../../core/report/figure.ts"
import type { ReportSection } from "../../../core/report/report-sections.ts"
import { tableData } from "../../../core/report/table-data.ts"
import { toJson } from "../../../core/report/to-json.ts"
import { perGpu, scaledFigure, tokensPerDollar } from "../../../perf/bench/compared-figures.ts"
import { amount } from "../../../words/number.ts"
import type { ServedVariant } from "./served-variant.ts"

/**
 * Tokens a second in total, for each user, GPU and dollar, in the provider's own tokens and in o200k tokens: by which services and
 * machines are compared elsewhere. Null where nothing was timed.
 */
export function throughputSection(variants: readonly ServedVariant[]): ReportSection | null {
  if (variants.every(({ serving }) => serving.written.answers === 0)) return null
  const rows = variants.map((variant) => ({ name: variant.report.name, ...throughputOf(variant) }))
  return {
    kind: "table",
    topic: "throughput",
    title: "Throughput: in total, per user, per GPU, per dollar",
    sentences: [
      ...rows.flatMap(broughtSentence),
      "System throughput is what all requests of a variant brought together at this run's load; per user is what each of them brought, its wait for the first token included. Runs keep few requests in flight: what a server can do at most, evalkit bench says.",
    ],
    data: toJson(
      tableData(rows, [
        ["variant", ({ name }) => name],
        ["system throughput", ({ total }) => total],
        ["tokens/s per user", ({ perUser }) => perUser],
        ["tokens/s per GPU", ({ perGpu: ofGpu }) => ofGpu],
        ["tokens per $", ({ perDollar }) => perDollar],
        ["system throughput, o200k", ({ totalO200k }) => totalO200k],
        ["tokens/s per user, o200k", ({ perUserO200k }) => perUserO200k],
        ["tokens per $, o200k", ({ perDollarO200k }) => perDollarO200k],
      ]),
    ),
  }
}

type Row = ReturnType<typeof throughputOf> & { readonly name: string }

function broughtSentence({ name, total, perUser, perDollar }: Row): readonly string[] {
  const [all, own, bought] = [total, perUser, perDollar].map(figureValue)
  if (all == null || own == null) return []
  const dollar = bought == null ? "" : `, and ${amount(bought)} tokens for a dollar`
  return [`${name} brought ${amount(all)} tokens/s in total, ${amount(own)} tokens/s per user${dollar}.`]
}

function throughputOf({ report, serving, resources }: ServedVariant) {
  const total = report.speed.systemTokensPerSecond
  const { tokens, milliseconds, answers } = serving.written
  const perUser: Figure =
    answers === 0 || milliseconds <= 0
      ? unknown("no answer has both a token count and a time")
      : {
          status: "known",
          value: (tokens * 1000) / milliseconds,
          n: answers,
          method: "output tokens / time of their requests",
          // As of the total: a server that computes log-probabilities decodes more slowly.
          ...(isSlowed(report) && { withLogprobs: true }),
        }
  const perDollar = inThreeDigits(tokensPerDollar(figureValue(report.tokens.completion), report.cost.totalUsd))
  const own = figureValue(report.text.tokensPerAnswer)
  const common = figureValue(report.text.o200kPerAnswer)
  const inO200k = (figure: Figure): Figure =>
    own === null || common === null || own <= 0
      ? unknown("own tokens or o200k tokens of the answers are not known")
      : scaledFigure(figure, common / own, "own tokens per o200k token")
  return {
    total,
    perUser,
    perGpu: perGpu(total, resources?.gpu),
    perDollar,
    totalO200k: inO200k(total),
    perUserO200k: inO200k(perUser),
    perDollarO200k: inThreeDigits(inO200k(perDollar)),
  }
}

function isSlowed({ speed }: ServedVariant["report"]): boolean {
  const { p50 } = speed.outputTokensPerSecond
  return [speed.systemTokensPerSecond, p50].some((figure) => figure.status === "known" && figure.withLogprobs === true)
}

/** Millions have more digits than a cost is known to. */
function inThreeDigits(figure: Figure): Figure {
  if (figure.status === "unknown") return figure
  const inThree = (value: number) => Number(value.toPrecision(3))
  const { value, low, high } = figure
  return {
    ...figure,
    value: inThree(value),
    ...(low != null && { low: inThree(low) }),
    ...(high != null && { high: inThree(high) }),
  }
}
