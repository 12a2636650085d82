import { plainText } from "../../../reports/format/text.ts"
import { textTable } from "../../../reports/terminal/text-table.ts"
import { ExitCode } from "../../core/errors.ts"
import type { Command } from "../command.ts"
import { openProjectStore } from "../project-store.ts"

/** `evalkit runs`: what is in the store, newest first. */
export const command: Command = {
  options: (yargs) =>
    yargs
      .option("json", { type: "boolean", default: false, describe: "one JSON array" })
      .option("limit", { type: "number", default: 20, describe: "only the newest n" })
      .option("directory", { type: "string", describe: "folder of the store (default .evalkit)" })
      .example("$0 runs", "the newest twenty"),

  async run(args, io) {
    const store = openProjectStore(args, io)
    try {
      const runs = store.runs().slice(0, Number(args.limit))
      if (args.json) {
        io.out(`${JSON.stringify(runs)}\n`)
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
              run.status,
              String(run.dataset.samples),
              String(run.variants.length),
            ]),
          ),
        )
        const stopped = runs.find(({ status }) => status === "stopped")
        if (stopped) io.out(`\nThe process of a stopped run is gone. Go on with: evalkit run --resume ${stopped.id}\n`)
      }
      return ExitCode.ok
    } finally {
      store.close()
    }
  },
}
