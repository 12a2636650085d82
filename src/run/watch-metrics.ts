import type { Clock } from "../core/clock.ts"
import type { ProviderSession } from "../core/provider.ts"
import type { ServerTotals } from "../core/run/server-totals.ts"
import { createServerWindow } from "../perf/server/collect-server-window.ts"
import { readServerMetrics } from "../perf/server/read-metrics.ts"
import type { ServerWindow } from "../perf/server/server-window.ts"

/** Watches a server's own metrics while it is under load. */
export interface MetricsWatch {
  /** Reads its counters, and its gauges again and again from here on; whether it has metrics that are known. */
  begin(): Promise<boolean>
  /** Reads its counters again; whether what was sent since `begin` is in the figures: both pages could be read. */
  end(): Promise<boolean>
  /**
   * @param requests that this load sent between a `begin` and an `end` that count
   * @param failed those of them that were not answered
   */
  figures(requests: number, failed: number): ServerWindow | null
  /** What was read so far; null where it has no known metrics. */
  totals(): ServerTotals | null
}

const everyMs = 500

/** Options of a watch. */
export interface WatchOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Nobody asked for the server's metrics: they are read only where that asks no service of others for a page that it may not have. */
  readonly isUnasked?: boolean
}

/** Reads `/metrics` before and after each block, outside of what is timed, and twice a second meanwhile. */
export function watchMetrics(
  { session }: { readonly session: Pick<ProviderSession, "metricsText"> },
  { clock, signal, isUnasked }: WatchOptions,
): MetricsWatch {
  const collector = createServerWindow()
  const isKnown = (text: string) => readServerMetrics(text) !== null
  const read = async () => (await session.metricsText?.(signal, isKnown, isUnasked)) ?? null
  let stop: AbortController | null = null
  let sampling: Promise<void> = Promise.resolve()
  async function sample(until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      await clock.sleep(everyMs, until).catch(() => {})
      if (!until.aborted) collector.add(await read())
    }
  }
  return {
    async begin() {
      const text = await read()
      collector.add(text, "begin")
      if (text === null) return false
      stop = new AbortController()
      sampling = sample(AbortSignal.any([stop.signal, signal]))
      return true
    },
    async end() {
      if (stop === null) return false
      stop.abort()
      await sampling
      stop = null
      return collector.add(await read(), "end")
    },
    figures: (requests, failed) => collector.figures(requests, failed),
    totals: () => collector.totals(),
  }
}
