import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { resolve } from "node:path"
import { plainText } from "../../../reports/format/text.ts"
import { ExitCode, UsageError } from "../../core/errors.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { importLog } from "../../interop/import-log.ts"
import { openForeignLog } from "../../interop/recognise.ts"
import { lines } from "../../platform/lines.ts"
import { importRun } from "../../store/archive/import-run.ts"
import { openRunStore } from "../../store/run-store.ts"
import type { Command, CommandIo } from "../command.ts"
import { reportImported } from "../imported-report.ts"
import { defaultDirectory } from "../project-store.ts"
import { createReportCheck } from "../report-check.ts"
import { packageVersion } from "../version.ts"

/** `evalkit import FILE…`: reads archives that `export --format archive` made, and logs of other tools, into the store. */
export const command: Command = {
  options: (yargs) =>
    yargs
      .positional("files", {
        type: "string",
        array: true,
        demandOption: true,
        describe: "archives; logs of lm-eval, Inspect, promptfoo, HELM, Every Eval Ever, OpenAI Evals, MT-bench",
      })
      .option("directory", { type: "string", describe: "folder of the store (default .evalkit)" })
      .option("json", { type: "boolean", default: false, describe: "print what was imported as JSON" })
      .example("$0 import 7f3a.evalkit.jsonl", "a run of another machine")
      .example("$0 import logs/2026-11-02_gsm8k.eval", "a log of Inspect, to be reported and compared"),

  async run(args, io) {
    const files = (args.files as readonly unknown[]).map(String)
    for (const file of files)
      if (!(await stat(resolve(io.cwd, file)).catch(() => null)))
        throw new UsageError("there is no such file", { where: file, hint: "give a path to an archive or a log" })
    const store = openRunStore(resolve(io.cwd, String(args.directory ?? defaultDirectory)))
    const imported: Imported[] = []
    try {
      for (const file of files) {
        const one = await importOne(store, file, io)
        imported.push(one)
        if (!args.json) io.out(wordsOf(one))
      }
      return ExitCode.ok
    } finally {
      if (args.json && imported.length > 0) io.out(`${JSON.stringify(imported.map(jsonOf))}\n`)
      store.close()
    }
  },
}

/** What came of a file. */
interface Imported {
  readonly file: string
  /** The tool that wrote it; `evalkit` for an archive. */
  readonly recognised: string
  readonly record: RunRecord
  readonly answers: number | null
  readonly isNew: boolean
}

async function importOne(store: RunStore, file: string, io: CommandIo): Promise<Imported> {
  const path = resolve(io.cwd, file)
  const log = await openForeignLog(path, file)
  if (log) {
    const facts = { versions: { evalkit: packageVersion() }, now: new Date().toISOString() }
    const { record, survey, isNew } = await importLog(store, log, facts)
    // A process that was killed in between has left the run without its report.
    if (!store.report(record.id)) await reportImported(store, record, io.signal)
    return { file, recognised: log.tool, record, answers: survey.answers, isNew }
  }
  if (!(await stat(path)).isFile())
    throw new UsageError("the folder holds no log of a tool that is known here", {
      where: file,
      hint: "run folders of HELM and results folders of lm-eval are; else name the file itself",
    })
  const { record, isNew } = await importRun(store, archiveLines(path, file), file, createReportCheck())
  return { file, recognised: "evalkit", record, answers: null, isNew }
}

function wordsOf({ recognised, record, answers, isNew }: Imported): string {
  const { id, dataset, variants, metrics } = record
  const again = `run ${id} is in the store already, with the same content; nothing was changed\n`
  if (recognised === "evalkit")
    return isNew ? `run ${id}: ${dataset.samples} samples, ${variants.length} variants\n` : again
  if (!isNew) return again
  const skipped = dataset.skipped.slice(0, 3).map(({ where, reason }) => `  left out: ${where}: ${reason}\n`)
  const more = dataset.skipped.length > 3 ? `  … ${dataset.skipped.length - 3} more were left out\n` : ""
  const scores = metrics.length === 0 ? "no scores" : metrics.map(({ name }) => name).join(", ")
  const of = variants.map(({ name }) => name).join(", ")
  return `run ${id}: a log of ${recognised}, ${dataset.samples} samples, ${answers} answers of ${plainText(of, 120)}; ${plainText(scores, 160)}\n${skipped.join("")}${more}`
}

function jsonOf({ file, recognised, record, answers, isNew }: Imported) {
  const { id, dataset } = record
  const skipped = dataset.skipped.map(({ where, reason }) => ({ where, reason }))
  return { file, recognised, run: id, samples: dataset.samples, answers, skipped, is_new: isNew }
}

/** No line of an archive is longer: the longest text that can be read has half a gigabyte. */
const longestLineBytes = 256 * 2 ** 20

async function* archiveLines(path: string, file: string): AsyncGenerator<string> {
  for await (const line of lines(createReadStream(path), longestLineBytes)) {
    if (line.text !== null) yield line.text
    else throw new UsageError(`this is not a whole evalkit archive: ${line.fault}`, { where: `${file}:${line.number}` })
  }
}
