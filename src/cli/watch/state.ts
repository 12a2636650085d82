import { readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { contentHash } from "../../core/json.ts"
import type { WatchAlarm } from "./poll.ts"

/** What a watch of some variants of a config knows beyond the store, so that one that was ended goes on where it was. */
export interface WatchState {
  /** Plan of its runs; null before the first. */
  readonly plan: string | null
  /** When its newest round was due, wall time in milliseconds. */
  readonly dueMs: number | null
  /** Alarms that stood when it was last told which do. */
  readonly reported: readonly WatchAlarm[]
}

const none: WatchState = { plan: null, dueMs: null, reported: [] }

/**
 * Where the state of a watch is kept: one file for each config and choice of its variants, since several may have one store.
 *
 * @param folder of all watches of the store
 * @param config absolute path of the config
 */
export function stateFile(folder: string, config: string, variants: readonly string[] = []): string {
  return join(folder, `watch-${contentHash([config, [...variants].sort()], 12)}.json`)
}

/** The state in a file; an empty one where there is none, or where it cannot be read. */
export function readState(file: string): WatchState {
  try {
    const { plan, dueMs, reported } = JSON.parse(readFileSync(file, "utf8")) as Partial<WatchState>
    return {
      plan: typeof plan === "string" ? plan : null,
      dueMs: typeof dueMs === "number" ? dueMs : null,
      reported: Array.isArray(reported) ? reported.filter((entry) => typeof entry?.key === "string") : [],
    }
  } catch {
    return none
  }
}

/** Replaces the state as a whole. */
export function writeState(file: string, state: WatchState): void {
  const draft = `${file}.new`
  writeFileSync(draft, `${JSON.stringify(state)}\n`)
  renameSync(draft, file)
}
