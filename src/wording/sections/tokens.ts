import { type Figure, figureValue, unknown } from "../../core/report/figure.ts"
import type { TextFigures, VariantReport } from "../../core/report/report.ts"
import type { ReportSection } from "../../core/report/report-sections.ts"
import { type TableColumn, tableData } from "../../core/report/table-data.ts"
import { toJson } from "../../core/report/to-json.ts"

/** A variant that has text figures. */
type Written = Pick<VariantReport, "name" | "speed"> & { readonly text: TextFigures }

/** Speeds that differ by less are one speed. */
const smallestDifference = 0.02

/**
 * What a token is: per answer and per second in the provider's own tokens, in o200k tokens and in characters, so that a tokenizer
 * that cuts text finely is not taken for a fast model. Null where nothing was written.
 */
export function tokensSection(
  reports: readonly Pick<VariantReport, "name" | "speed" | "text">[],
): ReportSection | null {
  const variants = reports.flatMap(({ text, ...rest }) =>
    text && text.charactersPerAnswer.status === "known" ? [{ ...rest, text }] : [],
  )
  if (variants.length === 0) return null
  const flip = rankingFlip(variants)
  return {
    kind: "tokens",
    title: "What a token is",
    sentences: [flip ?? sameRanking(variants), explanation],
    data: toJson(tableData(variants, columns)),
    ...(flip && { caution: flip }),
  }
}

const explanation =
  "Every provider counts its own tokens. An o200k token (the tokenizer of gpt-4o) and a character are the same measure for all: " +
  "compare speeds and prices by them."

const columns: readonly TableColumn<Written>[] = [
  ["variant", ({ name }) => name],
  ["own tokens per answer", ({ text }) => text.tokensPerAnswer],
  ["o200k tokens per answer", ({ text }) => text.o200kPerAnswer],
  ["characters per answer", ({ text }) => text.charactersPerAnswer],
  ["own tokens/s", ownSpeed],
  ["o200k tokens/s", ({ text }) => text.o200kPerSecond],
  ["characters/s", readSpeed],
  ["$ per answer", ({ text }) => text.usdPerAnswer, "usd"],
  ["$ per million o200k tokens", ({ text }) => text.usdPerMillionO200k, "usd"],
  ["$ per million characters", ({ text }) => text.usdPerMillionCharacters, "usd"],
]

/** The pair that the two rankings turn round most clearly, as a sentence; null where they agree, or may do so as far as is known. */
function rankingFlip(variants: readonly Written[]): string | null {
  let best: { readonly weight: number; readonly sentence: string } | null = null
  for (const a of variants)
    for (const b of variants) {
      const own = logRatio(ownSpeed(a), ownSpeed(b))
      const read = logRatio(readSpeed(b), readSpeed(a))
      if (own === null || read === null || own < smallestDifference || read < smallestDifference) continue
      if (!isAbove(ownSpeed(a), ownSpeed(b)) || !isAbove(readSpeed(b), readSpeed(a))) continue
      if (best === null || own * read > best.weight) best = { weight: own * read, sentence: flipSentence(a, b) }
    }
  return best?.sentence ?? null
}

function flipSentence(a: Written, b: Written): string {
  return (
    `${a.name} writes more tokens per second than ${b.name} (${short(ownSpeed(a))} against ${short(ownSpeed(b))} of its own) ` +
    `but fewer characters (${short(readSpeed(a))} against ${short(readSpeed(b))}): its tokens are shorter, and ${b.name} is faster to read.`
  )
}

function sameRanking(variants: readonly Written[]): string {
  const streamed = variants.filter(
    (variant) => figureValue(ownSpeed(variant)) !== null && figureValue(readSpeed(variant)) !== null,
  )
  if (streamed.length === 0) return "How fast the answers were written is unknown: none was streamed and timed."
  if (streamed.length === 1)
    return `${(streamed[0] as Written).name} is the only variant whose answers were streamed and timed.`
  return "By tokens per second and by characters per second the variants are in the same order, as far as their intervals tell."
}

/** Whether one speed is the higher one beyond both intervals. */
function isAbove(high: Figure, low: Figure): boolean {
  return high.status === "known" && low.status === "known" && (high.low ?? high.value) > (low.high ?? low.value)
}

function ownSpeed({ speed }: Written): Figure {
  return speed.outputTokensPerSecond.p50
}

function readSpeed({ text }: Written): Figure {
  return text.charactersPerSecond
}

function logRatio(a: Figure, b: Figure): number | null {
  const [above, below] = [figureValue(a), figureValue(b)]
  return above === null || below === null || above <= 0 || below <= 0 ? null : Math.log(above / below)
}

function short(figure: Figure = unknown("")): string {
  const value = figureValue(figure)
  if (value === null) return "unknown"
  return (value >= 1000 ? Math.round(value) : Number(value.toPrecision(3))).toLocaleString("en-US")
}
