/** Load tools on servers whose every word is logged: see README.md. */
import { fork } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { quantileOfSorted } from "../../../src/perf/percentile.ts"
import type { QueueEntry } from "../../find-rate/queue-server.ts"
import { prepare, runs, runTool } from "./run-tool.ts"
import { type Figures, type Load, type Times, type Tool, tools } from "./tools.ts"

const here = import.meta.dirname
const kept = join(runs, "results.json")

/** 50 ms (100 ms) to the first of 16 to 64 words, then one each 10 ms (40 ms): with 8 slots 18 requests a second, with 256 slots 150. */
const services = {
  8: { servers: 8, serviceMs: 50, exponential: false, stream: { words: [16, 64], wordMs: 10 } },
  256: { servers: 256, serviceMs: 100, exponential: false, stream: { words: [16, 64], wordMs: 40 } },
}
const loads: Readonly<Record<string, Load & { readonly slots: keyof typeof services }>> = {
  "1 stream, 8 slots": { slots: 8, streams: 1, requests: 40, rate: 2.3 },
  "32 streams, 8 slots": { slots: 8, streams: 32, requests: 360, rate: 18.2 },
  "32 streams, 256 slots": { slots: 256, streams: 32, requests: 320, rate: 19.3 },
  "256 streams, 256 slots": { slots: 256, streams: 256, requests: 2560, rate: 154 },
  "Poisson, 8 slots": { slots: 8, requests: 180, rate: 9 },
  "Poisson, 256 slots": { slots: 256, requests: 1200, rate: 80 },
}

/** What a tool stated of a load, beside what the server logged. */
interface Run {
  readonly stated: Figures
  readonly truth: Figures
  /** Coefficient of variation of the time between two arrivals; 1 of Poisson's. */
  readonly arrivalCv: number
  readonly arrivalRate: number
  readonly cpuSeconds: number
}

mkdirSync(runs, { recursive: true })
const results: Record<string, Run | string> = existsSync(kept) ? JSON.parse(readFileSync(kept, "utf8")) : {}
const names = process.argv.slice(2)
for (const [load, settings] of Object.entries(loads))
  for (const [name, tool] of Object.entries(tools)) {
    const key = `${name}: ${load}`
    if (!names.every((part) => key.toLowerCase().includes(part.toLowerCase()))) continue
    const began = Date.now()
    try {
      const lack = tool.lacks?.(settings)
      results[key] = lack ?? (await measure(name, tool, settings))
    } catch (error) {
      results[key] = `SKIPPED: ${String(error).split("\n")[0]?.slice(0, 200)}`
    }
    const result = results[key]
    console.error(`${key}: ${typeof result === "string" ? result : `${((Date.now() - began) / 1000).toFixed(0)} s`}`)
    writeFileSync(kept, JSON.stringify(results, null, 1))
  }
printTables()

/** Puts a load on a fresh server by a tool, in an empty folder. */
async function measure(name: string, tool: Tool, load: Load & { readonly slots: keyof typeof services }): Promise<Run> {
  const { folder, bin } = prepare(name, tool)
  const server = fork(join(here, "server.ts"), [JSON.stringify(services[load.slots])], {
    ...{ cwd: here, execArgv: ["--import", "jiti/register"], stdio: ["ignore", "pipe", "inherit", "ipc"] as const },
  })
  try {
    const url = await new Promise<string>((done) => server.stdout?.once("data", (text) => done(String(text).trim())))
    const base = url.slice(0, -"/v1".length)
    const cpuSeconds = runTool(tool, tool.command(bin, base, load, folder), folder)
    const log = (await (await fetch(`${base}/log`)).json()) as readonly QueueEntry[]
    const stated = tool.figures(folder)
    // What comes before the measured requests (a probe, a cold start, a warm-up) is no part of the figures.
    const entries = [...log].sort((a, b) => a.arrivedMs - b.arrivedMs).slice(-stated.requests)
    return { stated, ...truthOf(entries, load), cpuSeconds }
  } finally {
    server.kill()
  }
}

/**
 * What the server knows of these requests. The throughput of a closed loop is that of the busy slots (Little's law) between its start, until as many
 * answers have ended as there are streams, and its last arrival.
 */
function truthOf(entries: readonly QueueEntry[], { streams }: Load) {
  const last = ({ sentMs }: QueueEntry) => sentMs.at(-1) as number
  const gaps = (times: readonly number[]) => times.slice(1).map((time, i) => time - (times[i] as number))
  const arrivals = entries.map(({ arrivedMs }) => arrivedMs)
  const between = gaps(arrivals)
  const arrivalRate = 1000 / mean(between)
  const busyMs = mean(entries.map((entry) => last(entry) - entry.beganMs))
  const [from, to] = [entries.map(last).sort((a, b) => a - b)[(streams ?? 1) - 1] as number, arrivals.at(-1) as number]
  const busyIn = entries.map((entry) => Math.max(0, Math.min(last(entry), to) - Math.max(entry.beganMs, from)))
  const busySlots = (mean(busyIn) * entries.length) / (to - from)
  const requestsPerSecond = streams ? (1000 * busySlots) / busyMs : arrivalRate
  const truth: Figures = {
    requests: entries.length,
    ttft: times(entries.map(({ arrivedMs, sentMs }) => (sentMs[0] as number) - arrivedMs)),
    tpot: times(entries.map((entry) => (last(entry) - (entry.sentMs[0] as number)) / (entry.sentMs.length - 1))),
    itl: times(entries.flatMap(({ sentMs }) => gaps(sentMs))),
    e2e: times(entries.map((entry) => last(entry) - entry.arrivedMs)),
    requestsPerSecond,
    tokensPerSecond: requestsPerSecond * mean(entries.map(({ sentMs }) => sentMs.length)),
  }
  const spread = Math.sqrt(mean(between.map((gap) => (gap - mean(between)) ** 2)))
  return { truth, arrivalRate, arrivalCv: spread / mean(between) }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function times(values: readonly number[]): Times {
  const sorted = [...values].sort((a, b) => a - b)
  return [mean(values), quantileOfSorted(sorted, 0.5), quantileOfSorted(sorted, 0.99)]
}

/** For each load what the server logged, and how far each tool is off it. */
function printTables(): void {
  for (const [load, { streams, rate }] of Object.entries(loads)) {
    const rows = Object.keys(tools).map((name) => [name, results[`${name}: ${load}`]] as const)
    if (rows.every(([, run]) => run === undefined)) continue
    console.log(`\n### ${load}\n`)
    const schedule = streams ? [] : ["rate sent", "CV"]
    row(["tool", "TTFT ms", "TPOT ms", "ITL ms", "E2E ms", "requests/s", "tokens/s", ...schedule, "CPU s"])
    row(["---", ...Array.from({ length: 7 + schedule.length }, () => "---:")])
    for (const [name, run] of rows) {
      if (run === undefined) continue
      if (typeof run === "string") {
        row([name, run])
        continue
      }
      const { stated, truth } = run
      const off = (figure: "ttft" | "tpot" | "itl" | "e2e", digits: number) =>
        stated[figure]
          .map((value, i) => (value === null ? "–" : signed(value - (truth[figure][i] as number), digits)))
          .join(" · ")
      const share = (figure: "requestsPerSecond" | "tokensPerSecond") =>
        stated[figure] === null ? "–" : `${signed(100 * (stated[figure] / (truth[figure] as number) - 1), 1)} %`
      const sent = streams ? [] : [`${signed(100 * (run.arrivalRate / rate - 1), 1)} %`, run.arrivalCv.toFixed(2)]
      row([
        ...[name, off("ttft", 1), off("tpot", 2), off("itl", 2), off("e2e", 1)],
        ...[share("requestsPerSecond"), share("tokensPerSecond"), ...sent, run.cpuSeconds.toFixed(0)],
      ])
    }
  }
}

function signed(value: number, digits: number): string {
  return `${value > 0 ? "+" : ""}${value.toFixed(digits)}`
}

function row(cells: readonly string[]): void {
  console.log(`| ${cells.join(" | ")} |`)
}
