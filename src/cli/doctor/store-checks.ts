import { existsSync } from "node:fs"
import { join } from "node:path"
import { messageOf } from "../../core/errors.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import { findStore } from "../../store/project-store.ts"
import { inspectStore, repairStore, type StoreFault } from "../../store/sqlite/inspect.ts"
import { hasWriter, takeWriterLock } from "../../store/writer-lock.ts"
import { counted } from "../../words/number.ts"
import type { Args, CommandIo } from "../command.ts"
import type { DoctorCheck } from "./check.ts"

/** What `doctor --store` looks at, by the kind of fault that it may find. */
const looksAt: readonly (readonly [kind: StoreFault["kind"], name: string, ok: string])[] = [
  ["damaged", "integrity", "SQLite finds no fault in the file"],
  ["orphans", "orphans", "every row belongs to a run"],
  ["stuck", "stuck runs", "every run that says so has a process"],
]

/**
 * The store of a folder: its schema, SQLite's own check, rows that belong to no run, and runs that no process works on. With
 * `repair`, what can be put right is, first.
 */
export function checkStoreContent(directory: string, repair: boolean): DoctorCheck[] {
  const path = join(directory, "evalkit.db")
  if (!existsSync(path)) return [{ name: "store", status: "skipped", message: `there is no store in ${directory} yet` }]
  try {
    if (repair) repairLocked(directory, path)
    const { schema, runs, faults } = inspectStore(path, hasWriter(directory))
    if (schema === null)
      return [
        { name: "schema", status: "warning", message: "an older evalkit wrote it; --repair brings it up to date" },
      ]
    const damaged = faults.some(({ kind }) => kind === "damaged")
    return [
      { name: "schema", status: "ok", message: `version ${schema}, ${counted(runs, "run")}` },
      ...looksAt.map(([kind, name, ok]): DoctorCheck => {
        const messages = faults.filter((fault) => fault.kind === kind).map(({ message }) => message)
        if (messages.length > 0) return { name, status: "failed", message: `${messages.join("; ")}; ${advice(kind)}` }
        if (damaged) return { name, status: "skipped", message: "the file is damaged" }
        return { name, status: "ok", message: ok }
      }),
    ]
  } catch (error) {
    return [{ name: "store", status: "failed", message: messageOf(error) }]
  }
}

/** A store that is no folder: whether it can be reached, and written to. Null: the store is a folder. */
export function checkSharedStore(
  args: Args,
  io: Pick<CommandIo, "cwd" | "environment">,
  evaluation?: Evaluation,
): DoctorCheck | null {
  const name = "shared store"
  try {
    const source = findStore(args, io, evaluation)
    if (!source) return null
    const store = source.open()
    try {
      return {
        name,
        status: "ok",
        message: `${source.location} can be written, ${counted(store.runs().length, "run")}`,
      }
    } finally {
      store.close()
    }
  } catch (error) {
    return { name, status: "failed", message: messageOf(error) }
  }
}

function repairLocked(directory: string, path: string): void {
  const lock = takeWriterLock(directory)
  try {
    repairStore(path)
  } finally {
    lock.release()
  }
}

function advice(kind: StoreFault["kind"]): string {
  return kind === "damaged"
    ? "try --repair; if it does not help, take the runs out with: evalkit export RUN --format archive"
    : "put it right with: evalkit doctor --store --repair"
}
