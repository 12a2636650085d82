/**
 * One run over workers in processes of their own, disturbed: kills, processes that stand still, a wiped Redis, a restarted PostgreSQL, a
 * coordinator that is killed and resumed, every slice delivered twice. The server counts; the report is held against that of one process.
 *
 *   npx jiti benchmarks/scale/fleet.ts redis|postgres [samples] [workers] [kills] [zombies] [answer in ms] [seed]
 *
 * Needs dist (`npm run build`), redis-server and PostgreSQL.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { postgres as postgresStore } from "../../src/store/postgres.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { runDisturbed } from "../../test/support/fleet/disturbed-run.ts"
import { comparableReport, createFleet, writeFleetProject } from "../../test/support/fleet/fleet.ts"
import { startPostgres } from "../../test/support/servers/postgres-server.ts"
import { startRedis } from "../../test/support/servers/redis-server.ts"

const [engine = "redis", ...numbers] = process.argv.slice(2)
const [samples = 6_667, workers = 8, kills = 20, zombies = 2, answerMs = 20, seed = 3] = numbers.map(Number)
// Below the repository, so that the config finds evalkit.
const root = fileURLToPath(new URL("../../node_modules/.cache", import.meta.url))
mkdirSync(root, { recursive: true })
const folder = mkdtempSync(join(root, "fleet-"))
const postgres = await startPostgres()
const redis = engine === "redis" ? await startRedis() : null
const concurrency = 4
try {
  writeFleetProject(folder, samples)
  const queue = redis ?? { url: postgres.url }
  const say = (text: string) => console.log(text)
  const run = await runDisturbed({
    folder,
    postgres,
    queue,
    samples,
    workers,
    kills,
    zombies,
    concurrency,
    answerMs,
    seed,
    say,
  })
  if (run.exitCode !== 0) console.log(run.output)
  const slow = run.releasedMs.filter((ms) => ms > 10_000).length
  console.log(
    `${engine}: exit ${run.exitCode}, ${run.asked - run.askedAgain} of ${3 * samples} calls asked, ${run.askedAgain} again (in flight of the killed: ${run.inFlight}), ${run.seconds.toFixed(0)} s`,
  )
  console.log(
    `slices of the killed had another worker after ${Math.max(...run.releasedMs)} ms at most; ${slow} after more than 10 s`,
  )
  const single = createFleet({ folder, queue: "", store: "", askUrl: null, concurrency }).single()
  if ((await single.ended) !== 0) console.log(single.said())
  const here = comparableReport(openRunStore(join(folder, ".evalkit"), { readonly: true }))
  const there = comparableReport(postgresStore(postgres.url).open({ readonly: true }))
  console.log(
    `report: ${here === there ? "that of one process, byte for byte" : "another one than that of one process"}`,
  )
} finally {
  await redis?.stop()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit(0)
