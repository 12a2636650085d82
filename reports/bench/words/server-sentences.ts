import { type Figure, figureValue } from "../../../src/core/report/figure.ts"
import type { ServerPhases } from "../../../src/core/report/server-phases.ts"
import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import { levelSplit } from "../../../src/perf/bench/level-split.ts"
import { serverDisagreements } from "../../../src/perf/server/disagreements.ts"
import type { FirstTokenSplit } from "../../../src/perf/server/first-token-split.ts"
import type { ServerWindow } from "../../../src/perf/server/server-window.ts"
import { significant } from "../../format/number.ts"

/** What the server says of a load beside what the client saw: in its answers, and in its metrics. Empty where it says nothing. */
export function serverSentences(level: BenchLevel): readonly string[] {
  const { speed, serverWindow, clientError } = level
  const split = levelSplit(level)
  return [
    ...(speed.server ? [answersWords(speed.server)] : []),
    ...serverDisagreements(speed, clientError?.ttftMsP99 ?? null),
    ...(serverWindow ? metricsWords(serverWindow) : []),
    ...(serverWindow && split ? [...splitWords(serverWindow, split), ...split.disagreements] : []),
  ]
}

/** `of the first token's 56 ms (mean) the server was 20 in the queue and 30 at the prompt; the rest, 6 ms, is network, HTTP and the tokenizer`. */
function splitWords({ dialect, times }: ServerWindow, { clientMs, prefillMs, networkMs }: FirstTokenSplit) {
  const [client, rest] = [figureValue(clientMs), figureValue(networkMs)]
  if (client === null || rest === null) return []
  const parts = [
    ["in the queue", times.queueMs],
    ["at the prompt", prefillMs],
  ] as const
  const known = parts.flatMap(([where, figure]) => {
    const value = figureValue(figure)
    return value === null ? [] : [`${significant(value)} ${where}`]
  })
  const spent = known.length > 0 ? known.join(" and ") : `${significant(client - rest)} at work`
  // llama.cpp states when it read, not how long a request had waited for that.
  const isQueueIn = times.queueMs.status === "unknown" && times.ttftMs.status === "unknown"
  const others = `${isQueueIn ? "the queue, " : ""}network, HTTP and the tokenizer`
  return [
    `of TTFT ${significant(client)} ms (mean) ${dialect} was ${spent}; the rest, ${significant(rest)} ms, is ${others}`,
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
  const { times, running, waiting, kvCacheUsage, prefixCacheHitRate, acceptance, acceptedLength, counts } = window
  const positions = window.acceptedByPosition.flatMap((figure) => figureValue(figure) ?? [])
  const of = (name: string, figure: Figure, scale = 1, unit = ""): readonly string[] => {
    const value = figureValue(figure)
    return value === null ? [] : [`${name} ${significant(value * scale)}${unit}`]
  }
  const phases = [
    ...of("queue", times.queueMs, 1, " ms"),
    ...of("prefill", times.prefillMs, 1, " ms"),
    ...of("decode", times.decodeMs, 1, " ms"),
    ...of("TTFT", times.ttftMs, 1, " ms"),
    ...of("between tokens", times.interTokenMs, 1, " ms"),
  ]
  const state = [
    ...of("running", running.most),
    ...of("waiting", waiting.most),
    ...of("KV cache", kvCacheUsage.most, 100, " %"),
  ]
  const rates = [
    ...of("prefix cache hits", prefixCacheHitRate, 100, " %"),
    ...of("draft tokens accepted", acceptance, 100, " %"),
    ...(positions.length > 0
      ? [`by position ${positions.map((share) => significant(share * 100)).join(" / ")} %`]
      : []),
    ...of("tokens a guess", acceptedLength),
    ...((figureValue(counts.preemptions) ?? 0) > 0 ? of("preemptions", counts.preemptions) : []),
  ]
  const tails = percentileWords(window)
  return [
    ...(phases.length > 0 ? [`${window.dialect} metrics, means: ${phases.join(", ")}`] : []),
    ...(tails.length > 0 ? [`${window.dialect} metrics, p99 by its histograms: ${tails.join(", ")}`] : []),
    ...(state.length + rates.length > 0
      ? [`${window.dialect} metrics, at most: ${[...state, ...rates].join(", ")}`]
      : []),
    ...window.warnings,
  ]
}

/** `queue between 300 and 500 ms`: a histogram says no more. */
function percentileWords({ percentiles }: ServerWindow): readonly string[] {
  const names = { queueMs: "queue", ttftMs: "TTFT", e2eMs: "whole answer" } as const
  return (Object.keys(names) as (keyof typeof names)[]).flatMap((name) => {
    const { p99 } = percentiles[name]
    if (p99.status === "unknown") return []
    const { low = null, high = null } = p99
    return [
      `${names[name]} ${high === null ? `above ${significant(low ?? p99.value)} ms` : `between ${significant(low ?? 0)} and ${significant(high)} ms`}`,
    ]
  })
}
