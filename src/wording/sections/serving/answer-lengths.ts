import type { AnswerFacts } from "../../../core/metric/scored-variant.ts"
import { isAnswered } from "../../../core/outcome.ts"
import { type Figure, figureValue, unknown } from "../../../core/report/figure.ts"
import type { ReportSection } from "../../../core/report/report-sections.ts"
import { type TableColumn, tableData } from "../../../core/report/table-data.ts"
import { toJson } from "../../../core/report/to-json.ts"
import { answerKey } from "../../../core/run/answer-key.ts"
import { type AnswerLengths, doLengthsDiffer } from "../../../perf/answer-lengths.ts"
import { seriesPercentile } from "../../../perf/percentile.ts"
import { mean } from "../../../stats/mean.ts"
import { amount, count, counted } from "../../../words/number.ts"
import { percentChange } from "../../../words/percent.ts"
import type { ServedVariant } from "./served-variant.ts"

/**
 * How long the answers are that times and costs are of; what was cut off; and, where a variant's answers are longer or shorter than the
 * baseline's, its time on answers of like length and per token. Null where lengths are alike and nothing was cut off.
 */
export function answerLengthsSection(variants: readonly ServedVariant[], alpha: number): ReportSection | null {
  const baseline = variants.find(({ report }) => report.baseline)
  const different = variants.filter(
    (variant) => baseline && variant !== baseline && doLengthsDiffer(meanOf(variant), meanOf(baseline)),
  )
  const cut = variants.filter(({ serving }) => (figureValue(serving.lengths.atLimit) ?? 0) > 0)
  const limits = variants.flatMap(({ report, serving: { lengths } }) =>
    lengths.serviceLimit ? [limitSentence(report.name, lengths.serviceLimit)] : [],
  )
  if (different.length + cut.length + limits.length === 0) return null
  const pairs = new Map(
    variants.flatMap((servedVariant) =>
      baseline && servedVariant !== baseline
        ? [[servedVariant, pairedTimes(baseline, servedVariant, alpha)] as const]
        : [],
    ),
  )
  const doubts = different.flatMap((servedVariant) =>
    baseline ? [doubtOf(baseline, servedVariant, pairs.get(servedVariant))] : [],
  )
  const cautions = [...limits, ...doubts]
  return {
    kind: "table",
    topic: "answer_lengths",
    title: "Lengths of the answers",
    sentences: [
      ...cautions,
      ...cut.map(({ report, serving: { lengths } }) => cutSentence(report.name, lengths)),
      "Changes of time are medians over samples that both answered; of like length are pairs whose answers differ by at most a tenth. Longer answers cost their users the time that they take: which of the figures decides, depends on whether the length is wanted.",
    ],
    data: toJson(
      tableData(
        variants.map((variant) => ({ report: variant.report, ...variant.serving.lengths, paired: pairs.get(variant) })),
        columns,
      ),
    ),
    ...(cautions[0] !== undefined && { caution: cautions[0] }),
  }
}

type Compared = Pick<ServedVariant, "report"> & AnswerLengths & { readonly paired: PairedTimes | undefined }

const columns: readonly TableColumn<Compared>[] = [
  ["variant", ({ report }) => report.name],
  ["tokens per answer, median", ({ tokens }) => tokens.p50],
  ["mean", ({ tokens }) => tokens.mean],
  ["limit sent", ({ asked }) => asked, "count"],
  ["cut off at the limit", ({ atLimit }) => atLimit, "share"],
  ["shorter than asked", ({ short }) => short, "share"],
  ["time, all answers", ({ paired }) => paired?.all ?? null, "%"],
  ["time, like length", ({ paired }) => paired?.alike ?? null, "%"],
  ["pairs of like length", ({ paired }) => paired?.alikePairs ?? null],
  ["time per token", ({ paired }) => paired?.perToken ?? null, "%"],
]

interface PairedTimes {
  /** Mean tokens of the pairs with one text, where they are most of all; else null. */
  readonly sameTexts: {
    readonly count: number
    readonly of: number
    readonly before: number
    readonly after: number
  } | null
  readonly all: Figure
  readonly alike: Figure
  readonly alikePairs: number
  readonly perToken: Figure
}

function meanOf({ serving }: ServedVariant): number | null {
  return figureValue(serving.lengths.tokens.mean)
}

function doubtOf(baseline: ServedVariant, servedVariant: ServedVariant, paired: PairedTimes | undefined): string {
  if (paired?.sameTexts && doLengthsDiffer(paired.sameTexts.before, paired.sameTexts.after)) {
    const { count: same, of, before, after } = paired.sameTexts
    return `${count(same)} of ${counted(of, "pair")} of answers have the same text, for which ${servedVariant.report.name} counts ${amount(after)} tokens on average and ${baseline.report.name} ${amount(before)} (${percentChange(after / before - 1)}): their counts, and so times per token, tokens a second and costs by token, are not of the same tokens. The median change of time of whole answers is ${change(paired.all)}.`
  }
  const [own, other] = [meanOf(servedVariant) ?? 0, meanOf(baseline) ?? 0]
  const alike =
    paired && paired.alikePairs > 0
      ? `${change(paired.alike)} on ${counted(paired.alikePairs, "answer")} of like length`
      : "unknown on answers of like length, of which there are none"
  return `Answers of ${servedVariant.report.name} have ${amount(own)} tokens on average, those of ${baseline.report.name} ${amount(other)}: time and cost of whole answers differ by their length, too. The median change of time is ${change(paired?.all)} over all, ${alike}, and ${change(paired?.perToken)} per token.`
}

/** A change in per cent, and whether chance alone may have made it. */
function change(figure: Figure | undefined): string {
  if (figure?.status !== "known") return "unknown"
  const { value, low, high } = figure
  const text = percentChange(value / 100)
  return low != null && high != null && (low > 0 || high < 0) ? text : `${text} (not proven)`
}

function limitSentence(
  name: string,
  { tokens, count: own, answers, askedTokens }: NonNullable<AnswerLengths["serviceLimit"]>,
): string {
  return `${name}: ${count(own)} of ${counted(answers, "answer")} end at exactly ${count(tokens)} tokens, where ${count(askedTokens)} were allowed: the host may have a limit of its own.`
}

function cutSentence(name: string, { atLimit, serviceLimit }: AnswerLengths): string {
  if (atLimit.status === "unknown") return ""
  const limit = serviceLimit ? "a token limit" : "their token limit"
  return `${name}: ${count(Math.round(atLimit.value * atLimit.n))} of ${count(atLimit.n)} answers were cut off at ${limit}; their times are those of what came.`
}

/** Medians of the candidate's time over the baseline's, as changes in per cent. */
function pairedTimes(baseline: ServedVariant, candidate: ServedVariant, alpha: number): PairedTimes {
  const before = new Map(baseline.scored.answers.map((answer) => [answerKey(answer), answer]))
  const pairs = candidate.scored.answers.flatMap((answer): [AnswerFacts, AnswerFacts][] => {
    const other = before.get(answerKey(answer))
    return other ? [[other, answer]] : []
  })
  const alike = pairs.filter(
    ([a, b]) =>
      a.completionTokens !== null &&
      b.completionTokens !== null &&
      !doLengthsDiffer(a.completionTokens, b.completionTokens),
  )
  return {
    sameTexts: tokensOfSameTexts(pairs),
    all: medianChange(pairs, "e2eMs", alpha),
    alike: medianChange(alike, "e2eMs", alpha),
    alikePairs: alike.filter(([a, b]) => (a.e2eMs ?? 0) > 0 && (b.e2eMs ?? 0) > 0).length,
    perToken: medianChange(pairs, "tpotMs", alpha),
  }
}

function tokensOfSameTexts(pairs: readonly (readonly [AnswerFacts, AnswerFacts])[]): PairedTimes["sameTexts"] {
  const lengths = pairs.flatMap(([a, b]) => {
    const isSame = a.textHash === b.textHash && isAnswered(a.outcome) && isAnswered(b.outcome)
    return isSame && a.completionTokens !== null && b.completionTokens !== null
      ? [[a.completionTokens, b.completionTokens] as const]
      : []
  })
  if (lengths.length * 2 <= pairs.length) return null
  return {
    count: lengths.length,
    of: pairs.length,
    before: mean(lengths.map(([before]) => before)),
    after: mean(lengths.map(([, after]) => after)),
  }
}

function medianChange(
  pairs: readonly (readonly [AnswerFacts, AnswerFacts])[],
  figure: "e2eMs" | "tpotMs",
  alpha: number,
): Figure {
  const changes = pairs.flatMap(([a, b]) => {
    const [from, to] = [a[figure], b[figure]]
    return from !== null && to !== null && from > 0 && to > 0 ? [100 * (to / from - 1)] : []
  })
  if (changes.length === 0) return unknown("no pair of answers was timed")
  return seriesPercentile(changes, 50, ", change of paired times", alpha)
}
