import { setMaxListeners } from "node:events"
import type { ClientLoad } from "../../core/client-load.ts"
import type { Clock } from "../../core/clock.ts"
import type { Answer } from "../../core/generation.ts"
import { isAnswered } from "../../core/outcome.ts"
import type { ProviderSession } from "../../core/provider.ts"
import { createNumberList } from "../../stats/number-list.ts"
import { generationFigures } from "../answer-latency.ts"
import { quantileOfSorted } from "../percentile.ts"
import { monitorClient } from "./client-monitor.ts"
import { startTruthServer } from "./start-truth-server.ts"
import type { TruthStamps } from "./truth-server.ts"

/** The load of a calibration. @experimental */
export interface CalibrationOptions {
  /** A session to the given base URL, over the transport that the run uses. */
  open(baseUrl: string): Promise<ProviderSession>
  /** Requests in flight, as in the run. */
  readonly concurrency: number
  /** Time between two chunks of one stream, as in the run. */
  readonly chunkIntervalMs: number
  readonly durationMs?: number
  readonly clock: Clock
  readonly signal: AbortSignal
}

/**
 * How far the client's stamps were from the reference, in milliseconds: absolute errors, the loopback connection included.
 * @experimental
 */
export interface ClientError {
  readonly ttftMsP50: number
  readonly ttftMsP99: number
  readonly itlMsP50: number
  readonly itlMsP99: number
  readonly requests: number
  readonly chunks: number
  readonly chunksPerSecond: number
  readonly concurrency: number
  readonly load: ClientLoad
}

/**
 * Measures the client's own error: the built-in truth server, in a process of its own, streams at the run's concurrency
 * and chunk rate (5,000 chunks a second at most) for two seconds, and every stamp is compared with the moment at which the
 * server sent the chunk. The first answer on each connection warms it and does not count. Null when nothing was answered.
 * @experimental
 */
export async function calibrateClient(options: CalibrationOptions): Promise<ClientError | null> {
  const { concurrency, clock, signal, durationMs = 2000 } = options
  const intervalMs = Math.max(options.chunkIntervalMs, (concurrency * 1000) / mostChunksPerSecond, shortestIntervalMs)
  const chunks = Math.min(200, Math.max(4, Math.round(answerMs / intervalMs)))
  setMaxListeners(0, signal)
  const server = await startTruthServer({ firstMs, intervalMs, chunks })
  try {
    const session = await options.open(server.baseUrl)
    try {
      const answers = new Map<string, Answer>()
      await session.captureLoad?.()
      const monitor = monitorClient()
      const originMs = clock.now()
      let next = 0
      const slots = Array.from({ length: concurrency }, async () => {
        // The first warms the connection, the second counts however long the first took.
        for (let round = 0; !signal.aborted && (round < 2 || clock.now() - originMs < durationMs); round++) {
          const id = String(next++)
          const answer = await session.request(
            { messages: [{ role: "user", content: `truth ${id}` }], parameters: { maxTokens: chunks } },
            { signal, timeouts, clock, originMs, scheduledMs: clock.now() },
          )
          if (round > 0 && isAnswered(answer.outcome)) answers.set(id, answer)
        }
      })
      await Promise.all(slots)
      const own = monitor.stop()
      const load = (await session.captureLoad?.()) ?? own
      return compare(answers, await server.stamps(), concurrency, load)
    } finally {
      await session.close()
    }
  } finally {
    await server.stop()
  }
}

function compare(
  answers: ReadonlyMap<string, Answer>,
  stamps: ReadonlyMap<string, TruthStamps>,
  concurrency: number,
  load: ClientLoad,
): ClientError | null {
  const ttft = createNumberList()
  const itl = createNumberList()
  for (const [id, answer] of answers) {
    const truth = stamps.get(id)
    const { ttftMs, iclMs } = generationFigures(answer)
    if (!truth || ttftMs === null) continue
    ttft.push(Math.abs(ttftMs - ((truth.sendMs[0] as number) - truth.arrivalMs)))
    iclMs.forEach((gap, i) => {
      itl.push(Math.abs(gap - ((truth.sendMs[i + 1] as number) - (truth.sendMs[i] as number))))
    })
  }
  if (ttft.length === 0 || itl.length === 0) return null
  const ttfts = ttft.sorted()
  const itls = itl.sorted()
  return {
    ttftMsP50: quantileOfSorted(ttfts, 0.5),
    ttftMsP99: quantileOfSorted(ttfts, 0.99),
    itlMsP50: quantileOfSorted(itls, 0.5),
    itlMsP99: quantileOfSorted(itls, 0.99),
    requests: ttfts.length,
    chunks: itls.length + ttfts.length,
    chunksPerSecond: ((itls.length + ttfts.length) * 1000) / load.durationMs,
    concurrency,
    load,
  }
}

const firstMs = 50
const answerMs = 400
const mostChunksPerSecond = 5000
const shortestIntervalMs = 1
const timeouts = { connectMs: 5000, firstTokenMs: 10_000, gapMs: 10_000, totalMs: 30_000 }
