import { type Figure, unknown } from "../core/report/figure.ts"
import type { Distribution, VariantReport } from "../core/report/report.ts"
import { stagePrefix } from "../core/report/tracked-figures.ts"
import { estimateMethods, estimateReasons } from "../words/reasons/estimate.ts"

/**
 * Finds a figure of a variant's report by its name: a metric, `ttftMs` (median), `e2eMs.p95`, `costUsd` (per query), `memoryBytes` (resident and on GPUs, at its peak),
 * `stages.retrieve.p95`, `perThousandUsd`, `availability`, `peakRssBytes`, `systemTokensPerSecond` … Unknown when the report has none.
 */
export function reportFigure(variant: VariantReport, name: string): Figure {
  const quality = variant.quality.find(({ metric }) => metric === name)
  if (quality) return quality.figure
  if (name === "availability") return variant.availability
  if (name === "memoryBytes") return memoryOf(variant)
  if (name === "costUsd") return variant.cost.perQueryUsd
  if (name.startsWith(stagePrefix)) return stageFigure(variant, name.slice(stagePrefix.length))
  const [named = "", tail = "p50"] = name.split(".")
  // Where nothing sets it apart, the first token of any kind is the answer's, and an answer's only attempt brought it.
  const head = Object.hasOwn(variant.speed, named) ? named : (sameFigures.get(named) ?? named)
  const groups: readonly object[] = [
    variant.reliability ?? {},
    variant.cost,
    variant.resources,
    variant.tokens,
    variant.speed,
    variant.text,
  ]
  for (const group of groups) {
    const value: unknown = Object.hasOwn(group, head) ? Reflect.get(group, head) : undefined
    if (isFigure(value)) return value
    if (isDistribution(value) && tail === "max") return largestOf(value)
    if (isDistribution(value)) {
      const part: unknown = Object.hasOwn(value, tail) ? Reflect.get(value, tail) : undefined
      if (isFigure(part)) return part
    }
  }
  return unknown(estimateReasons.noFigure(name))
}

/** What a figure is where the report does not have it apart. */
const sameFigures: ReadonlyMap<string, string> = new Map([
  ["ttfoMs", "ttftMs"],
  ["ttftAnyMs", "ttftMs"],
  ["attemptTtftMs", "ttftMs"],
  ["attemptE2eMs", "e2eMs"],
])

/** The largest of all values: exact of what was seen, and no bound of what will be. */
function largestOf({ percentiles, p50 }: Distribution): Figure {
  const value = percentiles.at(-1)
  if (value === undefined || p50.status === "unknown") return p50
  return { status: "known", value, n: p50.n, method: estimateMethods.largest }
}

/** Resident memory, and what its processes held on GPUs where that was measured. */
function memoryOf({ resources: { peakRssBytes, gpuMemoryBytes } }: VariantReport): Figure {
  if (peakRssBytes.status === "unknown" || gpuMemoryBytes.status !== "known") return peakRssBytes
  const value = peakRssBytes.value + gpuMemoryBytes.value
  return { status: "known", value, n: 1, method: `${peakRssBytes.method}, and ${gpuMemoryBytes.method}` }
}

function stageFigure({ speed }: VariantReport, name: string): Figure {
  const [stage = "", tail = "p50"] = name.split(".")
  const distribution = speed.stages && Object.hasOwn(speed.stages, stage) ? speed.stages[stage] : undefined
  if (!distribution) return unknown(estimateReasons.noStage(stage))
  const part: unknown = Object.hasOwn(distribution, tail) ? Reflect.get(distribution, tail) : undefined
  return isFigure(part) ? part : unknown(estimateReasons.noStageFigure(tail))
}

function isFigure(value: unknown): value is Figure {
  return typeof value === "object" && value !== null && "status" in value
}

function isDistribution(value: unknown): value is Distribution {
  return typeof value === "object" && value !== null && "p50" in value && "p99" in value
}
