import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Random } from "../../../src/core/random.ts"
import { exportRun } from "../../../src/store/archive/export-run.ts"
import { loadDriver } from "../../../src/store/sqlite/database.ts"
import type { LedgerServer } from "./ledger-server.ts"
import { type MarkedEnd, runMarked } from "./marked-command.ts"
import { reading } from "./on-record.ts"
import type { Stage, Tally } from "./tally.ts"

/** What commands that only change the store are killed in. */
export interface StoreWorld {
  /** An empty folder. */
  readonly folder: string
  readonly server: LedgerServer
  readonly random: Random
  readonly tally: Tally
}

const storeOf = (folder: string) => join(folder, ".evalkit")

/** Copies a project, without what only its processes needed. */
export function copyProject(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, { recursive: true })
  rmSync(join(storeOf(to), "writer.db.holder"), { force: true })
}

/** Kills a command at a seeded moment after it locked the store; then looks whether the store is whole. */
async function killWithin(
  { folder, random, tally }: StoreWorld,
  stage: Stage,
  args: readonly string[],
  withinMs: number,
): Promise<MarkedEnd> {
  const ended = await runMarked(args, folder, { mark: "lock", nth: 1, delayMs: random.next() * withinMs })
  if (ended.isKilled) tally.kills[stage]++
  const database = new (loadDriver())(join(storeOf(folder), "evalkit.db"))
  const result = database.prepare("PRAGMA integrity_check").get() as { integrity_check: string }
  database.close()
  if (result.integrity_check !== "ok") tally.faults.push(`${stage}: ${result.integrity_check}`)
  return ended
}

/** Imports an archive, is killed meanwhile, and imports it again. The store must have the run whole, or nothing of it. */
export async function killImport(world: StoreWorld, archive: string, withinMs: number): Promise<void> {
  const { folder, tally } = world
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const file = join(folder, "run.jsonl")
  writeFileSync(file, archive)
  await killWithin(world, "import", ["import", file], withinMs)
  const linesOf = () => reading(folder, (store, record) => (record ? [...exportRun(store, record)].join("") : ""))
  const half = linesOf()
  if (half !== "" && half !== archive) tally.faults.push("import: a part of the run is in the store")
  const second = await runMarked(["import", file], folder)
  if (second.code !== 0) tally.faults.push(`import: exit ${second.code}: ${second.stderr.slice(-300)}`)
  if (linesOf() !== archive) {
    tally.lost++
    tally.faults.push("import: the run in the store is not that of the archive")
  }
}

/**
 * Merges two parts of a run, is killed meanwhile, and merges them again.
 *
 * @returns the id of the merged run
 */
export async function killMerge(world: StoreWorld, shards: string, withinMs: number): Promise<string> {
  const { folder, server, tally } = world
  copyProject(shards, folder)
  const parts = reading(folder, (store) => store.runs().map(({ id }) => id))
  const asked = server.ledger.length
  const first = await killWithin(world, "merge", ["merge", ...parts], withinMs)
  const second = first.isKilled ? await runMarked(["merge", ...parts], folder) : first
  if (second.code !== 0) tally.faults.push(`merge: exit ${second.code}: ${second.stderr.slice(-300)}`)
  const merged = reading(folder, (store) => store.runs().flatMap(({ id }) => (parts.includes(id) ? [] : [id])))
  if (merged.length !== 1) {
    tally.doubled++
    tally.faults.push(`merge: ${merged.length} merged runs of the same parts`)
  }
  tally.finishedSentAgain += server.ledger.length - asked
  return merged[0] ?? ""
}

/** The newest run of a project as an archive. */
export function archiveOf(folder: string): string {
  return reading(folder, (store, record) => (record ? [...exportRun(store, record)].join("") : ""))
}
