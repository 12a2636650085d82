import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import { startTruthServer } from "../../src/perf/client/start-truth-server.ts"
import { quantileOfSorted } from "../../src/perf/percentile.ts"
import { contenders, type Stamps } from "./contenders.ts"

/** One row of the table: absolute errors in milliseconds, CPU of the client's process in microseconds. */
export interface Row {
  readonly contender: string
  readonly concurrency: number
  readonly busy: Busy
  readonly chunks: number
  readonly ttftErrorP50: number | null
  readonly ttftErrorP99: number | null
  readonly itlErrorP50: number | null
  readonly itlErrorP99: number | null
  /** Null where the scoring's own CPU is in the same process. */
  readonly cpuMicrosecondsPerChunk: number | null
}

/** Scoring beside the capture: none, in another process, or in the thread that asks. */
export type Busy = "idle" | "process" | "thread"

const intervalMs = 30
const settings = { firstMs: 100, intervalMs, chunks: 50 }
/** Answers before the measured ones: connections are open, and Node has compiled what it runs often. */
const warmAnswers = 64

/** Measures one contender in this process and prints its row. Arguments: contender, concurrency, what is scored beside it. */
const [name = "", concurrencyText = "1", busyText = "idle"] = process.argv.slice(2)
const busy = busyText as Busy
const open = contenders[name]
if (!open) throw new Error(`no contender ${name}; there are ${Object.keys(contenders).join(", ")}`)
const concurrency = Number(concurrencyText)
const rounds = Math.max(3, Math.ceil(8 / concurrency))

const server = await startTruthServer(settings)
const scorer = busy === "process" ? fork(fileURLToPath(new URL("./busy.mjs", import.meta.url))) : null
const score = busy === "thread" ? startScoring() : null
try {
  const contender = await open(server.baseUrl)
  const answers = new Map<string, Stamps>()
  let next = 0
  await Promise.all(Array.from({ length: Math.max(warmAnswers, concurrency) }, () => contender.ask(`truth ${next++}`)))
  const cpuBefore = process.cpuUsage()
  for (let round = 0; round < rounds; round++)
    await Promise.all(
      Array.from({ length: concurrency }, async (_, slot) => {
        // Spread over an interval: streams that start together would deliver all their chunks at one moment.
        await new Promise((resolve) => setTimeout(resolve, (slot * intervalMs) / concurrency))
        const id = String(next++)
        answers.set(id, await contender.ask(`truth ${id}`))
      }),
    )
  const cpu = process.cpuUsage(cpuBefore)
  const { ttft, itl, chunks } = await compare(answers)
  const row: Row = {
    contender: name,
    concurrency,
    busy,
    chunks,
    ttftErrorP50: quantileOf(ttft, 0.5),
    ttftErrorP99: quantileOf(ttft, 0.99),
    itlErrorP50: quantileOf(itl, 0.5),
    itlErrorP99: quantileOf(itl, 0.99),
    cpuMicrosecondsPerChunk: busy === "thread" ? null : (cpu.user + cpu.system) / chunks,
  }
  process.stdout.write(`${JSON.stringify(row)}\n`)
  await contender.close()
} finally {
  scorer?.kill("SIGKILL")
  clearImmediate(score?.running)
  await server.stop()
}
process.exit(0)

/** The server's stamps and the client's are on different clocks: only durations are compared. */
async function compare(answers: ReadonlyMap<string, Stamps>) {
  const truth = await server.stamps()
  const ttft: number[] = []
  const itl: number[] = []
  let chunks = 0
  for (const [id, { sendMs, contentMs }] of answers) {
    const { arrivalMs, sendMs: sentMs } = truth.get(id)!
    if (contentMs.length !== sentMs.length)
      throw new Error(`answer ${id} has ${contentMs.length} of ${sentMs.length} chunks`)
    chunks += contentMs.length
    ttft.push(Math.abs(contentMs[0]! - sendMs - (sentMs[0]! - arrivalMs)))
    for (let index = 1; index < contentMs.length; index++)
      itl.push(Math.abs(contentMs[index]! - contentMs[index - 1]! - (sentMs[index]! - sentMs[index - 1]!)))
  }
  const ascending = (a: number, b: number): number => a - b
  return { ttft: Float64Array.from(ttft).sort(ascending), itl: Float64Array.from(itl).sort(ascending), chunks }
}

function quantileOf(sorted: Float64Array, share: number): number | null {
  return sorted.length === 0 ? null : quantileOfSorted(sorted, share)
}

/** String work in this very thread, four milliseconds at a time without a pause: what scoring between answers does. */
function startScoring(): { running: NodeJS.Immediate } {
  const text = "the quick brown fox jumps over the lazy dog ".repeat(50)
  const work = () => {
    const untilMs = performance.now() + 4
    while (performance.now() < untilMs) text.split(" ").sort().join(" ").toUpperCase()
    state.running = setImmediate(work)
  }
  const state = { running: setImmediate(work) }
  return state
}
