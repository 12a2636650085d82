import { UsageError } from "../core/errors.ts"
import type { RunRecord } from "../core/run/run-record.ts"
import type { RunStore } from "../core/run/run-store.ts"

/**
 * The run that a person means: an id, the beginning of one, or the newest run when nothing is given.
 *
 * @param kinds `all`: a load test may be meant, too; without an id only where there is no other run
 * @throws {UsageError} when there is none, or more than one
 */
export function findRun(
  store: Pick<RunStore, "runs" | "location">,
  name: string | undefined,
  kinds: "evaluations" | "all" = "evaluations",
): RunRecord {
  // What a script left empty by mistake must not name the only run, which may be about to be removed.
  if (name === "") throw new UsageError("the run's id is an empty text", { hint: "list the runs with: evalkit runs" })
  const all = store.runs("all")
  const runs = all.filter(({ kind }) => kinds === "all" || kind === undefined)
  const newest = runs.find(({ kind }) => kind === undefined) ?? runs[0]
  const begins = ({ id }: RunRecord) => name === undefined || id.startsWith(name)
  const matches = name === undefined ? [newest].flatMap((run) => run ?? []) : runs.filter(begins)
  const exact = matches.find((run) => run.id === name)
  const run = exact ?? matches[0]
  if (!run && name !== undefined && all.some(begins))
    throw new UsageError("this is a load test, not a run with answers", {
      code: "run_is_bench",
      where: name,
      hint: `see it with: evalkit show ${name}`,
    })
  if (!run && runs.length === 0)
    throw new UsageError("there are no runs yet", {
      code: "run_not_found",
      where: `looked ${name === undefined ? "" : `for ${name} `}in ${store.location ?? "the store"}`,
      hint: "make one with: evalkit run; a store elsewhere is named with --directory FOLDER",
    })
  if (!run)
    throw new UsageError("there is no such run", {
      code: "run_not_found",
      where: name ?? "the store",
      hint: "list them with: evalkit runs",
    })
  if (matches.length > 1 && !exact) {
    throw new UsageError(`more than one run begins with ${name}`, {
      where: matches.map(({ id }) => id).join(", "),
      hint: "give more letters of the one you mean",
    })
  }
  return run
}
