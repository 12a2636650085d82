import { type Figure, figureValue } from "../../../src/core/report/figure.ts"
import type { ServerPhases } from "../../../src/core/report/server-phases.ts"
import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import { serverDisagreements } from "../../../src/perf/server/disagreements.ts"
import type { ServerWindow } from "../../../src/perf/server/server-window.ts"
import { significant } from "../../format/number.ts"

/** What the server says of a load beside what the client saw: in its answers, and in its metrics. Empty where it says nothing. */
export function serverSentences({ speed, serverWindow, clientError }: BenchLevel): readonly string[] {
  return [
    ...(speed.server ? [answersWords(speed.server)] : []),
    ...serverDisagreements(speed, clientError?.ttftMsP99 ?? null),
    ...(serverWindow ? metricsWords(serverWindow) : []),
  ]
}

/** `server's timings (llama.cpp), median ms: prefill 12, decode 340, the rest of TTFT 1.2`. */
function answersWords({ source, queueMs, loadMs, prefillMs, decodeMs, networkMs }: ServerPhases): string {
  const rest = queueMs ? "the rest of TTFT (network)" : "the rest of TTFT (network and queue)"
  const parts = [
    ["queue", queueMs],
    ["model load", loadMs],
    ["prefill", prefillMs],
    ["decode", decodeMs],
    [rest, networkMs],
  ] as const
  const known = parts.flatMap(([name, distribution]) => {
    const value = figureValue(distribution?.p50)
    return value === null ? [] : [`${name} ${significant(value)}`]
  })
  return `server's timings (${source}), median ms: ${known.join(", ")}`
}

function metricsWords(window: ServerWindow): readonly string[] {
  const { times, running, waiting, kvCacheUsage, prefixCacheHitRate, acceptance, counts } = window
  const of = (name: string, figure: Figure, scale = 1, unit = ""): readonly string[] => {
    const value = figureValue(figure)
    return value === null ? [] : [`${name} ${significant(value * scale)}${unit}`]
  }
  const phases = [
    ...of("queue", times.queueMs, 1, " ms"),
    ...of("prefill", times.prefillMs, 1, " ms"),
    ...of("decode", times.decodeMs, 1, " ms"),
    ...of("TTFT", times.ttftMs, 1, " ms"),
  ]
  const state = [
    ...of("running", running.most),
    ...of("waiting", waiting.most),
    ...of("KV cache", kvCacheUsage.most, 100, " %"),
  ]
  const rates = [
    ...of("prefix cache hits", prefixCacheHitRate, 100, " %"),
    ...of("draft tokens accepted", acceptance, 100, " %"),
    ...((figureValue(counts.preemptions) ?? 0) > 0 ? of("preemptions", counts.preemptions) : []),
  ]
  return [
    ...(phases.length > 0 ? [`${window.dialect} metrics, means: ${phases.join(", ")}`] : []),
    ...(state.length + rates.length > 0
      ? [`${window.dialect} metrics, at most: ${[...state, ...rates].join(", ")}`]
      : []),
    ...window.warnings,
  ]
}
