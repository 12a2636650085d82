import type { Figure } from "../../../src/core/report/figure.ts"
import type { RunReport, VariantReport } from "../../../src/core/report/report.ts"
import { metricCalled } from "../../../src/words/metric.ts"

/** Every reason for which something is unknown, with what and for whom, the most common first; twenty at most. */
export function unknownReasons(report: RunReport): { readonly what: string; readonly reason: string }[] {
  const reasons = new Map<string, { names: Set<string>; variants: Set<string> }>()
  for (const variant of report.variants)
    for (const [name, figure] of figuresOf(variant)) {
      if (figure.status === "known") continue
      const entry = reasons.get(figure.reason) ?? { names: new Set(), variants: new Set() }
      entry.names.add(metricCalled(report.metrics, name))
      entry.variants.add(variant.name)
      reasons.set(figure.reason, entry)
    }
  return [...reasons]
    .sort(([, a], [, b]) => b.names.size * b.variants.size - a.names.size * a.variants.size)
    .slice(0, 20)
    .map(([reason, { names, variants }]) => ({
      what: `${[...names].join(", ")} (${variants.size === report.variants.length ? "all variants" : [...variants].join(", ")})`,
      reason,
    }))
}

function figuresOf(variant: VariantReport): [string, Figure][] {
  const { speed, cost, tokens, resources } = variant
  return [
    ...variant.quality.map((qualityFigure): [string, Figure] => [qualityFigure.metric, qualityFigure.figure]),
    ["time to first token", speed.ttftMs.p50],
    ["p99 of the time to first token", speed.ttftMs.p99],
    ["end to end", speed.e2eMs.p50],
    ["p99 of end to end", speed.e2eMs.p99],
    ["time per token", speed.tpotMs.p50],
    ["system throughput", speed.systemTokensPerSecond],
    ["cost", cost.perQueryUsd],
    ["cost of judges", cost.judgeUsd],
    ["prompt tokens", tokens.prompt],
    ["completion tokens", tokens.completion],
    ["cached prompt tokens", tokens.cachedPrompt],
    ["reasoning tokens", tokens.reasoning],
    ["model size", resources.modelBytes],
    ["peak memory", resources.peakRssBytes],
    ["load time", resources.loadMs],
    ["CPU time", resources.cpuSeconds],
    ["energy", resources.energyJoules],
    ...(resources.joulesPerCorrect
      ? [["energy per correct answer", resources.joulesPerCorrect] as [string, Figure]]
      : []),
  ]
}
