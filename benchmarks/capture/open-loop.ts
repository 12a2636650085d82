import { execFile } from "node:child_process"
import { cpus, loadavg } from "node:os"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { runLoad } from "../../src/bench/run-load.ts"
import { systemClock } from "../../src/core/clock.ts"
import { createRandom } from "../../src/core/random.ts"
import { startTruthServer, type TruthServer } from "../../src/perf/client/start-truth-server.ts"
import { drawArrivals } from "../../src/perf/load/arrivals.ts"
import { quantileOfSorted } from "../../src/perf/percentile.ts"
import { monotonicOffset } from "../../src/platform/monotonic-offset.ts"
import { openai } from "../../src/providers/openai.ts"
import { type BareStamps, openBareClient } from "./bare-open-loop.ts"

/**
 * An open loop against a truth server: how far from its schedule is each request sent, and how far from the truth is its time to
 * first token? Run: node benchmarks/capture/run.mjs open-loop [SECONDS] [RATES] [ROUNDS]. Each row is a process of its own; it sends
 * the same load for some seconds before it is measured, so that Node has compiled what runs often.
 */
const [secondsText = "10", ratesText = "10,100,500,1000", roundsText = "1", oneWay] = process.argv.slice(2)
const seconds = Number(secondsText)
const warmSeconds = 10
/** Answers of four chunks that last a second: as many streams at once as requests a second. */
const settings = { firstMs: 400, intervalMs: 200, chunks: 4 }
const bare = "a bare socket"
const held = "held by the capture thread"
/** Those that go by timers are measured in the first round alone. */
const ways = { "timers of the asking loop": false, [held]: true, [bare]: false } as const

/** One row of the table. CPU is of the whole process: what was prepared before the load and read behind it is in it. */
interface Row {
  readonly streams: number | null
  readonly schedule: Errors
  readonly ttft: Errors
  readonly cpuMicrosecondsPerChunk: number
}

/** Absolute errors, milliseconds. */
interface Errors {
  readonly p50: number
  readonly p99: number
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)
if (oneWay === undefined) {
  print(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}, ${seconds} s a row\n`)
  print(
    "| requests/s | sent by | streams at once | schedule error p50 (ms) | p99 | TTFT error p50 (ms) | p99 | CPU per text chunk (µs) | load |",
  )
  print("| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
  const aims: string[] = []
  for (const rate of ratesText.split(","))
    for (let round = 0; round < Number(roundsText); round++) {
      const rows = new Map<string, Row>()
      for (const way of Object.keys(ways).filter(
        (key) => round === 0 || ways[key as keyof typeof ways] || key === bare,
      ))
        rows.set(way, await rowOf(rate, way))
      aims.push(aimsOf(rate, rows.get(held)!, rows.get(bare)!))
    }
  print(
    `\nThe floor is the bare socket of the same round: its errors are the machine's and Node's.\n\n${aims.join("\n")}`,
  )
} else await measure(Number(ratesText), oneWay as keyof typeof ways)

async function rowOf(rate: string, way: string): Promise<Row> {
  const args = [fileURLToPath(import.meta.url), secondsText, rate, "1", way]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 1000 * seconds + 120_000 })
  const row = JSON.parse(stdout) as Row
  const { streams, schedule, ttft, cpuMicrosecondsPerChunk } = row
  const errors = [schedule.p50, schedule.p99, ttft.p50, ttft.p99].map((error) => error.toFixed(2))
  const cells = [rate, way, streams ?? "–", ...errors, cpuMicrosecondsPerChunk.toFixed(0), loadavg()[0]!.toFixed(1)]
  print(`| ${cells.join(" | ")} |`)
  return row
}

/** What is wanted of the capture thread, and whether it is so, beside what the bare socket shows to be possible. */
function aimsOf(rate: string, own: Row, floor: Row): string {
  const judged = (name: string, value: number, most: number, unit: string, ofFloor: number) =>
    `${name} ${value.toFixed(2)}${unit} of ${most}${unit}: ${value <= most ? "pass" : "FAIL"} (${(value / ofFloor).toFixed(2)} times the floor)`
  const cpu = own.cpuMicrosecondsPerChunk / floor.cpuMicrosecondsPerChunk
  return [
    `${rate}/s`,
    judged("schedule p99", own.schedule.p99, 1, " ms", floor.schedule.p99),
    judged("TTFT p99", own.ttft.p99, 2, " ms", floor.ttft.p99),
    judged("CPU", cpu, 1.5, "×", 1),
  ].join("; ")
}

function arrivalsOf(rate: number, durationMs: number): Float64Array {
  return drawArrivals({ process: "poisson", ratePerSecond: rate, durationMs }, createRandom(1))
}

async function measure(rate: number, way: keyof typeof ways): Promise<void> {
  const server = await startTruthServer(settings)
  const warm = arrivalsOf(rate, 1000 * warmSeconds)
  const arrivals = arrivalsOf(rate, 1000 * seconds)
  const connections = Math.ceil(rate * 1.3) + 8
  if (way === bare) {
    const client = await openBareClient(server.baseUrl, connections, monotonicOffset(systemClock))
    await client.run(warm, arrivals.length)
    const cpuBefore = process.cpuUsage()
    const stamps = await client.run(arrivals, 0)
    const cpu = process.cpuUsage(cpuBefore)
    client.close()
    await report(null, stamps, cpu, server)
    return
  }
  const signal = new AbortController().signal
  const limitMs = 60_000
  const timeouts = { connectMs: limitMs, firstTokenMs: limitMs, gapMs: limitMs, totalMs: limitMs }
  const provider = openai({
    model: "truth",
    baseUrl: server.baseUrl,
    apiKeyVariable: null,
    transport: "undici",
    captureThreads: 1,
  })
  const { holdsRequests, ...opened } = await provider.open({
    clock: systemClock,
    signal,
    environment: {},
    cacheDirectory: "",
    progress: () => {},
  })
  if (!holdsRequests) throw new Error("the session holds no requests")
  const session = ways[way] ? { ...opened, holdsRequests } : opened
  await session.warm?.(connections, signal)
  const parameters = {}
  const run = async (moments: Float64Array, firstIndex: number) => {
    const sent: BareStamps[] = []
    const { peakInFlight } = await runLoad({
      session,
      plan: { kind: "open", arrivals: moments, description: "benchmark" },
      requestOf: (index) => ({ messages: [{ role: "user", content: `truth ${firstIndex + index}` }], parameters }),
      onAnswer({ log, outcome }, index) {
        if (outcome !== "ok") throw new Error(`an answer ended as ${outcome}`)
        const first = log.events.find(({ kind, bytes }) => kind === "content" && bytes > 0)!
        sent.push({ index, scheduledMs: log.scheduledMs, sendMs: log.sendMs, firstMs: first.atMs, endMs: log.endMs })
      },
      clock: systemClock,
      timeouts,
      signal,
      originMs: systemClock.now(),
    })
    return { sent, peakInFlight }
  }
  await run(warm, arrivals.length)
  const cpuBefore = process.cpuUsage()
  const { sent, peakInFlight } = await run(arrivals, 0)
  const cpu = process.cpuUsage(cpuBefore)
  await session.close()
  await report(peakInFlight, sent, cpu, server)
}

async function report(
  streams: number | null,
  sent: readonly BareStamps[],
  cpu: NodeJS.CpuUsage,
  server: TruthServer,
): Promise<never> {
  const truth = await server.stamps()
  const late = sent.map(({ scheduledMs, sendMs }) => Math.abs(sendMs - scheduledMs))
  const errors = sent.map(({ index, sendMs, firstMs }) => {
    const { arrivalMs, sendMs: sentMs } = truth.get(String(index))!
    return Math.abs(firstMs - sendMs - (sentMs[0]! - arrivalMs))
  })
  const quantile = (values: readonly number[], share: number) =>
    quantileOfSorted(Float64Array.from(values).sort(), share)
  const errorsOf = (values: readonly number[]): Errors => ({ p50: quantile(values, 0.5), p99: quantile(values, 0.99) })
  const row: Row = {
    streams,
    schedule: errorsOf(late),
    ttft: errorsOf(errors),
    cpuMicrosecondsPerChunk: (cpu.user + cpu.system) / (sent.length * settings.chunks),
  }
  process.stdout.write(JSON.stringify(row))
  await server.stop()
  process.exit(0)
}
