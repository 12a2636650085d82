import { EvalkitError } from "../../../src/core/errors.ts"
import type { Random } from "../../../src/core/random.ts"
import { type RunStore, storeLost } from "../../../src/core/run/run-store.ts"
import { openDatabase } from "../../../src/store/sqlite/database.ts"
import { storeOver } from "../../../src/store/store-over.ts"
import type { Database, Statement } from "../../../src/store/tables/database.ts"
import type { Actor, Scheduler } from "./scheduler.ts"
import type { World } from "./world.ts"

/** One database that all processes of a world reach over a network which fails. */
export interface SimulatedDatabase {
  /** A process's own connection. */
  open(actor: Actor): RunStore
  /** One of the world outside, which never fails. */
  readonly outside: RunStore
  /** The process cannot reach it for so long, in milliseconds; what it was about to be told of its last commit is lost. */
  cut(actor: Actor, ms: number): void
  /** The process dies at one of its next statements. */
  dieWithin(actor: Actor, statements: number): void
  close(): void
}

export function createDatabase(
  scheduler: Scheduler,
  random: Random,
  { strike, hurt }: Pick<World, "strike" | "hurt">,
): SimulatedDatabase {
  const driver = openDatabase(":memory:")
  driver.exec("CREATE TABLE simulated_clock (at REAL); INSERT INTO simulated_clock VALUES (0)")
  const setClock = driver.prepare("UPDATE simulated_clock SET at = ?")
  const cuts = new Map<Actor, number>()
  /** Who is not told of the next commit, or, every second time, of whatever is written next. */
  const unconfirmed = new Map<Actor, "commit" | "write">()
  let losses = 0
  const deaths = new Map<Actor, number>()
  const overNetwork = (actor: Actor | null): Database => {
    let depth = 0
    const check = (): void => {
      if (actor === null) return
      const left = deaths.get(actor)
      if (left !== undefined) {
        deaths.set(actor, left - 1)
        if (left === 0 && !actor.isDead) strike("dieInStatement")
        if (left <= 0) actor.isDead = true
      }
      if (!actor.isDead && scheduler.now() >= (cuts.get(actor) ?? 0)) return
      if (depth > 0) driver.exec("ROLLBACK")
      depth = 0
      throw new StoreLost(actor)
    }
    const confirm = (what: "commit" | "write"): void => {
      if (!actor || !unconfirmed.has(actor) || (what === "write" && unconfirmed.get(actor) === "commit")) return
      unconfirmed.delete(actor)
      strike("loseCommit")
      const ms = 500 + 3_000 * random.next()
      cuts.set(actor, scheduler.now() + ms)
      hurt(actor, ms)
      throw new StoreLost(actor)
    }
    const timed = (statement: Statement, isTimed: boolean, isWrite: boolean): Statement => {
      const before = (): void => {
        check()
        if (isTimed) setClock.run([1_800_000_000 + scheduler.now() / 1000])
      }
      const after = <Given, Result>(work: (input: Given) => Result) => {
        return (input: Given): Result => {
          before()
          const result = work(input)
          if (isWrite && depth === 0) confirm("write")
          return result
        }
      }
      return {
        run: after((input) => statement.run(input)),
        runAll: after((input) => statement.runAll(input)),
        get: after((input) => statement.get(input)),
        all: after((input) => statement.all(input)),
      }
    }
    return {
      prepare(sql) {
        const text = sql.replaceAll("unixepoch('subsec')", "(SELECT at FROM simulated_clock)")
        return timed(driver.prepare(text), text !== sql, !text.startsWith("SELECT"))
      },
      exec(sql) {
        if (sql.startsWith("ROLLBACK") && depth === 0) return
        check()
        driver.exec(sql)
        if (sql.startsWith("BEGIN")) depth = 1
        if (sql !== "COMMIT" && sql !== "ROLLBACK") return
        depth = 0
        if (sql === "COMMIT") confirm("commit")
      },
      list: (texts) => driver.list(texts),
      close() {},
    }
  }
  const locks = { isWritten: () => false, take() {}, release() {}, isAlone: () => false }
  return {
    open: (actor) => storeOver(overNetwork(actor), locks, () => {}),
    outside: storeOver(overNetwork(null), locks, () => {}),
    cut(actor, ms) {
      if (ms > 0) cuts.set(actor, scheduler.now() + ms)
      else unconfirmed.set(actor, losses++ % 2 === 0 ? "commit" : "write")
    },
    dieWithin: (actor, statements) => void deaths.set(actor, statements),
    close: () => driver.close(),
  }
}

/** What a statement of a process throws that cannot reach the store. */
export class StoreLost extends EvalkitError {
  readonly actor: Actor
  constructor(actor: Actor) {
    super("the store cannot be reached", { code: storeLost })
    this.actor = actor
  }
}
