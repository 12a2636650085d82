import pg from "pg"
import { createRandom } from "../../../src/core/random.ts"
import { loadEngine } from "../../../src/queue/engine.ts"
import { parseQueueLocation } from "../../../src/queue/location.ts"
import { jobId } from "../../../src/queue/queue.ts"
import type { PostgresServer } from "../servers/postgres-server.ts"
import { type CountServer, startCountServer } from "./count-server.ts"
import { createFleet, type FleetProcess, queueOfFleet } from "./fleet.ts"

/** How a run is disturbed. */
export interface Disturbances {
  readonly folder: string
  readonly postgres: PostgresServer
  readonly queue: { readonly url: string; wipe?(): Promise<void> }
  readonly samples: number
  readonly workers: number
  readonly kills: number
  readonly zombies: number
  readonly concurrency: number
  readonly answerMs: number
  readonly seed: number
  say?(text: string): void
}

/** What came of it. */
export interface DisturbedRun {
  readonly exitCode: number | NodeJS.Signals | null
  readonly output: string
  /** What everybody did, in order. */
  readonly done: readonly string[]
  /** Requests that the server got, and those of them that it had got before. */
  readonly asked: number
  readonly askedAgain: number
  /** Requests that those who were killed or stopped had in flight. */
  readonly inFlight: number
  /** How long it took until the slices of each one killed had another worker or an end, in milliseconds. */
  readonly releasedMs: readonly number[]
  readonly seconds: number
}

/** Milliseconds that a zombie stands still: longer than its lock and its claims last. */
const zombieMs = 9_000
/** Milliseconds after which a run that does not end is given up. */
const limitMs = 900_000

/** Runs a task over workers, and kills, stops and wipes what it needs, at moments that a seed chooses. */
export async function runDisturbed(options: Disturbances): Promise<DisturbedRun> {
  const { folder, postgres, queue, workers, concurrency, say = () => {} } = options
  const startedMs = Date.now()
  const server = await startCountServer(options.answerMs)
  const random = createRandom(`disturbed/${options.seed}`)
  const fleet = createFleet({ folder, queue: queue.url, store: postgres.url, askUrl: server.url, concurrency })
  const done: string[] = []
  let next = 0
  let inFlight = 0
  const releasedMs: number[] = []
  const looks: Promise<void>[] = []
  const alive: FleetProcess[] = []
  const hire = (): void => void alive.push(fleet.worker(`w${next++}`))
  let coordinator = fleet.coordinator()
  for (let i = 0; i < workers; i++) hire()
  const planned = 3 * options.samples
  const note = (what: string): void => {
    done.push(`${server.asked()} ${what}`)
    say(`${((Date.now() - startedMs) / 1000).toFixed(1)} s, ${server.asked()} of ${planned}: ${what}`)
  }
  const pick = (): FleetProcess | undefined => {
    const busy = alive.filter(({ name }) => server.inFlight(name) > 0)
    return busy[Math.floor(random.next() * busy.length)]
  }
  const actions: (() => Promise<void>)[] = []
  for (let i = 0; i < options.kills; i++)
    actions.push(async () => {
      const victim = pick()
      if (!victim) return
      inFlight += Math.min(concurrency, server.inFlight(victim.name))
      const held = await slicesOf(postgres, victim.name)
      victim.child.kill("SIGKILL")
      alive.splice(alive.indexOf(victim), 1)
      const killedMs = Date.now()
      looks.push(untilReleased(postgres, held).then((atMs) => void releasedMs.push(atMs - killedMs)))
      note(`${victim.name} killed with ${held.slices.length} slices`)
      hire()
    })
  for (let i = 0; i < options.zombies; i++)
    actions.push(async () => {
      const victim = pick()
      if (!victim) return
      inFlight += Math.min(concurrency, server.inFlight(victim.name))
      victim.child.kill("SIGSTOP")
      note(`${victim.name} stopped`)
      looks.push(
        new Promise((resolve) =>
          setTimeout(() => {
            victim.child.kill("SIGCONT")
            note(`${victim.name} goes on`)
            resolve()
          }, zombieMs),
        ),
      )
    })
  if (queue.wipe)
    actions.push(async () => {
      await queue.wipe?.()
      note("Redis wiped")
    })
  actions.push(async () => {
    await postgres.restart()
    note("PostgreSQL restarted")
    // A coordinator that was just starting ends with a message that says how to go on: so does its user.
    await waited(1_500)
    if (coordinator.child.exitCode === null) return
    note(`coordinator resumed after ${coordinator.said().includes("--resume") ? "its advice" : "another end"}`)
    coordinator = fleet.coordinator(["--resume"])
  })
  actions.push(async () => {
    coordinator.child.kill("SIGKILL")
    await coordinator.ended
    note("coordinator killed")
    coordinator = fleet.coordinator(["--resume"])
  })
  actions.push(async () => note(`${await deliverTwice(queue.url, postgres.url)} slices delivered twice`))
  const order = random.shuffle(actions)
  try {
    for (const [i, action] of order.entries()) {
      await reached(server, (planned * (i + 1)) / (order.length + 2), coordinator)
      await action()
    }
    await Promise.all(looks)
    const exitCode = await Promise.race([coordinator.ended, waited(limitMs)])
    return {
      exitCode,
      output: [coordinator, ...alive].map((member) => `${member.name}: ${member.said().slice(-2_000)}`).join("\n"),
      done,
      asked: server.asked(),
      askedAgain: server.askedAgain(),
      inFlight,
      releasedMs,
      seconds: (Date.now() - startedMs) / 1000,
    }
  } finally {
    fleet.end()
    await server.close()
  }
}

/** Waits until so many requests were made, or nothing more is coming. */
async function reached(server: CountServer, count: number, coordinator: FleetProcess): Promise<void> {
  const untilMs = Date.now() + limitMs
  while (server.asked() < count && coordinator.child.exitCode === null && Date.now() < untilMs) await waited(20)
}

interface Held {
  readonly worker: number
  readonly slices: readonly number[]
}

async function slicesOf({ url }: PostgresServer, name: string): Promise<Held> {
  const rows = await ask(
    url,
    "SELECT number, slice FROM evalkit.workers w JOIN evalkit.claims c ON c.worker = w.number AND c.run_id = w.run_id WHERE name = $1",
    [name],
  )
  return { worker: Number(rows[0]?.number ?? 0), slices: rows.map(({ slice }) => Number(slice)) }
}

/** When none of these claims is the dead worker's any more. */
async function untilReleased({ url }: PostgresServer, { worker, slices }: Held): Promise<number> {
  for (;;) {
    const left = await ask(url, "SELECT slice FROM evalkit.claims WHERE worker = $1 AND slice = ANY($2)", [
      worker,
      slices,
    ]).catch(() => null)
    if (left?.length === 0) return Date.now()
    await waited(100)
  }
}

async function ask(url: string, text: string, values: unknown[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on("error", () => {})
  await client.connect()
  return client
    .query(text, values)
    .then(({ rows }) => rows)
    .finally(() => client.end().catch(() => {}))
}

/** Adds every slice that waits or is under way once more, under another id. */
async function deliverTwice(url: string, store: string): Promise<number> {
  const { Queue, connection, backend } = await loadEngine(parseQueueLocation(url))
  const queue = new Queue(queueOfFleet(store), { connection } as never, backend as never)
  queue.on("error", () => {})
  const jobs = await queue.getJobs(["wait", "active", "delayed"])
  await queue.addBulk(
    jobs.filter(Boolean).map(({ data }) => ({
      name: "slice",
      data,
      opts: {
        jobId: jobId({ runId: data.runId, slice: moreThanAny + data.slice }),
        removeOnComplete: true,
        removeOnFail: true,
        attempts: 1_000_000,
        backoff: { type: "fixed", delay: 500 },
      },
    })),
  )
  await queue.close()
  return jobs.length
}

/** No run of the tests has so many slices. */
const moreThanAny = 1_000_000

function waited(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), ms))
}
