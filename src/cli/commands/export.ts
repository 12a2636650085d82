import { resolve } from "node:path"
import { benchRenderers } from "../../../reports/bench/renderers.ts"
import { reportInput } from "../../analyse/summary/report-input.ts"
import { ExitCode } from "../../core/errors.ts"
import { createTurns } from "../../core/interruption.ts"
import { folderExports } from "../../interop/exports.ts"
import { closing } from "../../platform/closing.ts"
import { namedOutput, writeOutput } from "../../platform/output-file.ts"
import { exportRun } from "../../store/archive/export-run.ts"
import { findRun } from "../../store/find-run.ts"
import { openProjectStore } from "../../store/project-store.ts"
import { flag, text } from "../arguments/options.ts"
import type { Command } from "../command.ts"
import { exportFolder } from "../files/export-folder.ts"
import { formatOfEnding } from "../files/format-of-ending.ts"
import { rendererNames } from "../find-renderer.ts"
import { renderRun } from "../render-run.ts"
import { configOption } from "../run-config.ts"
import { storeOptions } from "../store/store-options.ts"

/** Formats that no renderer makes. */
const elsewhere = ["archive", ...folderExports.map(({ name }) => name)]

/** `evalkit export [run]`: one row per answer for other tools, or an archive that `import` reads back. */
export const command: Command = {
  suggestions: { format: [...elsewhere, ...rendererNames] },
  printsData: true,

  positionals: { run: text("id or its beginning; default: the newest") },
  options: {
    format: text(
      `default: by the ending of --out, else jsonl; archive: everything, for import; into a folder: ${folderExports.map(({ name, describe }) => `${name} (${describe})`).join(", ")}; else as evalkit report: ${rendererNames.join(", ")}; of a bench: ${benchRenderers.map(({ name }) => name).join(", ")}`,
      { alias: "f" },
    ),
    out: text("file, or folder; default, and -: standard output", { alias: ["o", "output"] }),
    exact: flag("in CSV, texts as they came, without the ' that keeps a spreadsheet from running them as formulas", {
      default: false,
    }),
    config: configOption,
    ...storeOptions,
  },
  examples: {
    "$0 export --out answers.parquet": "one row per answer, in the format of the ending",
    "$0 export 7f3a --format archive --out 7f3a.evalkit.jsonl": "to carry a run to another machine",
    "$0 export 91bc --out bench.prom": "a bench for Prometheus' textfile collector",
    "$0 export 7f3a --format mlflow --out tracking": "into a folder, for another tool",
  },

  async run(args, io) {
    return closing(openProjectStore(args, io), async (store) => {
      const record = findRun(store, args.run as string | undefined, "all")
      const output = namedOutput(args.out)
      const config = args.config as string | undefined
      const asked = args.format ?? (output === undefined ? null : await formatOfEnding(output, record, config, io))
      const format = String(asked ?? (record.kind === "bench" ? "json" : "jsonl"))
      const folder = folderExports.find(({ name }) => name === format)
      if (folder && record.kind === undefined)
        await exportFolder(folder, reportInput(store, record, io.signal), output, io)
      else if (format !== "archive")
        await renderRun(store, record, { format, output, config, exact: args.exact === true, others: elsewhere }, io)
      else if (output === undefined) for (const line of exportRun(store, record)) await io.out(line)
      else
        await writeOutput(
          resolve(io.cwd, output),
          async (write) => {
            const turn = createTurns(io.signal)
            for (const line of exportRun(store, record)) {
              await write(line)
              await turn()
            }
          },
          io.signal,
        ).then(() => io.err(`evalkit: wrote ${resolve(io.cwd, output)}\n`))
      return ExitCode.ok
    })
  },
}
