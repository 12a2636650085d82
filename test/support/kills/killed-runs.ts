import type { Random } from "../../../src/core/random.ts"
import type { LedgerServer } from "./ledger-server.ts"
import { type Kill, type MarkedEnd, runMarked } from "./marked-command.ts"
import { type OnRecord, readOnRecord } from "./on-record.ts"
import { concurrency, variantNames } from "./projects.ts"
import type { Stage, Tally } from "./tally.ts"

/** What a series of kills is made in. */
export interface KillWorld {
  readonly folder: string
  readonly samples: number
  readonly server: LedgerServer
  readonly random: Random
  readonly tally: Tally
  /** Whether each request is billed its number in the ledger, so that it can be found in the store. */
  readonly isBilledByNumber: boolean
}

/** Longest time between a mark and the kill, in milliseconds. */
const longestDelayMs = 8

/**
 * Starts or resumes the project's run, kills it in one stage after the other, and resumes it to its end. After each kill it
 * looks at what is on record: whatever is there must never be asked again, and what the server was asked beyond it was in flight.
 *
 * @returns how the last process ended
 */
export async function killAndResume(world: KillWorld, stages: readonly Stage[]): Promise<MarkedEnd> {
  const { folder, server, tally } = world
  let isBegun = false
  /** Requests that were in flight at a kill: no client can know them. */
  const gone = new Set<number>()
  let before = readOnRecord(folder)
  for (const stage of [...stages, null]) {
    const kill = stage && killOf(stage, before, world)
    const asked = server.ledger.length
    const ended = await runMarked(["run", "--json", ...(isBegun ? ["--resume"] : [])], folder, kill)
    // A request that was on its way when the process died reaches the server a moment later.
    await new Promise((resolve) => setTimeout(resolve, 30))
    isBegun = true
    const done = finishedKeys(world, before)
    for (const { key } of server.ledger.slice(asked)) if (done.has(key)) tally.finishedSentAgain++
    const now = readOnRecord(folder)
    if (!kill) {
      bookRun(world, now, gone)
      if (ended.code !== 0) tally.faults.push(`the last process ended with ${ended.code}: ${ended.stderr.slice(-300)}`)
      return ended
    }
    if (ended.isKilled) tally.kills[stage]++
    else if (ended.code !== 0) tally.faults.push(`in ${stage}: exit ${ended.code}: ${ended.stderr.slice(-300)}`)
    bookInFlight(world, asked, before, now, gone)
    before = now
  }
  throw new Error("there is no last process")
}

/** A moment of the stage, seeded: it is there in the rest of the run. */
function killOf(stage: Stage, { generations, verdicts, rows }: OnRecord, { random, samples }: KillWorld): Kill {
  const answers = samples * variantNames.length
  const within = (left: number) => 1 + Math.floor(random.next() * Math.max(1, left))
  const delayMs = random.next() * longestDelayMs
  if (stage === "generation") return { mark: "request", nth: within(answers - generations), delayMs }
  if (stage === "judging") return { mark: "judge", nth: within(answers - verdicts), delayMs }
  if (stage === "scoring") return { mark: "measure", nth: within(answers - Math.ceil(rows / 2)), delayMs }
  if (stage === "summary") return { mark: "summary", nth: 1, delayMs: delayMs * 2 }
  return { mark: "html", nth: within(5), delayMs }
}

/** Questions whose answers are on record, as the ledger names them. */
function finishedKeys({ server, isBilledByNumber }: KillWorld, { serials, answered }: OnRecord): ReadonlySet<string> {
  if (!isBilledByNumber) return answered
  return new Set(server.ledger.flatMap(({ serial, key, isWhole }) => (isWhole && serials.has(serial) ? [key] : [])))
}

/** What this process asked and what of it is on no record: it was in flight. */
function bookInFlight(world: KillWorld, asked: number, before: OnRecord, now: OnRecord, gone: Set<number>): void {
  const { server, tally } = world
  const since = server.ledger.slice(asked)
  const unrecorded = world.isBilledByNumber
    ? since.filter(({ serial }) => !now.serials.has(serial))
    : since.slice(now.generations + now.verdicts - before.generations - before.verdicts)
  for (const { serial } of unrecorded) gone.add(serial)
  tally.inFlight += unrecorded.length
  tally.mostInFlightPerKill = Math.max(tally.mostInFlightPerKill, unrecorded.length)
  if (unrecorded.length > concurrency)
    tally.faults.push(`${unrecorded.length} requests of one process are on no record, at concurrency ${concurrency}`)
}

/** A run that came to its end: all of it is there, once, and what it cost is what the server billed, less what was in flight. */
function bookRun(world: KillWorld, now: OnRecord, gone: ReadonlySet<number>): void {
  const { server, tally, samples } = world
  const answers = samples * variantNames.length
  tally.runs++
  tally.answers += now.generations
  tally.verdicts += now.verdicts
  tally.lost += answers - now.answered.size
  tally.doubled += now.generations - now.answered.size
  const times = new Map<string, number>()
  for (const { key, isWhole } of server.ledger) if (isWhole) times.set(key, (times.get(key) ?? 0) + 1)
  const repeats = [...times.values()].reduce((sum, count) => sum + count - 1, 0)
  tally.finishedSentAgain += Math.max(0, repeats - gone.size)
  if (!world.isBilledByNumber) return
  const billed = server.ledger.filter(({ serial }) => !gone.has(serial)).map(({ serial }) => serial)
  const missing = billed.filter((serial) => !now.serials.has(serial))
  const usd = billed.reduce((sum, serial) => sum + serial, 0) / 1e6
  if (missing.length === 0 && Math.abs((now.reportedUsd ?? Number.NaN) - usd) < 1e-9) return
  tally.otherCosts++
  tally.faults.push(`the report has $${now.reportedUsd}, the ledger $${usd}; not on record: ${missing.join(", ")}`)
}
