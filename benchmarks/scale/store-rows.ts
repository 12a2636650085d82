/**
 * What many rows cost a store in PostgreSQL: bytes of an answer, and how long the coordinator's look at the rows takes.
 *
 *   npm run build && npx jiti benchmarks/scale/store-rows.ts [ROWS]   (Linux)
 *
 * A run of 640 real answers is multiplied under other ids of samples.
 */
import pg from "pg"
import { postgres as postgresStore } from "../../src/store/postgres.ts"
import { startPostgres } from "../../test/support/servers/postgres-server.ts"
import { measureQueueRun } from "./throughput/queue-run.ts"

const [rows = 1_000_000] = process.argv.slice(2).map(Number)
const server = await startPostgres({ isDurable: true })
const client = new pg.Client({ connectionString: server.url })
try {
  const answers = 640
  const queue = { url: server.url, pid: server.pid() }
  await measureQueueRun({ store: server, queue, workers: 1, concurrency: 4, answerMs: 0, answers })
  await client.connect()
  const copies = Math.ceil(rows / answers) - 1
  // Numbers of a variant are unique: each copy has its own range.
  await client.query(
    `INSERT INTO evalkit.generations SELECT run_id, variant, sample_id || '-' || copy, repeat, number + copy * ${answers}, segment, outcome, data, logprobs
     FROM evalkit.generations, generate_series(1, ${copies}) AS copy`,
  )
  await client.query("VACUUM ANALYZE evalkit.generations")
  const size = await client.query(
    "SELECT count(*) AS answers, pg_table_size('evalkit.generations') AS data, pg_indexes_size('evalkit.generations') AS indexes FROM evalkit.generations",
  )
  const { answers: stored, data, indexes } = size.rows[0]
  const store = postgresStore(server.url).open({ readonly: true })
  const runId = store.runs()[0]?.id as string
  const timed = (work: () => unknown): number => {
    const startMs = performance.now()
    work()
    return performance.now() - startMs
  }
  const countMs = Math.min(...[1, 2, 3].map(() => timed(() => store.countFinished(runId))))
  let read = 0
  const readMs = timed(() => {
    for (const _ of store.finished(runId)) read++
  })
  store.close()
  console.log(
    `| ${stored} | ${(Number(data) / stored).toFixed(0)} | ${(Number(indexes) / stored).toFixed(0)} | ${countMs.toFixed(0)} | ${(readMs / 1000).toFixed(1)} |`,
  )
  if (read !== Number(stored)) throw new Error(`${read} of ${stored} rows were read`)
} finally {
  await client.end().catch(() => {})
  await server.stop()
}
process.exit(0)
