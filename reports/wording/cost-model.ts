import type { Comparison } from "../../src/core/report/comparison.ts"
import { type Figure, figureValue, unknown } from "../../src/core/report/figure.ts"
import type { VariantReport } from "../../src/core/report/report.ts"
import { breakEvenQueriesPerMonth, monthlyApiBill, monthlyHardwareBill } from "../../src/cost/break-even.ts"
import { isHardwarePrice } from "../../src/cost/hardware.ts"
import { camelTo } from "../../src/words/names.ts"

/** One thing that a variant's answers cost: tokens where it has them, dollars where a price is known. */
export interface CostPart {
  readonly id: string
  readonly title: string
  readonly tokens: Figure | null
  /** Null: this variant is not paid for that way. */
  readonly usd: Figure | null
}

/** What a variant's bill is made of, in the order of a bill. */
export function costParts({ cost, tokens }: VariantReport): readonly CostPart[] {
  const part = (name: string): Figure | null => {
    if (cost.totalUsd.status === "unknown") return cost.totalUsd
    const value = cost.parts?.[name]
    return value === undefined ? null : { status: "known", value, n: cost.totalUsd.n, method: cost.totalUsd.method }
  }
  const row = (id: string, title: string, own: Figure | null, usd = part(id)) => ({ id, title, tokens: own, usd })
  return [
    row("input", "prompt", textOfPrompt(tokens)),
    row("cachedInput", "prompt, cached", tokens.cachedPrompt),
    row("output", "answer", tokens.completion),
    row(
      "reasoning",
      "of which reasoning",
      tokens.reasoning,
      cost.parts?.reasoning === undefined ? reasoningUsd(part("output"), tokens) : part("reasoning"),
    ),
    ...Object.keys({ ...tokens.others, ...cost.parts })
      .filter((name) => !ownRows.has(name))
      .map((name) => row(name, titles[name] ?? camelTo(" ", name).slice(0, 40), tokens.others?.[name] ?? null)),
    row("failedAttempts", "retried attempts", null),
    row("hardware", "hardware", null),
    row("judges", "judges (separate)", null, cost.judgeUsd),
  ]
}

const ownRows: ReadonlySet<string> = new Set([
  "input",
  "cachedInput",
  "output",
  "reasoning",
  "failedAttempts",
  "hardware",
])

const titles: Readonly<Record<string, string>> = {
  cacheWrite5m: "cache writes, 5 min",
  cacheWrite1h: "cache writes, 1 h",
  cacheWrite: "cache writes",
  audioInput: "audio of the prompt",
  imageInput: "images of the prompt",
  videoInput: "films of the prompt",
  cachedAudioInput: "audio of the prompt, cached",
  cachedImageInput: "images of the prompt, cached",
  cachedVideoInput: "films of the prompt, cached",
  audioOutput: "audio of the answer",
  imageOutput: "images of the answer",
  charged: "as charged",
  request: "fee per request",
  minimum: "up to the least charge",
}

/** Monthly cost: cost per request × requests, or whole units of hardware where a variant is paid by the hour. */
export function monthlyBill({ cost, speed, tokens }: VariantReport, requests: number): Figure {
  const price = cost.price ?? null
  const perRequest = tokensPerRequest(tokens)
  if (isHardwarePrice(price) && perRequest !== null && figureValue(speed.systemTokensPerSecond) !== null)
    return monthlyHardwareBill(price, speed.systemTokensPerSecond, {
      queriesPerMonth: requests,
      outputTokensPerQuery: perRequest,
    })
  return monthlyApiBill(cost.perQueryUsd, { queriesPerMonth: requests })
}

/** What a month costs with the baseline and with the candidate, and the difference, in US dollars. */
export interface MonthlyDifference {
  readonly before: Figure
  readonly after: Figure
  /** With an interval where both are paid by the request: then it is that of the paired difference. */
  readonly difference: Figure
}

/** {@link monthlyBill} of both sides of a comparison. */
export function monthlyDifference(
  { performance }: Pick<Comparison, "performance">,
  [baseline, candidate]: readonly [VariantReport, VariantReport],
  requests: number,
): MonthlyDifference {
  const [before, after] = [monthlyBill(baseline, requests), monthlyBill(candidate, requests)]
  const paired = performance.costUsd
  const isHardware = [baseline, candidate].some(({ cost }) => isHardwarePrice(cost.price ?? null))
  if (before.status === "unknown") return { before, after, difference: before }
  if (after.status === "unknown") return { before, after, difference: after }
  const value = after.value - before.value
  const ends = isHardware || paired?.status !== "known" ? [null, null] : [paired.low ?? null, paired.high ?? null]
  const [low = null, high = null] = ends.map((end) => (end === null ? null : end * requests))
  const isInside = low !== null && high !== null && low <= value && value <= high
  return {
    before,
    after,
    difference: { status: "known", value, ...(isInside && { low, high }), n: after.n, method: after.method },
  }
}

/** From how many requests a month on own hardware is cheaper than an interface that is paid by the token. */
export interface BreakEven {
  readonly hardware: string
  readonly api: string
  readonly requests: Figure
}

/** The break-even of every variant on hardware against every one that is paid by the token. */
export function breakEvens(variants: readonly VariantReport[]): BreakEven[] {
  return variants.flatMap((hardware) => {
    const price = hardware.cost.price ?? null
    if (!isHardwarePrice(price)) return []
    return variants
      .filter((api) => api.cost.price?.kind === "tokens")
      .map((api) => {
        const perRequest = tokensPerRequest(hardware.tokens)
        const requests =
          perRequest === null
            ? unknown("the tokens per answer are unknown")
            : breakEvenQueriesPerMonth(api.cost.perQueryUsd, price, hardware.speed.systemTokensPerSecond, perRequest)
        return { hardware: hardware.name, api: api.name, requests }
      })
  })
}

function tokensPerRequest({ completion }: VariantReport["tokens"]): number | null {
  return completion.status === "known" && completion.n > 0 ? completion.value / completion.n : null
}

/** The prompt without its parts that have a rate of their own. */
function textOfPrompt({ prompt, cachedPrompt, others = {} }: VariantReport["tokens"]): Figure {
  if (prompt.status === "unknown") return prompt
  const ofPrompt = Object.entries(others).filter(([part]) => !part.endsWith("Output"))
  const separate = [cachedPrompt, ...ofPrompt.map(([, figure]) => figure)]
  const tokens = separate.reduce((sum, figure) => sum + (figureValue(figure) ?? 0), 0)
  return tokens === 0 ? prompt : { ...prompt, value: Math.max(0, prompt.value - tokens) }
}

function reasoningUsd(output: Figure | null, { completion, reasoning }: VariantReport["tokens"]): Figure | null {
  if (output?.status !== "known" || reasoning.status !== "known" || completion.status !== "known") return null
  if (completion.value === 0) return null
  return { ...output, value: (output.value * reasoning.value) / completion.value, method: "at the answer's rate" }
}
