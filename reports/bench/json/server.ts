import type { JsonObject, JsonValue } from "../../../src/core/json.ts"
import { type Figure, figureValue } from "../../../src/core/report/figure.ts"
import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import type { BenchResult } from "../../../src/perf/bench/bench-result.ts"
import { levelSplit } from "../../../src/perf/bench/level-split.ts"
import { type PromptCacheSide, unreportedReason } from "../../../src/perf/prompt-cache.ts"
import { restOfFirstTokens, serverDisagreements } from "../../../src/perf/server/disagreements.ts"
import type { GaugeRange, ServerWindow } from "../../../src/perf/server/server-window.ts"
import { boundsOf, snakeJson } from "./figures.ts"

/** What the server's own metrics say, and what its answers' timings say; null where it says nothing. */
export function serverJson(level: BenchLevel): JsonValue {
  const { serverWindow, speed } = level
  const { server } = speed
  if (serverWindow === null && server === undefined) return null
  const values = (figures: Readonly<Record<string, Figure>> = {}): JsonObject =>
    Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, figureValue(figure)]))
  const range = ({ mean, most }: GaugeRange): JsonObject => ({ mean: figureValue(mean), most: figureValue(most) })
  const split = levelSplit(level)
  return {
    metrics: serverWindow && {
      dialect: serverWindow.dialect,
      mean_ms: values(serverWindow.times),
      percentiles_ms: percentilesJson(serverWindow),
      counts: values(serverWindow.counts),
      running: range(serverWindow.running),
      waiting: range(serverWindow.waiting),
      kv_cache_usage: range(serverWindow.kvCacheUsage),
      prefix_cache_hit_rate: figureValue(serverWindow.prefixCacheHitRate),
      acceptance: figureValue(serverWindow.acceptance),
      accepted_by_position: serverWindow.acceptedByPosition.map(figureValue),
      accepted_length: figureValue(serverWindow.acceptedLength),
      first_token: split && {
        client_ms: figureValue(split.clientMs),
        queue_ms: figureValue(serverWindow.times.queueMs),
        prefill_ms: figureValue(split.prefillMs),
        rest_ms: figureValue(split.networkMs),
        reason: split.networkMs.status === "unknown" ? split.networkMs.reason : null,
      },
      warnings: [...serverWindow.warnings],
    },
    answers: server
      ? snakeJson({
          source: server.source,
          n: server.answers,
          queueMs: server.queueMs?.p50,
          prefillMs: server.prefillMs?.p50,
          decodeMs: server.decodeMs?.p50,
          networkMs: restOfFirstTokens(speed, level.clientError?.ttftMsP99 ?? null),
        })
      : null,
    disagreements: [
      ...serverDisagreements(speed, level.clientError?.ttftMsP99 ?? null),
      ...(split?.disagreements ?? []),
    ],
  }
}

/** Of each time that the server keeps in buckets: its percentile and the edges between which it lies; an upper edge of null: above the last. */
function percentilesJson({ percentiles }: ServerWindow): JsonObject {
  const entry = (figure: Figure): JsonValue =>
    figure.status === "known" ? { value: figure.value, interval: [...boundsOf(figure)] } : null
  return Object.fromEntries(
    Object.entries(percentiles).flatMap(([name, { p50, p99 }]) =>
      p50.status === "known" ? [[name, { p50: entry(p50), p99: entry(p99) }]] : [],
    ),
  )
}

/** Hits and misses of the prompt cache side by side; `asked` is what the prompts were made for. */
export function promptCacheJson({ promptCache, askedCache }: BenchLevel): JsonObject {
  const { hit, miss, unreported } = promptCache
  return {
    asked: askedCache?.use ?? null,
    of: askedCache?.of ?? null,
    hit: sideJson(hit),
    miss: sideJson(miss),
    unreported,
    reason: unreportedReason(promptCache),
  }
}

function sideJson({ answers, promptTokens, cachedShare, ttftMs, costUsd }: PromptCacheSide): JsonObject {
  const times = { ttft_ms_p50: ttftMs, ttft_ms_p50_interval: [...boundsOf(ttftMs)] }
  return snakeJson({ n: answers, promptTokens, cachedShare, ...times, costUsd })
}

/** The first request of a variant, and what its server took to load; null where there was none. */
export function coldStartJson({ coldStarts, resources }: BenchResult, variant: string): JsonValue {
  const cold = coldStarts.get(variant)
  if (!cold) return null
  const { outcome, connectMs, ttftMs, e2eMs } = cold
  const { loadMs, downloadMs, firstTokenMs } = resources.get(variant) ?? {}
  return snakeJson({ outcome, connectMs, ttftMs, e2eMs, server: snakeJson({ downloadMs, loadMs, firstTokenMs }) })
}

/** What the server used while it was measured; null where evalkit does not see it. */
export function resourcesJson({ resources }: BenchResult, variant: string): JsonValue {
  const used = resources.get(variant)
  if (!used) return null
  const { peakRssBytes, rssOverIdleBytes, cpuSeconds, modelBytes, loadMs, gpu, reason } = used
  const sizes = { peakRssBytes, rssOverIdleBytes, cpuSeconds, modelBytes }
  return snakeJson({ ...sizes, loadMs, gpu: gpu && { ...gpu }, reason })
}
