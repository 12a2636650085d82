import { plainText } from "../../../reports/format/text.ts"
import { textTable } from "../../../reports/terminal/text-table.ts"
import { isOpen } from "../../core/batch/batch-record.ts"
import { ExitCode } from "../../core/errors.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { Command } from "../command.ts"
import { openProjectStore } from "../store/project-store.ts"
import { storeOptions } from "../store/store-options.ts"

/** `evalkit runs`: what is in the store, newest first. */
export const command: Command = {
  options: (yargs) =>
    yargs
      .option("json", { type: "boolean", default: false, describe: "one JSON array" })
      .option("limit", { type: "number", default: 20, describe: "only the newest n" })
      .options(storeOptions)
      .example("$0 runs", "the newest twenty"),

  async run(args, io) {
    const store = openProjectStore(args, io)
    try {
      const runs = store.runs().slice(0, Number(args.limit))
      const waiting = new Map(runs.map(({ id }) => [id, store.batches(id).filter(isOpen).length]))
      if (args.json) {
        io.out(`${JSON.stringify(runs.map((run) => ({ ...run, openBatches: waiting.get(run.id) ?? 0 })))}\n`)
      } else if (runs.length === 0) {
        io.out("There are no runs yet. Make one with: evalkit run\n")
      } else {
        io.out(
          textTable(
            ["run", "name", "started", "status", "samples", "variants"],
            runs.map((run) => [
              run.id,
              plainText(run.name, 30),
              run.startedAt.slice(0, 19).replace("T", " "),
              statusOf(run, waiting.get(run.id) ?? 0),
              String(run.dataset.samples),
              String(run.variants.length),
            ]),
          ),
        )
        const stopped = runs.find(({ status }) => status === "stopped")
        const waits = runs.find(({ id, status }) => (waiting.get(id) ?? 0) > 0 && status !== "running")
        if (waits)
          io.out(
            `\nIts service goes on with a batch by itself. Fetch the answers with: evalkit run --resume ${waits.id}\n`,
          )
        else if (stopped)
          io.out(`\nThe process of a stopped run is gone. Go on with: evalkit run --resume ${stopped.id}\n`)
      }
      return ExitCode.ok
    } finally {
      store.close()
    }
  },
}

/** A run whose process has ended and whose batches have not is not lost, nor is it finished. */
function statusOf({ status }: RunRecord, open: number): string {
  if (open === 0 || status === "finished") return status
  return `${status === "running" ? "running, " : ""}waiting for ${open === 1 ? "a batch" : `${open} batches`}`
}
