/**
 * One run over 1, 2 and 4 workers in processes of their own, against an endpoint that answers at once and one that takes 50 ms, and what
 * the queue itself costs:
 *
 *   npm run build && npx jiti benchmarks/scale/throughput.ts redis|postgres [0|50|cost] [WORKERS,…] [FILE.json]   (Linux)
 *
 * Needs redis-server and PostgreSQL. The queue over PostgreSQL has a server of its own, so that its CPU is not the store's. Commits of
 * both wait for the disk. FILE.json receives the figures for model.ts.
 */
import { execFileSync } from "node:child_process"
import { appendFileSync } from "node:fs"
import { loadavg } from "node:os"
import { fileURLToPath } from "node:url"
import { startPostgres } from "../../test/support/servers/postgres-server.ts"
import { startRedis } from "../../test/support/servers/redis-server.ts"
import { familyCpuSeconds } from "./throughput/process-cpu.ts"
import { measureQueueRun, type QueueRun } from "./throughput/queue-run.ts"

const [engine = "redis", what = "50", counts = "1,2,4", file] = process.argv.slice(2)
/** In flight of each worker: few enough that four of them wait for the endpoint, not for two cores. */
const concurrency = 4
/** Answers of each worker: seconds enough that its code is compiled, and a quarter of a minute at 50 ms. */
const answersOfWorker = what === "0" ? 4_000 : 1_280
const answersOfSlice = 32

const redis = engine === "redis" ? await startRedis() : null
const server = redis ? null : await startPostgres({ isDurable: true })
const queue = redis ?? { url: server!.url, pid: server!.pid() }
try {
  if (what === "cost") showCost(1_000)
  else await showThroughput(Number(what))
} finally {
  await redis?.stop()
  await server?.stop()
}
process.exit(0)

async function showThroughput(answerMs: number): Promise<void> {
  const store = await startPostgres({ isDurable: true })
  let single: QueueRun | null = null
  try {
    for (const workers of counts.split(",").map(Number)) {
      const run = await measureQueueRun({
        store,
        queue,
        workers,
        concurrency,
        answerMs,
        answers: answersOfWorker * workers,
      })
      single ??= run
      const ratio = (run.middlePerSecond / single.middlePerSecond) * (single.workers / workers)
      const cpu = [run.workerCpuMs, run.storeCpuMs, run.queueCpuMs, run.coordinatorCpuMs, run.endpointCpuMs]
      const load = loadavg()[0]?.toFixed(1)
      console.log(
        `| ${engine} | ${answerMs} ms | ${workers} | ${run.middlePerSecond.toFixed(1)} (${run.perSecond.toFixed(1)}) | ${ratio.toFixed(3)} | ${cpu.map((ms) => ms.toFixed(2)).join(" | ")} | ${load} |`,
      )
      if (file) appendFileSync(file, `${JSON.stringify({ engine, ...run })}\n`)
    }
  } finally {
    await store.stop()
  }
}

/** CPU of the queue an answer, at slices of 32: its clients' (one process) and its server's. */
function showCost(slices: number): void {
  const jiti = fileURLToPath(new URL("../../node_modules/jiti/lib/jiti-cli.mjs", import.meta.url))
  const script = fileURLToPath(new URL("./throughput/queue-cost.ts", import.meta.url))
  const clientMs = (mode: string): number => {
    const output = execFileSync(process.execPath, [jiti, script, queue.url, String(slices), mode], { encoding: "utf8" })
    return (JSON.parse(output) as { cpuMs: number }).cpuMs
  }
  const answers = slices * answersOfSlice
  const without = clientMs("none")
  // The first connection makes the queue's tables.
  clientMs("queue")
  const before = familyCpuSeconds(queue.pid)
  const withQueue = clientMs("queue")
  const serverMs = 1000 * (familyCpuSeconds(queue.pid) - before)
  const [client, own] = [(withQueue - without) / answers, serverMs / answers]
  console.log(
    `| ${engine} | ${client.toFixed(4)} | ${own.toFixed(4)} | ${(client + own).toFixed(4)} | ${loadavg()[0]?.toFixed(1)} |`,
  )
}
