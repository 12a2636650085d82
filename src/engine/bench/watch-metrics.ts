import type { Clock } from "../../core/clock.ts"
import { readServerMetrics } from "../../perf/server/read-metrics.ts"
import { createServerWindow, type ServerWindow } from "../../perf/server/server-window.ts"
import type { BenchTarget } from "./measure-level.ts"

/** Watches a server's own metrics while it is under load. */
export interface MetricsWatch {
  /** Reads its counters, and its gauges again and again from here on. */
  begin(): Promise<void>
  /** Reads its counters again. */
  end(): Promise<void>
  /** @param requests that this load sent */
  figures(requests: number): ServerWindow | null
}

const everyMs = 500

/** Reads `/metrics` before and after each block, outside of what is timed, and twice a second meanwhile. */
export function watchMetrics(
  { session }: Pick<BenchTarget, "session">,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): MetricsWatch {
  const collector = createServerWindow()
  const isKnown = (text: string) => readServerMetrics(text) !== null
  const read = async () => (await session.metricsText?.(signal, isKnown)) ?? null
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
      if (text === null) return
      stop = new AbortController()
      sampling = sample(AbortSignal.any([stop.signal, signal]))
    },
    async end() {
      if (stop === null) return
      stop.abort()
      await sampling
      stop = null
      collector.add(await read(), "end")
    },
    figures: (requests) => collector.figures(requests),
  }
}
