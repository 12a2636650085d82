import type { Exchange } from "../exchange.ts"
import { releaseRecording } from "../wire/recording.ts"
import { readHead } from "../wire/response-head.ts"
import type { WireJob } from "../wire/wire-job.ts"

/** What few answers have. */
type Rare = Pick<Exchange, "interruption" | "lost">

/** Answers as one thread hands them to another: two blocks of memory for all of them, and little beside. */
export interface AnswerBatch {
  /** For each answer {@link fields}, the stamps of its pieces, and where each of them ends in `bytes`. */
  readonly numbers: Float64Array
  readonly bytes: Uint8Array
  /** Heads of the responses; answers of one server mostly share one. */
  readonly heads: readonly string[]
  /** By id. */
  readonly rare: ReadonlyMap<number, Rare>
}

/** Numbers of an answer before its stamps: id, sent, connecting took, head, end, status, stalled, place of its head, pieces. */
const fields = 9

/** Smaller blocks are copied: to move one takes longer than that. */
const smallestMoved = 64 * 1024

/** Answers, and the memory of theirs that is moved when they are handed over. */
export interface PackedAnswers {
  readonly answers: AnswerBatch
  readonly transfer: readonly ArrayBuffer[]
}

/** Packs answers whose recordings nobody reads any more. */
export function packAnswers(jobs: readonly WireJob[]): PackedAnswers {
  let [count, length] = [0, 0]
  for (const { recording } of jobs) {
    count += fields + 2 * recording.count
    length += recording.length
  }
  const numbers = new Float64Array(count)
  const bytes = new Uint8Array(length)
  const heads: string[] = []
  const rare = new Map<number, Rare>()
  let [at, used] = [0, 0]
  for (const job of jobs) {
    const { recording, interruption, lost } = job
    if (job.headText !== heads.at(-1)) heads.push(job.headText)
    if (interruption !== null || lost !== null) rare.set(job.id, { interruption, ...(lost && { lost }) })
    numbers[at++] = job.id
    numbers[at++] = job.sendMs
    numbers[at++] = job.connectMs ?? Number.NaN
    numbers[at++] = job.headersMs ?? Number.NaN
    numbers[at++] = job.endMs
    numbers[at++] = job.status ?? Number.NaN
    numbers[at++] = job.stalledMs
    numbers[at++] = heads.length - 1
    numbers[at++] = recording.count
    for (let i = 0; i < recording.count; i++) numbers[at++] = recording.stampsMs[i] as number
    for (let i = 0; i < recording.count; i++) numbers[at++] = used + (recording.ends[i] as number)
    bytes.set(recording.bytes.subarray(0, recording.length), used)
    used += recording.length
    releaseRecording(recording)
  }
  const blocks = [numbers.buffer, bytes.buffer].filter(({ byteLength }) => byteLength >= smallestMoved)
  return { answers: { numbers, bytes, heads, rare }, transfer: blocks }
}

/**
 * Takes answers out of their blocks.
 *
 * @param offsetOf what turns the sender's stamps into those of the clock of whoever asked for this answer
 */
export function unpackAnswers(
  { numbers, bytes, heads, rare }: AnswerBatch,
  offsetOf: (id: number) => number,
  give: (id: number, exchange: Exchange) => void,
): void {
  let start = 0
  for (let at = 0; at < numbers.length; ) {
    const number = (field: number) => numbers[at + field] as number
    const id = number(0)
    const offsetMs = offsetOf(id)
    const status = orNull(number(5))
    const stalledMs = number(6)
    const count = number(8)
    const stamps = at + fields
    const chunks: Uint8Array[] = []
    const stampsMs: number[] = []
    for (let i = 0; i < count; i++) {
      const end = numbers[stamps + count + i] as number
      chunks.push(bytes.subarray(start, end))
      stampsMs.push((numbers[stamps + i] as number) + offsetMs)
      start = end
    }
    const { interruption = null, lost } = rare.get(id) ?? {}
    const head = status === null ? null : readHead(heads[number(7)] as string)
    give(id, {
      sendMs: number(1) + offsetMs,
      connectMs: orNull(number(2)),
      headersMs: orNull(number(3) + offsetMs),
      endMs: number(4) + offsetMs,
      status,
      headers: head?.headers ?? noHeaders,
      chunks,
      stampsMs,
      interruption,
      ...(lost && {
        lost: lost.map((lostExchange) => ({
          ...lostExchange,
          sendMs: lostExchange.sendMs + offsetMs,
          endMs: lostExchange.endMs + offsetMs,
        })),
      }),
      ...(head?.isHttp2 && { protocol: "h2" as const }),
      ...(stalledMs > 0 && { stalledMs }),
    })
    at = stamps + 2 * count
  }
}

const noHeaders: ReadonlyMap<string, string> = new Map()

function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value
}
