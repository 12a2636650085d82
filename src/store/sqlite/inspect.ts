import { counted } from "../../words/number.ts"
import { stuckRuns } from "../../words/reasons/archive.ts"
import { isIn, notIn } from "../tables/conditions.ts"
import type { Database } from "../tables/database.ts"
import { migrations } from "../tables/migrations.ts"
import { runTables, samplesOfNoRun } from "../tables/runs.ts"
import { openDatabase, openReadonlyDatabase } from "./database.ts"

/** Something in a store that is not as it should be. */
export interface StoreFault {
  readonly kind: "damaged" | "orphans" | "stuck"
  /** What was found, and how much of it. */
  readonly message: string
}

/** What was found in a store. */
export interface StoreInspection {
  /** Null: an older evalkit wrote it, and it must be brought up to date first. */
  readonly schema: number | null
  readonly runs: number
  readonly faults: readonly StoreFault[]
}

const runIds = "SELECT id FROM runs"
const answerOfRow =
  "SELECT 1 FROM generations g WHERE g.run_id = rows.run_id AND g.variant = rows.variant AND g.sample_id = rows.sample_id AND g.repeat = rows.repeat"

const orphanConditions: readonly (readonly [table: string, condition: string, noun: string, rest: string])[] = [
  ...runTables.map((table) => [table, notIn("run_id", runIds), "row", `of ${table} without a run`] as const),
  ["rows", `${isIn("run_id", runIds)} AND NOT EXISTS (${answerOfRow})`, "score", "without an answer"],
  ["samples", samplesOfNoRun, "sample", "of no run"],
]

/** Most lines that SQLite's own check is asked for. */
const maxComplaints = 5

/**
 * Looks at a store's file and writes nothing.
 *
 * @param path the file of the database
 */
export function inspectStore(path: string, hasWriter: boolean): StoreInspection {
  const database = openReadonlyDatabase(path)
  if (!database) return { schema: null, runs: 0, faults: [] }
  try {
    return { schema: migrations.length, runs: count(database, "runs", "1"), faults: findFaults(database, hasWriter) }
  } finally {
    database.close()
  }
}

/**
 * Removes what belongs to no run, says of runs without a process that they have stopped, and makes indexes anew. The caller holds
 * the writer's lock.
 */
export function repairStore(path: string): void {
  const database = openDatabase(path)
  try {
    database.exec("REINDEX; BEGIN IMMEDIATE")
    for (const [table, condition] of orphanConditions) database.exec(`DELETE FROM ${table} WHERE ${condition}`)
    database.exec("UPDATE runs SET status = 'stopped' WHERE status = 'running'; COMMIT")
  } finally {
    database.close()
  }
}

function findFaults(database: Database, hasWriter: boolean): StoreFault[] {
  const complaints = database
    .prepare(`PRAGMA integrity_check(${maxComplaints})`)
    .all([])
    .map(([complaint]) => String(complaint))
  if (complaints[0] !== "ok") return [{ kind: "damaged", message: complaints.join("; ") }]
  const orphans = orphanConditions.flatMap(([table, condition, noun, rest]): StoreFault[] => {
    const rows = count(database, table, condition)
    return rows === 0 ? [] : [{ kind: "orphans", message: `${counted(rows, noun)} ${rest}` }]
  })
  const stuck = hasWriter ? 0 : count(database, "runs", "status = 'running'")
  return stuck === 0 ? orphans : [...orphans, { kind: "stuck", message: stuckRuns(stuck) }]
}

function count(database: Database, table: string, condition: string): number {
  return Number(database.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${condition}`).get([])?.n)
}
