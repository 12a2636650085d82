import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { knownRate, type QueueService, startQueueServer } from "./queue-server.ts"

/**
 * `evalkit bench --find-rate` against real servers whose rate is known: `npx jiti benchmarks/find-rate/main.ts [searches]
 * [factor] [parallel] [first seed]`; the factor makes service times and objectives that many times as long.
 */
const [searches = 10, factor = 1, parallel = 1, firstSeed = 1] = process.argv.slice(2).map(Number)
const program = fileURLToPath(new URL("../../dist/src/cli/bin.js", import.meta.url))

interface Asked extends QueueService {
  readonly name: string
  readonly sloMs: number
}

const asked: readonly Asked[] = [
  { name: "M/M/4", servers: 4, serviceMs: 25 * factor, exponential: true, sloMs: 200 * factor },
  { name: "M/D/2", servers: 2, serviceMs: 20 * factor, exponential: false, sloMs: 100 * factor },
]

async function search(request: Asked, seed: number): Promise<void> {
  const server = await startQueueServer(request, `${request.name}/${seed}`)
  const began = Date.now()
  const slo = ["--slo", `e2e<${request.sloMs}ms`]
  const args = ["bench", "--url", server.url, "--model", "queue", "--find-rate", ...slo, "--json", "--seed", `${seed}`]
  const { code, out } = await run([...args, "--no-calibrate", "--max-tokens", "4"])
  server.close()
  server.stop()
  const seconds = ((Date.now() - began) / 1000).toFixed(0)
  const result = foundRate(out)
  const truth = knownRate({ ...request, serviceMs: server.realMs() }, request.sloMs)
  const off = result ? `${(100 * (result.rate / truth - 1)).toFixed(1)} %` : `none (exit ${code})`
  const holds = result ? (result.low <= truth && truth <= result.high ? "yes" : "no") : ""
  const rates = [knownRate(request, request.sloMs).toFixed(1), server.realMs().toFixed(1), truth.toFixed(1)]
  const shown = result ? `${result.rate.toFixed(1)} (${result.low.toFixed(1)} to ${result.high.toFixed(1)})` : ""
  process.stdout.write(`| ${[request.name, seed, ...rates, shown, off, holds, seconds].join(" | ")} |\n`)
}

interface Found {
  readonly rate: number
  readonly low: number
  readonly high: number
}

function foundRate(out: string): Found | null {
  const [level] = JSON.parse(out || "[]") as {
    highest_rate?: number | null
    highest_rate_interval?: (number | null)[]
  }[]
  const [low, high] = level?.highest_rate_interval ?? []
  const { highest_rate: rate } = level ?? {}
  return rate == null ? null : { rate, low: low ?? 0, high: high ?? Number.POSITIVE_INFINITY }
}

function run(args: readonly string[]): Promise<{ readonly code: number | null; readonly out: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "ignore"] })
    let out = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text))
    child.on("close", (code) => resolve({ code, out }))
  })
}

process.stdout.write(
  "| server | seed | rate by design | served, ms | rate as served | found (95 % interval) | off | holds it | seconds |\n",
)
process.stdout.write("| --- | ---: | ---: | ---: | ---: | --- | ---: | --- | ---: |\n")
const jobs = Array.from({ length: searches }, (_, i) =>
  asked.map((request) => () => search(request, firstSeed + i)),
).flat()
const worker = async () => {
  for (let job = jobs.shift(); job; job = jobs.shift()) await job()
}
await Promise.all(Array.from({ length: parallel }, worker))
