import { UsageError } from "../core/errors.ts"
import type { RunRecord } from "../core/run/run-record.ts"
import type { RunStore } from "../core/run/run-store.ts"

/**
 * The run that a person means: an id, the beginning of one, or the newest run when nothing is given.
 * @throws {UsageError} when there is none, or more than one
 */
export function findRun(store: Pick<RunStore, "runs" | "location">, wanted: string | undefined): RunRecord {
  // What a script left empty by mistake must not name the only run, which may be about to be removed.
  if (wanted === "") throw new UsageError("the run's id is an empty text", { hint: "list the runs with: evalkit runs" })
  const runs = store.runs()
  const matches = wanted === undefined ? runs.slice(0, 1) : runs.filter((run) => run.id.startsWith(wanted))
  const exact = matches.find((run) => run.id === wanted)
  const run = exact ?? matches[0]
  if (!run && runs.length === 0)
    throw new UsageError("there are no runs yet", {
      code: "run_not_found",
      where: `looked ${wanted === undefined ? "" : `for ${wanted} `}in ${store.location ?? "the store"}`,
      hint: "make one with: evalkit run; a store elsewhere is named with --directory FOLDER",
    })
  if (!run)
    throw new UsageError("there is no such run", {
      code: "run_not_found",
      where: wanted ?? "the store",
      hint: "list them with: evalkit runs",
    })
  if (matches.length > 1 && !exact) {
    throw new UsageError(`more than one run begins with ${wanted}`, {
      where: matches.map(({ id }) => id).join(", "),
      hint: "give more letters of the one you mean",
    })
  }
  return run
}
