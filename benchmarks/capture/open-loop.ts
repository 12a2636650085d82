import { execFile } from "node:child_process"
import { cpus, loadavg } from "node:os"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { systemClock } from "../../src/core/clock.ts"
import { createRandom } from "../../src/core/random.ts"
import { runLoad } from "../../src/engine/bench/run-load.ts"
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
const ways = { "timers of the asking loop": false, "held by the capture thread": true, [bare]: false } as const

if (oneWay === undefined) {
  process.stdout.write(
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}, ${seconds} s a row\n\n`,
  )
  process.stdout.write(
    "| requests/s | sent by | streams at once | schedule error p50 (ms) | p99 | TTFT error p50 (ms) | p99 | CPU per text chunk (µs) | load |\n",
  )
  process.stdout.write("| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
  for (const rate of ratesText.split(","))
    for (let round = 0; round < Number(roundsText); round++)
      for (const way of Object.keys(ways)) {
        const args = [fileURLToPath(import.meta.url), secondsText, rate, "1", way]
        const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 1000 * seconds + 120_000 })
        process.stdout.write(stdout)
      }
} else await measure(Number(ratesText), oneWay as keyof typeof ways)

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
    await report(rate, way, "–", stamps, cpu, server)
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
        sent.push({ index, scheduledMs: log.scheduledMs, sendMs: log.sendMs, firstMs: first.atMs })
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
  await report(rate, way, String(peakInFlight), sent, cpu, server)
}

async function report(
  rate: number,
  way: string,
  streams: string,
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
    quantileOfSorted(Float64Array.from(values).sort(), share).toFixed(2)
  const chunks = sent.length * settings.chunks
  const cells = [
    rate,
    way,
    streams,
    quantile(late, 0.5),
    quantile(late, 0.99),
    quantile(errors, 0.5),
    quantile(errors, 0.99),
    ((cpu.user + cpu.system) / chunks).toFixed(0),
    loadavg()[0]!.toFixed(1),
  ]
  process.stdout.write(`| ${cells.join(" | ")} |\n`)
  await server.stop()
  process.exit(0)
}
