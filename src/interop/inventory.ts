import type { Cost } from "../core/cost.ts"
import type { SkippedRow } from "../core/dataset.ts"
import { type ForeignLog, isRecord, type UnaskedCall } from "../core/foreign/foreign-log.ts"
import { isFailure } from "../core/outcome.ts"
import { type Figure, unknown } from "../core/report/figure.ts"
import { costOfGeneration } from "../cost/cost-of-usage.ts"
import { hoursPerMonth } from "../cost/hardware.ts"
import { findPrice, findRetirement, providerOf } from "../cost/price-book.ts"
import type { Retirement } from "../cost/prices/retirements.ts"
import { generationFigures, hasLatency } from "../perf/answer-latency.ts"
import { percentileFigure } from "../perf/percentile.ts"
import { inventoryWords as words } from "../wording/inventory.ts"
import { costReasons } from "../words/reasons/cost.ts"
import { createPromptUses, type PromptUse } from "./prompt-uses.ts"

/** Median and 95th percentile of what was measured. */
export interface Percentiles {
  readonly p50: Figure
  readonly p95: Figure
}

/** What logs say of the use of a model. */
export interface ModelUse {
  readonly model: string
  /** As the log names it, else the only one of the price book that has the model. */
  readonly provider: string | null
  readonly calls: number
  readonly callsPerDay: Figure
  /** Calls that brought no answer. */
  readonly failed: number
  /** US dollars in the time of the log, as it states them, else at list price; of what is known, with a warning where some is not. */
  readonly costUsd: Figure
  /** 0 to 1, of the cost that is known. */
  readonly costShare: Figure
  /** US dollars in 730.5 hours at the pace of the log. */
  readonly costPerMonthUsd: Figure
  readonly promptTokens: Percentiles
  readonly completionTokens: Percentiles
  readonly latencyMs: Percentiles
  readonly retires: Retirement | null
}

/** What is in use, by the logs of production. */
export interface Inventory {
  readonly calls: number
  /** ISO 8601: the first and the last call; null where no call says when it was made. */
  readonly from: string | null
  readonly to: string | null
  /** Dearest first. */
  readonly models: readonly ModelUse[]
  /** The fewest that make up 80 % of the cost that is known, dearest first; of the calls where no cost is. */
  readonly prompts: readonly PromptUse[]
  readonly allPrompts: number
  /** Calls whose question the log does not hold. */
  readonly unasked: number
  /** The first three rows that could not be read. */
  readonly skipped: readonly SkippedRow[]
  readonly skippedCount: number
}

interface Tally {
  readonly model: string
  readonly provider: string | null
  calls: number
  failed: number
  usd: number
  stated: number
  listed: number
  unpriced: string
  readonly prompt: number[]
  readonly completion: number[]
  readonly e2eMs: number[]
}

type Call = UnaskedCall["call"]

/**
 * Reads logs once and says what is in use. Memory: three numbers a call, and the words of each different prompt.
 *
 * @throws {UsageError} where a log cannot be read on
 */
export async function inventoryOf(logs: readonly ForeignLog[]): Promise<Inventory> {
  const tallies = new Map<string, Tally>()
  const prompts = createPromptUses()
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let [unasked, skippedCount] = [0, 0]
  const skipped: SkippedRow[] = []
  const add = (call: Call): number | null => {
    const at = call.startedAtMs
    if (at !== undefined && Math.abs(at) < 8.64e15) [first, last] = [Math.min(first, at), Math.max(last, at)]
    const key = JSON.stringify([call.variant, call.provider ?? null])
    const tally = tallies.get(key) ?? emptyTally(call)
    tallies.set(key, tally)
    return addCall(tally, call)
  }
  for (const log of logs)
    for await (const read of log.records()) {
      if (isRecord(read)) {
        if (read.answer) prompts.add(read.sample.input, read.variant, add(read))
      } else if ("call" in read) {
        unasked++
        add(read.call)
      } else if (skippedCount++ < 3) skipped.push(read)
    }
  const spanMs = last - first
  const total = [...tallies.values()].reduce((sum, { usd }) => sum + usd, 0)
  const models = [...tallies.values()].map((tally) => useOf(tally, total, spanMs))
  models.sort((a, b) => knownValue(b.costUsd) - knownValue(a.costUsd) || b.calls - a.calls)
  const isoOf = (ms: number) => (Number.isFinite(ms) ? new Date(ms).toISOString() : null)
  return {
    calls: models.reduce((sum, { calls }) => sum + calls, 0),
    from: isoOf(first),
    to: isoOf(last),
    models,
    ...prompts.dearest(0.8),
    unasked,
    skipped,
    skippedCount,
  }
}

const knownValue = (figure: Figure) => (figure.status === "known" ? figure.value : 0)

function emptyTally({ variant: model, provider }: Call): Tally {
  return {
    provider: provider ?? providerOf(model),
    model,
    calls: 0,
    failed: 0,
    usd: 0,
    stated: 0,
    listed: 0,
    unpriced: words.noCost,
    prompt: [],
    completion: [],
    e2eMs: [],
  }
}

/** @returns what the call cost in US dollars, null where that is unknown */
function addCall(tally: Tally, { answer, isCached }: Call): number | null {
  tally.calls++
  if (!answer) return null
  if (isFailure(answer.outcome)) tally.failed++
  const { promptTokens, completionTokens } = answer.usage
  if (promptTokens !== null) tally.prompt.push(promptTokens)
  if (completionTokens !== null) tally.completion.push(completionTokens)
  const e2eMs = hasLatency(answer) ? generationFigures(answer).e2eMs : null
  if (e2eMs !== null) tally.e2eMs.push(e2eMs)
  const statedCost = isCached ? free : answer.cost.status === "known" ? answer.cost : null
  const price = tally.provider === null || statedCost ? null : findPrice(tally.provider, tally.model)
  const cost = statedCost ?? costOfGeneration({ ...answer, retries: [] }, price)
  if (cost.status === "unknown") {
    tally.unpriced = cost.reason
    return null
  }
  tally.usd += cost.usd
  if (statedCost) tally.stated++
  else tally.listed++
  return cost.usd
}

const free: Cost = { status: "known", usd: 0, parts: {} }

function useOf(tally: Tally, total: number, spanMs: number): ModelUse {
  const { model, provider, calls, failed, usd, stated, listed, unpriced } = tally
  const n = stated + listed
  const method = words.costSum(stated, listed)
  const warning = n < calls ? { warning: costReasons.someUnknown(calls - n, calls, unpriced) } : {}
  const costUsd: Figure = n === 0 ? unknown(unpriced) : { status: "known", value: usd, n, method, ...warning }
  const pace = (value: number, how: string): Figure => {
    if (!(spanMs >= 0)) return unknown(words.noMoments)
    return spanMs < dayMs ? unknown(words.tooShort(spanMs)) : { status: "known", value, n: calls, method: how }
  }
  const monthly = pace((usd / spanMs) * hoursPerMonth * (dayMs / 24), words.month)
  return {
    model,
    provider,
    calls,
    failed,
    costUsd,
    callsPerDay: pace((calls / spanMs) * dayMs, words.callCount),
    costShare:
      n === 0 || total === 0
        ? unknown(words.noCost)
        : { status: "known", value: usd / total, n, method: words.costShare, ...warning },
    costPerMonthUsd: n === 0 ? costUsd : monthly.status === "known" ? { ...monthly, n, ...warning } : monthly,
    promptTokens: percentilesOf(tally.prompt, words.noTokens),
    completionTokens: percentilesOf(tally.completion, words.noTokens),
    latencyMs: percentilesOf(tally.e2eMs, words.noLatency),
    retires: findRetirement(provider, model),
  }
}

const dayMs = 86_400_000

function percentilesOf(values: readonly number[], whenEmpty: string): Percentiles {
  const sorted = Float64Array.from(values).sort()
  const at = (percent: number) => (sorted.length === 0 ? unknown(whenEmpty) : percentileFigure(sorted, percent))
  return { p50: at(50), p95: at(95) }
}
