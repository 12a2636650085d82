/**
 * Workers in network namespaces of their own, one of them cut off for a minute and brought back; the endpoint counts, and the store.
 *
 *   npm run build && npx jiti benchmarks/scale/namespaces.ts redis|postgres [WORKERS CUT_SECONDS ANSWERS]   (Linux, root)
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import pg from "pg"
import { startPostgres } from "../../test/support/servers/postgres-server.ts"
import { startRedis } from "../../test/support/servers/redis-server.ts"
import { cannotMakeNetworks, makeNetwork } from "./namespaces/network.ts"
import { writeChatProject } from "./throughput/chat-project.ts"
import { type WatchedProcess, watchProcess } from "./throughput/watched-process.ts"

const [engine = "redis", ...numbers] = process.argv.slice(2)
const [workers = 4, cutSeconds = 60, answers = 7_000] = numbers.map(Number)
const reason = cannotMakeNetworks()
if (reason !== null) {
  console.error(`SKIPPED: ${reason}`)
  process.exit(0)
}
const concurrency = 4
const answerMs = 250
const cli = fileURLToPath(new URL("../../dist/src/cli/bin.js", import.meta.url))
const answerServer = fileURLToPath(new URL("./throughput/answer-server.mjs", import.meta.url))
const startedMs = Date.now()
const say = (text: string) => console.log(`${((Date.now() - startedMs) / 1000).toFixed(1)} s: ${text}`)
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

interface Count {
  readonly asked: number
  readonly different: number
  /** What was asked again, by whom and when. */
  readonly again: readonly string[]
}

const network = makeNetwork(workers)
const postgres = await startPostgres({ addresses: `127.0.0.1,${network.address}` })
const redis = engine === "redis" ? await startRedis({ address: network.address }) : null
const folder = mkdtempSync(join(tmpdir(), "evalkit-namespaces-"))
const running: WatchedProcess[] = []
const client = new pg.Client({ connectionString: postgres.url })
try {
  await client.connect()
  // A budget, so that workers lease from one another.
  writeChatProject(folder, answers / 2, { budgetUsd: 100 })
  const endpoint = watchProcess([process.execPath, answerServer, String(answerMs), network.address], { cwd: folder })
  running.push(endpoint)
  const url = (await endpoint.says(/http:\S+/)).trim()
  const store = postgres.url.replace("127.0.0.1", network.address)
  const shared = ["--queue", redis?.url ?? store, "--store", store]
  const env = { ...process.env, CI: "1", NO_COLOR: "1", ASK_URL: url }
  const start = (before: readonly string[], args: readonly string[]): WatchedProcess => {
    const child = watchProcess([...before, process.execPath, cli, ...args, ...shared], { cwd: folder, env })
    running.push(child)
    return child
  }
  const hired = Array.from({ length: workers }, (_, i) =>
    start(network.within(i), ["worker", "--once", "--name", `w${i}`, "--concurrency", String(concurrency)]),
  )
  await Promise.all(hired.map((child) => child.says(/waits for slices/)))
  const coordinator = start([], ["run"])
  const count = async () => (await (await fetch(`${url}/count`)).json()) as Count
  const storedBy = async (name: string): Promise<number> => {
    const { rows } = await client.query("SELECT count(*) FROM evalkit.generations WHERE data::json ->> 'worker' = $1", [
      name,
    ])
    return Number(rows[0].count)
  }
  while ((await count()).asked < answers / 8) await wait(100)
  network.setCable(0, false)
  const before = await storedBy("w0")
  say(`w0 cut off after ${(await count()).asked} requests, ${before} answers of its own are stored`)
  await wait(1000 * cutSeconds)
  network.setCable(0, true)
  const meanwhile = await count()
  say(`w0 brought back after ${meanwhile.asked} requests; coordinator: ${coordinator.said().split("\n").at(-2)}`)
  const code = await coordinator.ended
  const { asked, different, again } = await count()
  const { rows } = await client.query(
    "SELECT count(*) AS stored, count(DISTINCT (variant, sample_id, repeat)) AS calls FROM evalkit.generations",
  )
  const after = await storedBy("w0")
  say(`coordinator ended with ${code}`)
  const codes = await Promise.all(hired.map(({ ended }) => Promise.race([ended, wait(120_000)])))
  say(`workers ended with ${codes.join(", ")}`)
  console.log(
    `| ${engine} | ${answers} | ${different} | ${rows[0].stored} of ${rows[0].calls} calls | ${asked - different} of at most ${concurrency} | ${after - before} |`,
  )
  for (const text of again) console.log(`asked again: ${text}`)
  if (code !== 0 && code !== 4) console.log(coordinator.said().slice(-2_000))
  for (const [i, child] of hired.entries()) if (codes[i] !== 0) console.log(`w${i}: ${child.said().slice(-1_500)}`)
} finally {
  for (const child of running) child.kill()
  await client.end().catch(() => {})
  await redis?.stop()
  await postgres.stop()
  network.remove()
  rmSync(folder, { recursive: true, force: true })
}
process.exit(0)
