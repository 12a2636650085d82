import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { benchJson } from "../../../reports/bench/json.ts"
import type { ForeignTool } from "../../core/foreign/foreign-log.ts"
import type { JsonObject } from "../../core/json.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { openLoadLog } from "../../interop/load/recognise-load.ts"
import { closing } from "../../platform/closing.ts"
import { openProjectStore } from "../../store/project-store.ts"
import type { Args, CommandIo } from "../command.ts"
import { loadRows } from "./load-rows.ts"
import { isBench, readBench } from "./read-bench.ts"
import { foundOfBench } from "./render-bench.ts"

/** Levels of load of one side of a comparison. */
export interface LoadSide {
  readonly file: string
  /** Null for a bench of evalkit's own. */
  readonly recognised: ForeignTool | null
  readonly rows: readonly JsonObject[]
  readonly notes: readonly string[]
}

/**
 * The log of a load tool, what `evalkit bench --json` printed, or a bench of the store by its id or the beginning of it; null for any other
 * file, and for what else the store holds.
 */
export async function benchSide(
  name: string,
  args: Args,
  io: Pick<CommandIo, "cwd" | "environment">,
): Promise<LoadSide | null> {
  if (existsSync(resolve(io.cwd, name))) return fileSide(name, io)
  return closing(openProjectStore(args, io), async (store) => {
    const matches = store.runs("all").filter(({ id }) => name !== "" && id.startsWith(name))
    const [record] = matches.filter(({ id }) => matches.length === 1 || id === name)
    return record?.kind === "bench" ? storedSide(store, record) : null
  })
}

/** The levels of a bench of the store, as `evalkit bench --json` printed them. @throws {UsageError} where it has none */
export function storedSide(store: RunStore, record: RunRecord): LoadSide {
  return { file: record.id, recognised: null, rows: benchJson(foundOfBench(store, record)), notes: [] }
}

async function fileSide(file: string, io: Pick<CommandIo, "cwd">): Promise<LoadSide | null> {
  const log = await openLoadLog(resolve(io.cwd, file), file)
  if (log) {
    const { rows, skippedCount } = await loadRows(log)
    const lost = skippedCount > 0 ? [`${file}: ${skippedCount} records could not be read`] : []
    const notes = [`${file}: read as a file of ${log.name}`, ...log.notes.map((note) => `${file}: ${note}`), ...lost]
    return { file, recognised: log.tool, rows, notes }
  }
  return isBench(file, io.cwd) ? { file, recognised: null, rows: readBench(file, io.cwd), notes: [] } : null
}
