import { type Figure, figureValue, unknown } from "../../core/report/figure.ts"
import type { ContextUse, VariantReport } from "../../core/report/report.ts"
import type { ContextWindowData, ReportSection } from "../../core/report/report-sections.ts"
import { toJson } from "../../core/report/to-json.ts"
import { byText } from "../../stats/order.ts"
import { count, counted } from "../../words/number.ts"
import { percent } from "../../words/percent.ts"

type VariantUse = ContextWindowData["variants"][number]

/**
 * The context-window section: how much of it prompt and answer used, which requests nearly filled it, and which it cut off
 * or kept out. Null when nothing was answered.
 */
export function contextWindowSection(
  reports: readonly Pick<VariantReport, "name" | "finished" | "contextUse">[],
): ReportSection | null {
  const variants = reports.flatMap(({ name, finished, contextUse }) =>
    finished > 0 ? [useOf(name, finished, contextUse)] : [],
  )
  if (variants.length === 0) return null
  const misfits = misfitsOf(variants)
  return {
    kind: "context_window",
    title: "Use of the context window",
    sentences: [verdict(variants, misfits), ...variants.flatMap(knownSentence), ...unknownSentences(variants)],
    data: toJson({ variants } satisfies ContextWindowData),
    ...(misfits && { caution: `The context window was too small: ${misfits}` }),
  }
}

function useOf(variant: string, requests: number, use: ContextUse): VariantUse {
  const { share, cutOff, nearlyFull = 0, atLimit = 0, refused = 0 } = use
  const measured = share.p50.status === "known" ? share.p50.n : 0
  const counted = (value: number, method: string): Figure =>
    share.p50.status === "unknown" ? share.p50 : { status: "known", value, n: measured, method }
  const largest = share.percentiles.at(-1)
  return {
    variant,
    requests,
    window: use.window,
    p50: share.p50,
    p95: share.p95,
    largest: largest === undefined ? unknownAs(share.p50) : counted(largest, "the largest of all requests"),
    nearlyFull: counted(nearlyFull, "requests that used more than 90 % of the window"),
    cutOff: counted(cutOff, "answers that ended at their limit with the window full"),
    atLimit,
    refused,
  }
}

function unknownAs(figure: Figure): Figure {
  return figure.status === "unknown" ? figure : unknown("nothing was measured")
}

/** `2 answers of a were cut off by it, 1 request to b was refused as too long`; empty when everything fitted. */
function misfitsOf(variants: readonly VariantUse[]): string {
  const were = (count: number) => (count === 1 ? "was" : "were")
  return variants
    .flatMap(({ variant, cutOff, refused }) => {
      const cut = figureValue(cutOff) ?? 0
      return [
        ...(cut > 0 ? [`${counted(cut, "answer")} of ${variant} ${were(cut)} cut off by it`] : []),
        ...(refused > 0 ? [`${counted(refused, "request")} to ${variant} ${were(refused)} refused as too long`] : []),
      ]
    })
    .join(", ")
}

const window = "the context window (prompt and answer together)"

function verdict(variants: readonly VariantUse[], misfits: string): string {
  if (misfits) return `${sentenceCase(window)} was too small: ${misfits}.`
  const fullest = variants
    .flatMap(({ variant, largest }) => (largest.status === "known" ? [{ variant, share: largest.value }] : []))
    .toSorted((a, b) => b.share - a.share)[0]
  if (!fullest) return `How much of ${window} the requests used is unknown.`
  const isSure = variants.every(({ largest }) => largest.status === "known")
  const scope = isSure ? "Every request" : "As far as it is known, every request"
  const tight = variants.reduce((sum, { nearlyFull }) => sum + (figureValue(nearlyFull) ?? 0), 0)
  const room = tight > 0 ? `, but ${count(tight)} of them used over 90 % of it` : " with room to spare"
  return `${scope} fitted into ${window}${room}; the largest used ${percent(fullest.share)} (${fullest.variant}).`
}

function knownSentence({ variant, window: size, p50, p95, largest, atLimit, cutOff }: VariantUse): readonly string[] {
  if (size.status === "unknown" || p50.status === "unknown" || largest.status === "unknown") return []
  const max = figureValue(p95)
  const cut = figureValue(cutOff) ?? 0
  const parts = [
    `half of the requests used up to ${percent(p50.value)} of its ${count(size.value)} tokens`,
    ...(max === null ? [] : [`95 % of them up to ${percent(max)}`]),
    `the largest ${percent(largest.value)}`,
  ]
  const ended = `${counted(atLimit, "answer")} ended at a token limit${cut > 0 ? `, ${count(cut)} of them because the window was full` : ""}`
  return [`${variant}: ${parts.join(", ")}${atLimit > 0 ? `; ${ended}` : ""}.`]
}

/** Each reason once, with everybody whom it concerns. */
function unknownSentences(variants: readonly VariantUse[]): readonly string[] {
  const byReason = new Map<string, string[]>()
  for (const { variant, p50 } of variants)
    if (p50.status === "unknown") byReason.set(p50.reason, [...(byReason.get(p50.reason) ?? []), variant])
  return [...byReason]
    .toSorted(([a], [b]) => byText(a, b))
    .map(([reason, names]) => `${names.join(", ")}: unknown, because ${reason}.`)
}

function sentenceCase(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
