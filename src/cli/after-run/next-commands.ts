import { existsSync } from "node:fs"
import { delimiter, join, relative, resolve } from "node:path"
import type { RunReport } from "../../core/report/report.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { CommandIo } from "../command.ts"
import { defaultDirectory } from "../store/project-store.ts"

/** Where a run was started and kept. */
export interface RunPlace {
  /** The config as it was found, and the folder of the store, absolute. */
  readonly config: string
  readonly directory: string
  /** `--store`, where it was given. */
  readonly store?: string | undefined
}

/** What to do after a run, as commands that work in the folder and the shell in which it was started. */
export function nextCommands(
  { report, record }: { readonly report: RunReport; readonly record: Pick<RunRecord, "id" | "status"> },
  place: RunPlace,
  io: Pick<CommandIo, "cwd" | "environment">,
): readonly string[] {
  const called = calledAs(io.environment)
  const folder = relative(io.cwd, place.directory)
  const where =
    place.store === undefined
      ? folder === defaultDirectory
        ? ""
        : ` --directory ${shellWord(folder || ".")}`
      : ` --store ${shellWord(place.store)}`
  const view = `${called} view ${record.id}${where}`
  if (record.status !== "finished") {
    const config = relative(io.cwd, resolve(io.cwd, place.config))
    const named = config === "eval.config.ts" ? "" : ` ${shellWord(config)}`
    return [`${called} run${named} --resume ${record.id}${place.store === undefined ? "" : where}`, view]
  }
  const isAnswered = ({ outcomes }: RunReport["variants"][number]) => (outcomes.ok ?? 0) + (outcomes.length ?? 0) > 0
  const baseline = report.variants.find((variant) => variant.baseline)
  const about = report.decision?.about
  const candidate =
    report.variants.find(({ name }) => name === about) ?? report.variants.find((variant) => !variant.baseline)
  if (!baseline || !candidate || !isAnswered(baseline) || !isAnswered(candidate)) return [view]
  return [view, `${called} compare ${shellWord(baseline.name)} ${shellWord(candidate.name)}${where}`]
}

/** How one sample of a run is read: the store as it was named on the command line that found the run. */
export function showCommand(
  run: string,
  sample: string,
  { directory, store }: Readonly<Record<string, unknown>>,
  io: Pick<CommandIo, "environment">,
): string {
  const where = [
    ...(typeof directory === "string" ? ["--directory", shellWord(directory)] : []),
    ...(typeof store === "string" ? ["--store", shellWord(store)] : []),
  ]
  return [calledAs(io.environment), "show", run, shellWord(sample), ...where].join(" ")
}

/** `evalkit` where a shell finds it, else through npx; folders that npm adds for one command do not count. */
export function calledAs(environment: CommandIo["environment"]): string {
  const folders = (environment.PATH ?? "").split(delimiter)
  const isFound = folders.some(
    (folder) =>
      folder !== "" && !/node_modules[\\/]\.bin[\\/]?$|_npx/.test(folder) && existsSync(join(folder, "evalkit")),
  )
  return isFound ? "evalkit" : "npx evalkit"
}

/** A word as a shell takes it: quoted where it is not plain. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
