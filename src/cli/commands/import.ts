import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { resolve } from "node:path"
import { createInterface } from "node:readline"
import { ExitCode, UsageError } from "../../core/errors.ts"
import { importRun } from "../../store/archive.ts"
import { openRunStore } from "../../store/run-store.ts"
import type { Command } from "../command.ts"
import { defaultDirectory } from "../project-store.ts"

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
    const store = openRunStore(resolve(io.cwd, String(args.directory ?? defaultDirectory)))
    try {
      const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })
      const record = await importRun(store, lines, String(args.file))
      io.out(`run ${record.id}: ${record.dataset.samples} samples, ${record.variants.length} variants\n`)
      return ExitCode.ok
    } finally {
      store.close()
    }
  },
}
