import { readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { WatchAlarm } from "./look.ts"

/** What a watch knows beyond the store, so that one that was ended goes on where it was. */
export interface WatchState {
  /** Plan of its runs; null before the first. */
  readonly plan: string | null
  /** When its newest round was due, wall time in milliseconds. */
  readonly dueMs: number | null
  /** Alarms that stood when it was last told which do. */
  readonly told: readonly WatchAlarm[]
}

const none: WatchState = { plan: null, dueMs: null, told: [] }

/** The state in a folder; an empty one where there is none, or where it cannot be read. */
export function readState(folder: string): WatchState {
  try {
    const { plan, dueMs, told } = JSON.parse(readFileSync(path(folder), "utf8")) as Partial<WatchState>
    return {
      plan: typeof plan === "string" ? plan : null,
      dueMs: typeof dueMs === "number" ? dueMs : null,
      told: Array.isArray(told) ? told.filter((one) => typeof one?.key === "string") : [],
    }
  } catch {
    return none
  }
}

/** Replaces the state as a whole. */
export function writeState(folder: string, state: WatchState): void {
  const draft = `${path(folder)}.new`
  writeFileSync(draft, `${JSON.stringify(state)}\n`)
  renameSync(draft, path(folder))
}

function path(folder: string): string {
  return join(folder, "watch.json")
}
