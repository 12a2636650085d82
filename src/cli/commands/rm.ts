import { readdir, rm } from "node:fs/promises"
import { join, resolve } from "node:path"
import { ExitCode, UsageError } from "../../core/errors.ts"
import { isRunId } from "../../core/run/run-id.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import { closing } from "../../platform/closing.ts"
import { findRun } from "../../store/find-run.ts"
import { defaultDirectory, openStoreToChange } from "../../store/project-store.ts"
import { counted } from "../../words/number.ts"
import { flag, text } from "../arguments/options.ts"
import type { Command, CommandIo } from "../command.ts"
import { storeOptions } from "../store/store-options.ts"

/** `evalkit rm RUN`: removes a run with everything that the store and its folder of reports keep of it. */
export const command: Command = {
  positionals: { run: text("id or its beginning", { demandOption: true }) },
  options: {
    yes: flag("ask nothing", { alias: "y", default: false }),
    ...storeOptions,
  },
  examples: {
    "$0 rm 7f3a": "asks before it removes the run",
    "$0 rm 7f3a --yes": "asks nothing",
  },

  async run(args, io) {
    const directory = resolve(io.cwd, String(args.directory ?? defaultDirectory))
    return closing(openStoreToChange(args, io), async (store) => {
      const record = findRun(store, String(args.run), "all")
      if (!args.yes && !(await isWanted(record, io))) {
        io.out("nothing was removed\n")
        return ExitCode.ok
      }
      store.removeRun(record.id)
      const reports = await removeReports(join(directory, "reports"), record.id)
      io.out(
        `${record.kind ?? "run"} ${record.id} is removed${reports === 0 ? "" : `, with ${counted(reports, "report")}`}\n`,
      )
      return ExitCode.ok
    })
  },
}

async function isWanted({ id, kind, startedAt, variants, dataset }: RunRecord, io: CommandIo): Promise<boolean> {
  if (!io.keys) {
    throw new UsageError("nobody is there to say yes", { where: `run ${id}`, hint: "add --yes to remove it unasked" })
  }
  const on = kind === "bench" ? "" : ` on ${counted(dataset.samples, "sample")}`
  io.err(`Remove ${kind ?? "run"} ${id} of ${startedAt}, ${counted(variants.length, "variant")}${on}? [y/N] `)
  for await (const key of io.keys()) {
    io.err("\n")
    return key === "y" || key === "Y"
  }
  return false
}

/** Removes the files that are called after a run; returns how many. */
async function removeReports(folder: string, id: string): Promise<number> {
  // Whoever edited the store may have given it any id: no report was written for it.
  if (!isRunId(id)) return 0
  const names = await readdir(folder).catch(() => [])
  const own = names.filter((name) => name.startsWith(`${id}.`))
  for (const name of own) await rm(join(folder, name), { force: true })
  return own.length
}
