import type { Generation } from "../../core/generation.ts"
import { isAnswered } from "../../core/outcome.ts"
import type { ResourceUsage } from "../../core/provider.ts"
import { type Figure, unknown } from "../../core/report/figure.ts"
import type { VariantReport } from "../../core/report/report.ts"
import type { EnergyFactors } from "../../core/run/energy-factors.ts"
import type { LoadRates } from "../../perf/throughput.ts"
import { normalQuantile } from "../../stats/distributions.ts"
import { inverseToRate } from "../../stats/intervals/inverse-to-rate.ts"
import { energyNotes } from "../../wording/energy.ts"
import { methods } from "../../wording/methods.ts"
import { noFigure } from "../../wording/reasons.ts"
import { speedReasons } from "../../words/perf/speed.ts"
import { costReasons } from "../../words/reasons/cost.ts"

type EnergyFigures = Pick<
  VariantReport["resources"],
  | "energyJoules"
  | "joulesPerAnswer"
  | "joulesPerToken"
  | "joulesPerCorrect"
  | "meanWatts"
  | "gpuMemoryBytes"
  | "electricityUsdPerAnswer"
  | "electricityUsdPerCorrect"
  | "gramsCo2PerAnswer"
  | "gramsCo2PerCorrect"
>

/** Counts what the energy of a variant is divided by. */
export interface EnergyCounter {
  /** @param correct score of the quality axis, 0..1; null when unscored */
  add(generation: Pick<Generation, "source" | "outcome" | "usage">, correct: number | null): void
  /**
   * @param missing why nothing is known of the variant's resources
   * @param rates what the server brought in a second: its share of each answer is as unsure as they are
   */
  figures(resources: ResourceUsage | null | undefined, missing: string, rates?: LoadRates): EnergyFigures
}

/** Joules of a kilowatt-hour. */
const joulesPerKwh = 3.6e6

/**
 * Energy of a variant's server while it had requests, GPU and processors together, and its share of each answer, output token and correct
 * answer: without loading the model and without idle time. What failed and was retried is in the sum. Answers that were not asked for in
 * this run count nowhere.
 *
 * @param alpha 1 − the level of the intervals, which hold the error of reading the power now and then, and of what is divided by that of
 *   how much the server brings in a second
 * @param factors what a kilowatt-hour costs and emits, as the config states it; without them those figures are unknown
 */
export function createEnergyCounter(alpha = 0.05, factors?: EnergyFactors): EnergyCounter {
  const counts = { answers: 0, tokens: 0, correct: 0, uncounted: 0, scored: 0 }
  return {
    add({ source, outcome, usage }, correct) {
      if (source !== "measured" || !isAnswered(outcome)) return
      counts.answers++
      if (usage.completionTokens === null) counts.uncounted++
      counts.tokens += usage.completionTokens ?? 0
      if (correct !== null) counts.scored++
      counts.correct += correct ?? 0
    },
    figures(resources, missing, rates) {
      const energy = energyOf(resources, missing, normalQuantile(1 - alpha / 2))
      const per = (count: number, what: string, none: string, rate?: Figure): Figure => {
        if (energy.status === "unknown") return energy
        if (count <= 0) return unknown(none)
        const scaled = (value: number | null | undefined) => (value == null ? null : value / count)
        const figure: Figure = {
          ...energy,
          value: energy.value / count,
          low: scaled(energy.low),
          high: scaled(energy.high),
          n: Math.round(count),
          method: `${energy.method}, over ${what}`,
        }
        return rate ? inverseToRate(figure, rate) : figure
      }
      const seconds = (resources?.servingMs ?? 0) / 1000
      const gpuMemory = resources?.gpu?.peakMemoryBytes ?? null
      const joulesPerAnswer = per(counts.answers, "answers", noFigure.noAnswerHere, rates?.requestsPerSecond)
      const joulesPerCorrect =
        counts.scored === 0
          ? unknown(costReasons.noCorrectness)
          : per(counts.correct, "correct answers", costReasons.noneCorrect, rates?.correctPerSecond)
      const { usdPerKwh, gramsCo2PerKwh, source } = factors ?? {}
      const priced = (figure: Figure, factor: number | undefined, what: string): Figure =>
        factor === undefined
          ? unknown(noFigure.noKilowattHour(what, what === "price" ? "usdPerKwh" : "gramsCo2PerKwh"))
          : timesFactor(
              figure,
              factor / joulesPerKwh,
              `${factor} ${what === "price" ? "USD" : "g CO2e"} per kWh (${source})`,
            )
      return {
        energyJoules: energy,
        joulesPerAnswer,
        electricityUsdPerAnswer: priced(joulesPerAnswer, usdPerKwh, "price"),
        electricityUsdPerCorrect: priced(joulesPerCorrect, usdPerKwh, "price"),
        gramsCo2PerAnswer: priced(joulesPerAnswer, gramsCo2PerKwh, "emission"),
        gramsCo2PerCorrect: priced(joulesPerCorrect, gramsCo2PerKwh, "emission"),
        joulesPerToken:
          counts.uncounted > 0
            ? unknown(speedReasons.someUncounted)
            : per(counts.tokens, "output tokens", noFigure.noTokens, rates?.tokensPerSecond),
        joulesPerCorrect,
        meanWatts: per(seconds, methods.busySeconds, noFigure.idleServer),
        gpuMemoryBytes:
          gpuMemory === null
            ? unknown(resources?.gpu ? noFigure.silentDriver : gpuReason(resources, missing))
            : {
                status: "known",
                value: gpuMemory,
                n: 1,
                method: methods.gpuMemory,
              },
      }
    },
  }
}

function timesFactor(figure: Figure, factor: number, by: string): Figure {
  if (figure.status === "unknown") return figure
  const scaled = (value: number | null | undefined) => (value == null ? null : value * factor)
  return {
    ...figure,
    value: figure.value * factor,
    low: scaled(figure.low),
    high: scaled(figure.high),
    method: `${figure.method}; ${by}`,
  }
}

function energyOf(resources: ResourceUsage | null | undefined, missing: string, z: number): Figure {
  const { gpu, cpuEnergy } = resources ?? {}
  const gpuJoules = gpu?.energyIsValid === false ? null : (gpu?.energyJoules ?? null)
  const cpuJoules = cpuEnergy?.joules ?? null
  const usesGpu = gpu !== null && gpu !== undefined
  if ((usesGpu && gpuJoules === null) || (!usesGpu && cpuJoules === null)) {
    if (usesGpu) return unknown(gpu.energyReason ?? noFigure.energyNotOnRecord)
    const why = [gpuReason(resources, missing), cpuEnergy?.reason].filter((reason) => reason != null)
    return unknown([...new Set(why)].join("; "))
  }
  const value = (gpuJoules ?? 0) + (cpuJoules ?? 0)
  // The error of the readings; a counter's and a sensor's own is not in it.
  const error = z * Math.hypot(gpu?.energyErrorJoules ?? 0, cpuEnergy?.errorJoules ?? 0)
  const parts = [
    ...(gpuJoules === null ? [] : [`GPU power${gpu?.powerIsMean ? " (mean of a second)" : ""}`]),
    ...(cpuJoules === null ? [] : [cpuEnergy?.source ?? "processor packages (RAPL)"]),
  ]
  const left = cpuJoules === null && usesGpu ? `, without the processors (${cpuEnergy?.reason ?? "not read"})` : ""
  const warning = [
    ...(gpu?.sharedWith ? [energyNotes.shared(gpu.sharedWith)] : []),
    ...(gpu?.powerIsMean ? [energyNotes.meanOfSecond] : []),
  ].join("; ")
  return {
    status: "known",
    value,
    low: Math.max(0, value - error),
    high: value + error,
    n: 1,
    method: methods.energy(parts.join(" and "), left),
    ...(warning && { warning }),
  }
}

function gpuReason(resources: ResourceUsage | null | undefined, missing: string): string {
  return resources?.reason ?? missing
}
