import { isDeepStrictEqual } from "node:util"
import type { Price } from "../core/cost.ts"
import { type Figure, figureValue, unknown } from "../core/report/figure.ts"
import { isHardwarePrice, usdPerBusySecond } from "../cost/hardware.ts"
import type { BenchLevel } from "../perf/bench/bench-level.ts"
import type { BenchResult } from "../perf/bench/bench-result.ts"
import { type Capacity, capacityOf } from "../perf/bench/capacity.ts"
import type { Choice, Setting, SettingState } from "../perf/bench/choice.ts"
import { isMostlyLost } from "../perf/bench/mostly-lost.ts"
import { benchMethods, benchReasons } from "../words/reasons/bench.ts"

/** What a choice is made from. */
export type ChoiceSource = Pick<BenchResult, "levels" | "searches" | "resources" | "slo" | "failedStarts">

type Measured = Omit<Setting, "isOnFrontier">
type Rated = Measured & { readonly capacity: Capacity }

/** The cheapest setting that keeps the objectives, of the variants of a bench, and the frontier of all that do. */
export function chooseSetting(choiceSource: ChoiceSource): Choice {
  const variants = new Set([
    ...choiceSource.levels.map(({ variant }) => variant),
    ...(choiceSource.failedStarts?.keys() ?? []),
  ])
  const all = [...variants].map((variant) => settingOf(choiceSource, variant))
  const kept = rated(all)
  const by = kept.every(({ perThousandUsd }) => perThousandUsd.status === "known") ? "usd" : "requests"
  const settings = all.map((measured) => ({
    ...measured,
    isOnFrontier: rated([measured]).some((own) => isOnFrontier(own, kept)),
  }))
  const sorted = rated(settings).toSorted((a, b) => costOf(a, by).value - costOf(b, by).value)
  const best = sorted
    .flatMap(({ capacity }) => qualityOf(capacity.level) ?? [])
    .reduce<Bounded | null>((max, bounded) => (max && max.value >= bounded.value ? max : bounded), null)
  const isWorse = ({ capacity }: Rated) => isAbove(best, qualityOf(capacity.level))
  const cheapest = sorted.find((entry) => !isWorse(entry)) ?? null
  const limit = (cheapest && costOf(cheapest, by).high) ?? Number.POSITIVE_INFINITY
  return {
    settings: [...sorted, ...settings.filter(({ capacity }) => capacity === null)],
    by,
    cheapest,
    ties: sorted.filter((entry) => entry !== cheapest && !isWorse(entry) && (costOf(entry, by).low ?? 0) <= limit),
    worse: cheapest ? sorted.slice(0, sorted.indexOf(cheapest)) : [],
  }
}

function rated<T extends Measured>(all: readonly T[]): readonly (T & Rated)[] {
  return all.flatMap((entry) => (entry.capacity ? [{ ...entry, capacity: entry.capacity }] : []))
}

/** What a setting must carry to be worth more than one level of load. */
export interface Rival {
  /** Requests a second: at this rate it costs as much as the cheapest setting so far at the lower bound of its capacity. */
  readonly rate: number
  /** Whether a level whose rate is missed leaves nothing to find: its quality is not above the rival's. */
  isBeaten(level: BenchLevel | undefined): boolean
}

/** The cheapest setting so far, as a rival of one with this price; null where there is none, or their costs cannot be compared. */
export function rivalOf(choiceSource: ChoiceSource, price: Price | null): Rival | null {
  const { cheapest, by } = chooseSetting(choiceSource)
  const { capacity = null } = cheapest ?? {}
  if (!capacity || (by === "usd") !== isHardwarePrice(price)) return null
  const { level, low, requestsPerSecond } = capacity
  // Where so few levels say nothing of a lower bound, the estimate is what another setting must carry.
  const carried = low ?? requestsPerSecond
  const perSecond = (own: Price | null) => (isHardwarePrice(own) ? usdPerBusySecond(own) : 1)
  return {
    rate: (carried * perSecond(price)) / perSecond(level.price),
    isBeaten: (own) => own !== undefined && !isAbove(qualityOf(own), qualityOf(level)),
  }
}

function settingOf(choiceSource: ChoiceSource, variant: string): Measured {
  const levels = choiceSource.levels.filter((level) => level.variant === variant)
  const capacity = capacityOf(levels, choiceSource.slo, choiceSource.searches.get(variant))
  const { peakRssBytes = null, gpu = null } = choiceSource.resources.get(variant) ?? {}
  const failure = choiceSource.failedStarts?.get(variant) ?? null
  return {
    variant,
    state: capacity ? "kept" : stateOf(failure, levels, choiceSource.searches.get(variant)?.isBeaten === true),
    failure,
    capacity,
    perThousandUsd: capacity ? perThousand(capacity) : unknown(benchReasons.noCapacity),
    memoryBytes: gpu?.peakMemoryBytes ?? peakRssBytes,
  }
}

function stateOf(failure: string | null, levels: readonly BenchLevel[], isBeaten: boolean): SettingState {
  if (failure !== null) return "failed"
  if (isBeaten) return "beaten"
  const isJudged = levels.some((level) => !isMostlyLost(level) && level.sloAttainment.status === "known")
  return isJudged ? "missed" : "unmeasured"
}

function perThousand({ requestsPerSecond, low, high, level: { price, answered } }: Capacity): Figure {
  if (!isHardwarePrice(price)) return unknown(benchReasons.noHardwarePrice)
  const usd = (rate: number) => (1000 * usdPerBusySecond(price)) / rate
  const bounds = { low: high && usd(high), high: low && usd(low) }
  return { status: "known", value: usd(requestsPerSecond), ...bounds, n: answered, method: benchMethods.atCapacity }
}

/** A value with its interval; a null bound is not known. */
interface Bounded {
  readonly value: number
  readonly low: number | null
  readonly high: number | null
}

/** Dollars, or seconds of the server for a request: less is better in both. */
function costOf({ perThousandUsd, capacity }: Rated, by: Choice["by"]): Bounded {
  const usd = boundedOf(perThousandUsd)
  if (by === "usd" && usd) return usd
  const { requestsPerSecond, low, high } = capacity
  return { value: 1 / requestsPerSecond, low: high && 1 / high, high: low && 1 / low }
}

/** The primary metric of a level, turned so that more is better; null where it is not known. */
function qualityOf(level: BenchLevel): Bounded | null {
  const quality = boundedOf(level.quality)
  const isLower = level.metrics.find(({ figure }) => isDeepStrictEqual(figure, level.quality))?.direction === "lower"
  if (!quality || !isLower) return quality
  const { value, low, high } = quality
  return { value: -value, low: high === null ? null : -high, high: low === null ? null : -low }
}

/** Whether one value lies above another beyond both intervals. */
function isAbove(first: Bounded | null, second: Bounded | null): boolean {
  return (first?.low ?? Number.NEGATIVE_INFINITY) > (second?.high ?? Number.POSITIVE_INFINITY)
}

function boundedOf(figure: Figure): Bounded | null {
  return figure.status === "known" ? { value: figure.value, low: figure.low ?? null, high: figure.high ?? null } : null
}

/** Where no other is as good in everything and better in something; what neither knows counts for neither. */
function isOnFrontier(setting: Rated, kept: readonly Rated[]): boolean {
  const own = axesOf(setting)
  return !kept.some((other) => {
    const theirs = axesOf(other)
    const isAsGood = own.every((value, i) => value === theirs[i] || (value ?? Number.NaN) >= (theirs[i] ?? Number.NaN))
    return isAsGood && own.some((value, i) => value !== theirs[i])
  })
}

/** Less is better. */
function axesOf(setting: Rated): readonly (number | null)[] {
  const { requestsPerSecond, level } = setting.capacity
  const quality = qualityOf(level)
  return [
    -requestsPerSecond,
    figureValue(level.speed.ttftMs.p95),
    figureValue(level.speed.tpotMs.p95),
    figureValue(setting.perThousandUsd),
    quality && -quality.value,
  ]
}
