import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { resolve } from "node:path"
import { lines } from "../../../datasets/lines.ts"
import { ExitCode, UsageError } from "../../core/errors.ts"
import { importRun } from "../../store/archive/import-run.ts"
import { openRunStore } from "../../store/run-store.ts"
import type { Command } from "../command.ts"
import { defaultDirectory } from "../project-store.ts"
import { createReportCheck } from "../report-check.ts"

/** `evalkit import FILE`: reads an archive that `export --format archive` made into the store. */
export const command: Command = {
  options: (yargs) =>
    yargs
      .positional("file", { type: "string", demandOption: true, describe: "an archive" })
      .option("directory", { type: "string", describe: "folder of the store (default .evalkit)" })
      .example("$0 import 7f3a.evalkit.jsonl", "a run of another machine"),

  async run(args, io) {
    const path = resolve(io.cwd, String(args.file))
    if (!(await stat(path).catch(() => null))?.isFile()) {
      throw new UsageError("there is no such file", { where: String(args.file), hint: "make one with: evalkit export" })
    }
    const file = String(args.file)
    const store = openRunStore(resolve(io.cwd, String(args.directory ?? defaultDirectory)))
    try {
      const { record, isNew } = await importRun(store, archiveLines(path, file), file, createReportCheck())
      const { id, dataset, variants } = record
      io.out(
        isNew
          ? `run ${id}: ${dataset.samples} samples, ${variants.length} variants\n`
          : `run ${id} is in the store already, with the same content; nothing was changed\n`,
      )
      return ExitCode.ok
    } finally {
      store.close()
    }
  },
}

/** No line of an archive is longer: the longest text that can be read has half a gigabyte. */
const longestLineBytes = 256 * 2 ** 20

async function* archiveLines(path: string, file: string): AsyncGenerator<string> {
  for await (const line of lines(createReadStream(path), longestLineBytes)) {
    if (line.text !== null) yield line.text
    else throw new UsageError(`this is not a whole evalkit archive: ${line.fault}`, { where: `${file}:${line.number}` })
  }
}
