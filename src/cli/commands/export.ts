import { createWriteStream } from "node:fs"
import { resolve } from "node:path"
import { finished } from "node:stream/promises"
import { ExitCode } from "../../core/errors.ts"
import type { RunRecord } from "../../core/run-record.ts"
import type { RunStore } from "../../core/run-store.ts"
import { findRun } from "../../engine/report/find-run.ts"
import { reportInput } from "../../engine/report/report-input.ts"
import { exportRun } from "../../store/archive.ts"
import type { Command } from "../command.ts"
import { openProjectStore } from "../project-store.ts"
import { streamWriter } from "../stream-writer.ts"

const formats = ["jsonl", "csv", "parquet", "archive"] as const

/** `evalkit export [run]`: one row per answer for other tools, or an archive that `import` reads back. */
export const command: Command = {
  options: (yargs) =>
    yargs
      .positional("run", { type: "string", describe: "id or its beginning; default: the newest" })
      .option("format", { choices: formats, default: "jsonl" as const, describe: "archive: everything, for import" })
      .option("out", { type: "string", describe: "file; default: standard output" })
      .option("directory", { type: "string", describe: "folder of the store (default .evalkit)" })
      .example("$0 export --format parquet --out answers.parquet", "one row per answer")
      .example("$0 export 7f3a --format archive --out 7f3a.evalkit.jsonl", "to carry a run to another machine"),

  async run(args, io) {
    const store = openProjectStore(args, io)
    try {
      const record = findRun(store, args.run as string | undefined)
      const format = args.format as (typeof formats)[number]
      if (args.out === undefined) {
        await writeExport(store, record, format, streamWriter(process.stdout))
        return ExitCode.ok
      }
      const file = createWriteStream(resolve(io.cwd, String(args.out)))
      await writeExport(store, record, format, streamWriter(file))
      file.end()
      await finished(file)
      return ExitCode.ok
    } finally {
      store.close()
    }
  },
}

type WriteChunk = (chunk: string | Uint8Array) => Promise<void>

async function writeExport(
  store: RunStore,
  record: RunRecord,
  format: (typeof formats)[number],
  write: WriteChunk,
): Promise<void> {
  if (format === "archive") {
    for (const line of exportRun(store, record)) await write(line)
    return
  }
  const input = reportInput(store, record)
  if (format === "parquet") {
    const { renderParquet } = await import("../../../reports/export/parquet.ts")
    await write(await renderParquet(input))
  } else if (format === "csv") {
    const { renderAnswersCsv } = await import("../../../reports/export/csv.ts")
    await renderAnswersCsv(input, write)
  } else {
    const { renderJsonl } = await import("../../../reports/export/jsonl.ts")
    await renderJsonl(input, write)
  }
}
