import { resolve } from "node:path"
import { ExitCode, UsageError } from "../../core/errors.ts"
import { createTurns } from "../../core/interruption.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { findRun } from "../../engine/report/find-run.ts"
import { reportInput } from "../../engine/report/report-input.ts"
import { exportRun } from "../../store/archive/export-run.ts"
import type { Command, CommandIo } from "../command.ts"
import { rendererNames } from "../find-renderer.ts"
import { writeOutput } from "../output-file.ts"
import { openProjectStore } from "../project-store.ts"
import { renderRun } from "../render-run.ts"
import { configOption } from "../run-config.ts"
import { packageVersion } from "../version.ts"

/** `evalkit export [run]`: one row per answer for other tools, or an archive that `import` reads back. */
export const command: Command = {
  suggestions: { format: ["archive", "every-eval-ever", ...rendererNames] },
  options: (yargs) =>
    yargs
      .positional("run", { type: "string", describe: "id or its beginning; default: the newest" })
      .option("format", {
        alias: "f",
        type: "string",
        default: "jsonl",
        describe: `archive: everything, for import; every-eval-ever: a folder for other tools; else as evalkit report: ${rendererNames.join(", ")}`,
      })
      .option("out", { alias: ["o", "output"], type: "string", describe: "file, or folder; default: standard output" })
      .option("exact", {
        type: "boolean",
        default: false,
        describe: "in CSV, texts as they came, without the ' that keeps a spreadsheet from running them as formulas",
      })
      .option("config", configOption)
      .option("directory", { type: "string", describe: "folder of the store (default .evalkit)" })
      .example("$0 export --format parquet --out answers.parquet", "one row per answer")
      .example("$0 export 7f3a --format archive --out 7f3a.evalkit.jsonl", "to carry a run to another machine"),

  async run(args, io) {
    const store = openProjectStore(args, io)
    try {
      const record = findRun(store, args.run as string | undefined)
      const format = String(args.format)
      const output = args.out as string | undefined
      const config = args.config as string | undefined
      if (format === "every-eval-ever") await exportFolder(store, record, output, io)
      else if (format !== "archive")
        await renderRun(store, record, { format, output, config, exact: args.exact === true }, io)
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
        )
      return ExitCode.ok
    } finally {
      store.close()
    }
  },
}

/** A folder of files in the format of Every Eval Ever: two for each variant. */
async function exportFolder(
  store: RunStore,
  record: RunRecord,
  output: string | undefined,
  io: CommandIo,
): Promise<void> {
  if (output === undefined)
    throw new UsageError("every-eval-ever is a folder of files", {
      where: "--format every-eval-ever",
      hint: "name one with --out FOLDER",
    })
  const { everyEvalEverFiles } = await import("../../interop/every-eval-ever/write.ts")
  const files = everyEvalEverFiles(reportInput(store, record, io.signal), packageVersion(), new Date().toISOString())
  for (const { name, chunks } of files)
    await writeOutput(
      resolve(io.cwd, output, name),
      async (write) => {
        for await (const chunk of chunks()) await write(chunk)
      },
      io.signal,
    )
  io.err(`evalkit: wrote ${files.length} files into ${output}\n`)
}
