import { setMaxListeners } from "node:events"
import type { ClientLoad } from "../../core/client-load.ts"
import type { Clock } from "../../core/clock.ts"
import type { Answer } from "../../core/generation.ts"
import { isAnswered } from "../../core/outcome.ts"
import type { ModelRequest, ProviderSession } from "../../core/provider.ts"
import { createRandom } from "../../core/random.ts"
import { createNumberList } from "../../stats/number-list.ts"
import { generationFigures } from "../answer-latency.ts"
import { drawArrivals } from "../load/arrivals.ts"
import { monitorClient } from "./client-monitor.ts"
import { startTruthServer } from "./start-truth-server.ts"
import { statedOfWorstQuarter, statedPercentile } from "./stated-error.ts"
import type { TruthSettings, TruthStamps } from "./truth-server.ts"

/** The load of a calibration. @experimental */
export interface CalibrationOptions {
  /** A session to the given base URL, over the transport that the run uses. */
  open(baseUrl: string): Promise<ProviderSession>
  /** Requests in flight, as in the run. */
  readonly concurrency: number
  /** Time between two chunks of one stream, as in the run. */
  readonly chunkIntervalMs: number
  /** Of an open loop: its rate, and what its answers are like. Absent: as many slots as `concurrency`. */
  readonly openLoop?: OpenCalibration
  readonly durationMs?: number
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** The open loop that a calibration imitates. @experimental */
export interface OpenCalibration {
  readonly ratePerSecond: number
  readonly ttftMs: number
  readonly e2eMs: number
}

/**
 * How far the client's stamps were from the reference, in milliseconds: absolute errors, the loopback connection included. Of each percentile the
 * upper end of its interval, of the median and of the gaps' p99 that of the worst quarter of the time; of a level no less than what the load itself showed of the client's lateness.
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
 * and chunk rate (5,000 chunks a second at most) for two seconds or as long as is wanted, and every stamp is compared with the moment at which the
 * server sent the chunk. The first answer on each connection warms it and does not count. An open loop is imitated as one where the session
 * holds requests, over open connections; all of its requests count, since the code of the load's own threads was as cold when that began. Null
 * when nothing was answered.
 * @experimental
 */
export async function calibrateClient(options: CalibrationOptions): Promise<ClientError | null> {
  const { concurrency, signal } = options
  setMaxListeners(0, signal)
  const open = imitated(options)
  const server = await startTruthServer(open?.answers ?? truthAnswers(options))
  try {
    const session = await options.open(server.baseUrl)
    try {
      const holds = open && session.holdsRequests
      if (holds) await session.warm?.(Math.min(maxConnections, Math.ceil(concurrency * 1.2) + 8), signal)
      await session.captureLoad?.()
      const monitor = monitorClient()
      const answers = await (holds ? askOpen(session, open, options) : askTruth(session, options))
      const own = monitor.stop()
      const load = (await session.captureLoad?.()) ?? own
      return compareStamps(answers, await server.stamps(), concurrency, load)
    } finally {
      await session.close()
    }
  } finally {
    await server.stop()
  }
}

/** Answers by the number in their prompt. */
type Numbered = ReadonlyMap<string, Answer>

/** The answers of a closed loop at the pace of the run, several on each connection. */
export function truthAnswers({
  concurrency,
  chunkIntervalMs,
  durationMs = defaultMs,
}: Pick<CalibrationOptions, "concurrency" | "chunkIntervalMs" | "durationMs">): TruthSettings {
  const intervalMs = Math.max(chunkIntervalMs, (concurrency * 1000) / maxChunksPerSecond, minIntervalMs)
  return {
    firstMs,
    intervalMs,
    chunks: Math.min(200, Math.max(4, Math.round((answerShare * durationMs) / intervalMs))),
  }
}

/** Asks as many at once as the run did until the time is over; the first of each does not count. */
export async function askTruth(session: ProviderSession, options: Omit<CalibrationOptions, "open">): Promise<Numbered> {
  const { concurrency, clock, signal, durationMs = defaultMs } = options
  const answers = new Map<string, Answer>()
  const originMs = clock.now()
  let next = 0
  const slots = Array.from({ length: concurrency }, async () => {
    // The first warms the connection, the second counts however long the first took.
    for (let round = 0; !signal.aborted && (round < 2 || clock.now() - originMs < durationMs); round++) {
      const id = String(next++)
      const answer = await session.request(requestOf(id), {
        signal,
        timeouts,
        clock,
        originMs,
        scheduledMs: clock.now(),
      })
      if (round > 0 && isAnswered(answer.outcome)) answers.set(id, answer)
    }
  })
  await Promise.all(slots)
  return answers
}

/** What an open loop is imitated by. */
interface Imitated {
  readonly answers: TruthSettings
  readonly ratePerSecond: number
}

/** Null for a closed loop, and for one so slow that hardly a request would fall into the time of a calibration. */
function imitated({ openLoop: open, chunkIntervalMs, durationMs = defaultMs }: CalibrationOptions): Imitated | null {
  if (!open || (open.ratePerSecond * durationMs) / 1000 < minRequests) return null
  const ratePerSecond = Math.min(open.ratePerSecond, maxChunksPerSecond / 2)
  const intervalMs = Math.max(minIntervalMs, chunkIntervalMs)
  const chunks = 1 + Math.round((open.e2eMs - open.ttftMs) / intervalMs)
  const max = Math.floor(Math.min(200, maxChunksPerSecond / ratePerSecond, 1 + maxAnswerMs / intervalMs))
  const first = Math.min(Math.max(minIntervalMs, open.ttftMs), maxAnswerMs)
  return { answers: { firstMs: first, intervalMs, chunks: Math.max(2, Math.min(chunks, max)) }, ratePerSecond }
}

async function askOpen(
  session: ProviderSession,
  { ratePerSecond }: Imitated,
  { clock, signal, durationMs = defaultMs }: CalibrationOptions,
): Promise<Numbered> {
  const answers = new Map<string, Answer>()
  const arrivals = drawArrivals({ process: "poisson", ratePerSecond, durationMs }, createRandom(1))
  const originMs = clock.now() + leadInMs + handOverMs * arrivals.length
  await Promise.all(
    Array.from(arrivals, async (atMs, i) => {
      const scheduledMs = originMs + atMs
      const options = { signal, timeouts, clock, originMs, scheduledMs, sendAtMs: scheduledMs, answerMayWait: true }
      const answer = await session.request(requestOf(String(i)), options)
      if (isAnswered(answer.outcome)) answers.set(String(i), answer)
    }),
  )
  return answers
}

function requestOf(id: string): ModelRequest {
  return { messages: [{ role: "user", content: `truth ${id}` }], parameters: noParameters }
}

const noParameters = {}

/** Holds the stamps of answers against the reference's, both by the number in the prompt. */
export function compareStamps(
  answers: ReadonlyMap<string, Answer>,
  stamps: ReadonlyMap<string, TruthStamps>,
  concurrency: number,
  load: ClientLoad,
): ClientError | null {
  const ttft = createNumberList()
  const itl = createNumberList()
  for (const [id, answer] of answers) {
    const truth = stamps.get(id)
    const { ttftAnyMs: ttftMs, iclMs } = generationFigures(answer)
    if (!truth || ttftMs === null) continue
    ttft.push(Math.abs(ttftMs - ((truth.sendMs[0] as number) - truth.arrivalMs)))
    iclMs.forEach((gap, i) => {
      itl.push(Math.abs(gap - ((truth.sendMs[i + 1] as number) - (truth.sendMs[i] as number))))
    })
  }
  if (ttft.length === 0 || itl.length === 0) return null
  const ttfts = ttft.sorted()
  // A calibration has far fewer first chunks than gaps, too few to meet the worst hundredth; what stamps a gap late stamps a first chunk as late.
  const itlMsP99 = statedOfWorstQuarter(itl.values(), 99)
  return {
    ttftMsP50: statedOfWorstQuarter(ttft.values(), 50),
    ttftMsP99: Math.max(statedPercentile(ttfts, 99), itlMsP99),
    itlMsP50: statedOfWorstQuarter(itl.values(), 50),
    itlMsP99,
    requests: ttfts.length,
    chunks: itl.length + ttfts.length,
    chunksPerSecond: ((itl.length + ttfts.length) * 1000) / load.durationMs,
    concurrency,
    load,
  }
}

const defaultMs = 2000
const firstMs = 50
/** Before the first request of an open loop, and for each: handing it over takes so long on a slow machine. */
const [leadInMs, handOverMs] = [30, 0.12]
/** An answer takes no longer than this before its first chunk, and behind it. */
const maxAnswerMs = 1500
/** An open loop with fewer requests in the time of a calibration is calibrated as a closed one. */
const minRequests = 100
const maxConnections = 2048
/** An answer behind its first chunk, of the time of a calibration: each connection has several. */
const answerShare = 0.2
const maxChunksPerSecond = 5000
const minIntervalMs = 1
const timeouts = { connectMs: 5000, firstTokenMs: 10_000, gapMs: 10_000, totalMs: 30_000 }
