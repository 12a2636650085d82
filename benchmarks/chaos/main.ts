import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import { systemClock } from "../../src/core/clock.ts"
import { openai } from "../../src/providers/openai.ts"
import { runThroughChaos } from "../../test/support/chaos/run.ts"

/** Faults at 0, 10, 50 and 100 %, each over both transports; then a soak, whose memory must not grow. */
const [perLevel = 10_000, soak = 200_000] = process.argv.slice(2, 4).map(Number)
const transports = (process.argv[4]?.split(",") ?? ["sdk", "undici"]) as readonly ("sdk" | "undici")[]
const levels = (process.argv[5] ?? "0,0.1,0.5,1").split(",").map(Number)
const mebibyte = 2 ** 20

const serving = fork(fileURLToPath(new URL("./server.ts", import.meta.url)), {
  execArgv: ["--import", "jiti/register"],
})
const address = await new Promise<string>((resolve) => serving.once("message", (message) => resolve(String(message))))
let failed = false

async function run(transport: "sdk" | "undici", rate: number, count: number, onAnswer?: (n: number) => void) {
  const provider = openai({
    model: "m",
    baseUrl: address.replace("/0/", `/${rate}/`),
    apiKeyVariable: null,
    transport,
    maxAnswerBytes: 1_000_000,
  })
  const session = await provider.open({
    clock: systemClock,
    signal: new AbortController().signal,
    environment: {},
    cacheDirectory: "",
    progress: () => {},
  })
  await session.warm?.(128, new AbortController().signal)
  const startedMs = performance.now()
  const result = await runThroughChaos(session, { rate, count, concurrency: 128, ...(onAnswer ? { onAnswer } : {}) })
  await session.close()
  if (result.wrong.length > 0) failed = true
  return { ...result, seconds: (performance.now() - startedMs) / 1000 }
}

for (const transport of transports)
  for (const rate of levels) {
    const { outcomes, wrong, seconds } = await run(transport, rate, perLevel)
    const counts = Object.entries(outcomes).map(([outcome, n]) => `${outcome} ${n}`)
    console.log(`${transport} ${rate * 100} %: ${seconds.toFixed(1)} s, wrong ${wrong.length}, ${counts.join(", ")}`)
    for (const line of wrong.slice(0, 5)) console.log(`  ${line}`)
  }

if (soak === 0) {
  serving.disconnect()
  process.exit(failed ? 1 : 0)
}
const readings: { readonly n: number; readonly rss: number }[] = []
const step = Math.max(1, Math.floor(soak / 200))
let answered = 0
const { wrong, seconds } = await run("undici", 0, soak, () => {
  if (++answered % step !== 0) return
  globalThis.gc?.()
  readings.push({ n: answered, rss: process.memoryUsage().rss })
})
// The first fifth fills caches and the heap.
const later = readings.slice(Math.floor(readings.length / 5))
const slope = leastSquaresSlope(later) * 100_000
console.log(
  `soak: ${soak} requests in ${seconds.toFixed(1)} s, wrong ${wrong.length}, RSS ${(later[0]!.rss / mebibyte).toFixed(0)} to ` +
    `${(later.at(-1)!.rss / mebibyte).toFixed(0)} MiB, slope ${(slope / mebibyte).toFixed(1)} MiB per 100,000 requests`,
)
serving.disconnect()
process.exit(failed || wrong.length > 0 ? 1 : 0)

function leastSquaresSlope(points: readonly { readonly n: number; readonly rss: number }[]): number {
  const mean = (pick: (point: { n: number; rss: number }) => number) =>
    points.reduce((sum, point) => sum + pick(point), 0) / points.length
  const [n, rss] = [mean((point) => point.n), mean((point) => point.rss)]
  const covariance = points.reduce((sum, point) => sum + (point.n - n) * (point.rss - rss), 0)
  return covariance / points.reduce((sum, point) => sum + (point.n - n) ** 2, 0)
}
