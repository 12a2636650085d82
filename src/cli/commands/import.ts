import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { resolve } from "node:path"
import { loadText } from "../../../reports/bench/load-text.ts"
import type { SkippedRow } from "../../core/dataset.ts"
import { ExitCode, UsageError } from "../../core/errors.ts"
import type { ForeignLog } from "../../core/foreign/foreign-log.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { firstBytes } from "../../interop/beginning.ts"
import { importLog } from "../../interop/import-log.ts"
import type { LoadLog } from "../../interop/load/load-log.ts"
import { openLoadLog } from "../../interop/load/recognise-load.ts"
import { openForeignLog } from "../../interop/recognise.ts"
import { sampleOfLog } from "../../interop/sample-log.ts"
import { writeDataset } from "../../interop/write-dataset.ts"
import { lines } from "../../platform/lines.ts"
import { importRun } from "../../store/archive/import-run.ts"
import { beginsAsArchive } from "../../store/archive/line.ts"
import { counted } from "../../words/number.ts"
import { plainText } from "../../words/text.ts"
import { screenWidth } from "../arguments/screen-width.ts"
import { loadRows } from "../bench/load-rows.ts"
import type { Command, CommandIo } from "../command.ts"
import { rowReaders } from "../files/row-readers.ts"
import { isRows, isUrl, rowsAsDataset } from "../files/rows-as-dataset.ts"
import { reportImported } from "../imported-report.ts"
import { createReportCheck } from "../report-check.ts"
import { openStore } from "../store/project-store.ts"
import { storeOptions } from "../store/store-options.ts"
import { packageVersion } from "../version.ts"

/** What is read, for help and messages. */
const formats =
  "archives; logs of lm-eval, Inspect, promptfoo, HELM, Every Eval Ever, OpenAI Evals, MT-bench, lighteval, DeepEval, Ragas; traces (OTLP); load tests; with --as-dataset also tables, an eval.yaml, and URLs of them"

/** `evalkit import FILE…`: reads archives that `export --format archive` made, and logs of other tools, into the store. */
export const command: Command = {
  options: (yargs) =>
    yargs
      .positional("files", {
        type: "string",
        array: true,
        demandOption: true,
        describe: formats,
      })
      .option("as-dataset", {
        type: "string",
        describe: "write samples and answers into this folder, for dataset() and recorded(), instead of into the store",
      })
      .option("task", { type: "string", describe: "of an eval.yaml with several tasks, the id of one" })
      .option("private-addresses", {
        type: "boolean",
        default: false,
        describe: "URLs may lead into this machine and private networks",
      })
      .option("sample", { type: "number", describe: "of a log, take this many of its samples only" })
      .option("seed", { type: "number", default: 42, describe: "seed of --sample" })
      .options(storeOptions)
      .option("json", { type: "boolean", default: false, describe: "print what was imported as JSON" })
      .example("$0 import 7f3a.evalkit.jsonl", "a run of another machine")
      .example("$0 import logs/2026-11-02_gsm8k.eval", "a log of Inspect, to be reported and compared")
      .example(
        "$0 import https://huggingface.co/datasets/ORG/NAME/resolve/main/eval.yaml --as-dataset name",
        "a benchmark of the Hub",
      )
      .example("$0 import traces.jsonl --sample 500 --as-dataset traffic", "what users asked, to ask another model"),

  async run(args, io) {
    const files = (args.files as readonly unknown[]).map(String)
    for (const file of files)
      if (!isUrl(file) && !(await stat(resolve(io.cwd, file)).catch(() => null)))
        throw new UsageError("there is no such file", { where: file, hint: "give a path to an archive or a log" })
    const taken = takenOf(args)
    if (typeof args.asDataset === "string") return asDataset(files, args.asDataset, taken, args, io)
    const rows = files.find(isRows)
    if (rows !== undefined)
      throw new UsageError("rows without answers make no run", {
        where: rows,
        hint: "write them into a folder with --as-dataset FOLDER, or name them in a config: dataset(FILE)",
      })
    const loads: { readonly file: string; readonly log: LoadLog }[] = []
    for (const file of files) {
      const log = await openLoadLog(resolve(io.cwd, file), file)
      if (log) loads.push({ file, log })
    }
    if (loads.length > 0) return showLoads(files, loads, Boolean(args.json), io)
    const opened: { store?: RunStore } = {}
    // For a file that is no log, none is made.
    const open = () => {
      opened.store ??= openStore(args, io)
      return opened.store
    }
    const imported: Imported[] = []
    try {
      for (const file of files) {
        const one = await importOne(open, file, taken, io)
        imported.push(one)
        if (!args.json) io.out(wordsOf(one))
      }
      return ExitCode.ok
    } finally {
      if (args.json && imported.length > 0) io.out(`${JSON.stringify(imported.map(jsonOf))}\n`)
      opened.store?.close()
    }
  },
}

/** Loads are figures, not answers: they are shown, and compared with others, but no run of the store is made of them. */
async function showLoads(
  files: readonly string[],
  loads: readonly { readonly file: string; readonly log: LoadLog }[],
  isJson: boolean,
  io: CommandIo,
): Promise<number> {
  const other = files.find((file) => !loads.some((load) => load.file === file))
  if (other !== undefined)
    throw new UsageError("load tests and other logs are imported one kind at a time", { where: other })
  const read = await Promise.all(loads.map(async ({ file, log }) => ({ file, log, ...(await loadRows(log)) })))
  for (const { file, log, requests, answered, rows, skipped, skippedCount } of isJson ? [] : read) {
    const of = `${counted(requests, "request")}, ${answered} answered, ${counted(rows.length, "level")} of load`
    io.out(`${file}: a load test of ${log.name}, ${of}\n${loadText(rows, screenWidth(io))}`)
    for (const note of log.notes) io.out(`  ${plainText(note, 300)}\n`)
    io.out(leftOut(skipped, skippedCount))
  }
  const json = read.map(({ file, log, rows, requests, answered, skipped, skippedCount }) => ({
    ...{ file, recognised: log.tool, run: null, samples: requests, answers: answered },
    ...{ skipped: skipped.map(({ where, reason }) => ({ where, reason })), skipped_count: skippedCount, levels: rows },
  }))
  if (isJson) io.out(`${JSON.stringify(json)}\n`)
  return ExitCode.ok
}

/** What came of a file. */
interface Imported {
  readonly file: string
  /** The tool that wrote it; `evalkit` for an archive. */
  readonly recognised: string
  readonly record: RunRecord
  readonly answers: number | null
  /** Rows that were left out: the record names the first thousand of them. */
  readonly skippedCount: number
  readonly isNew: boolean
}

/** Which part of a log is taken; null for all of it. */
type Taken = { readonly count: number; readonly seed: number } | null

function takenOf({ sample, seed }: Readonly<Record<string, unknown>>): Taken {
  if (sample === undefined) return null
  for (const [name, value, least] of [["sample", sample, 1] as const, ["seed", seed ?? 42, 0] as const])
    if (!Number.isSafeInteger(value) || Number(value) < least)
      throw new UsageError(`--${name} must be a whole number of at least ${least}`, {
        where: `--${name} ${String(value)}`,
      })
  return { count: Number(sample), seed: Number(seed ?? 42) }
}

async function openLog(file: string, taken: Taken, io: CommandIo): Promise<ForeignLog | null> {
  const log = await openForeignLog(resolve(io.cwd, file), file, rowReaders)
  return log && taken ? sampleOfLog(log, taken.count, taken.seed) : log
}

/** `--as-dataset FOLDER`: nothing is stored; the folder holds what is kept of the log, to be read before it is used. */
async function asDataset(
  files: readonly string[],
  folder: string,
  taken: Taken,
  args: Readonly<Record<string, unknown>>,
  io: CommandIo,
): Promise<number> {
  const [file] = files
  if (file === undefined || files.length > 1)
    throw new UsageError("a data set is made of one file", { where: "--as-dataset", hint: "import one file at a time" })
  const isJson = Boolean(args.json)
  const log = isRows(file) ? null : await openLog(file, taken, io)
  if (!log) return rowsInto(file, folder, taken, args, io)
  const written = await writeDataset(log, resolve(io.cwd, folder), folder)
  const { samplesFile, answersFile, samples, answers, variants, skipped, skippedCount } = written
  if (isJson) {
    const places = skipped.map(({ where, reason }) => ({ where, reason }))
    const facts = { samples, answers, variants, skipped: places, skipped_count: skippedCount }
    io.out(
      `${JSON.stringify([{ file, recognised: log.tool, dataset: samplesFile, recorded: answersFile, ...facts }])}\n`,
    )
    return ExitCode.ok
  }
  const of = plainText(variants.join(", "), 120)
  io.out(
    `a log of ${log.tool}: ${counted(samples, "sample")} in ${samplesFile}, ${counted(answers, "answer")} of ${of} in ${answersFile}\n`,
  )
  io.out(leftOut(skipped, skippedCount))
  return ExitCode.ok
}

/** Rows that nobody has answered yet: a table, or a benchmark's. */
async function rowsInto(
  file: string,
  folder: string,
  taken: Taken,
  args: Readonly<Record<string, unknown>>,
  io: CommandIo,
): Promise<number> {
  const options = {
    sample: taken && { n: taken.count, seed: taken.seed },
    task: args.task as string | undefined,
    privateAddresses: Boolean(args.privateAddresses),
  }
  const { name, samplesFile, samples, skipped } = await rowsAsDataset(file, folder, options, io)
  if (!args.json) {
    io.out(
      `${plainText(name, 120)}: ${counted(samples, "sample")} in ${samplesFile}\n${leftOut(skipped, skipped.length)}`,
    )
    return ExitCode.ok
  }
  const places = skipped.map(({ where, reason }) => ({ where, reason }))
  const facts = { samples, answers: 0, variants: [], skipped: places.slice(0, 1000), skipped_count: skipped.length }
  io.out(`${JSON.stringify([{ file, recognised: "rows", dataset: samplesFile, recorded: null, ...facts }])}\n`)
  return ExitCode.ok
}

function leftOut(skipped: readonly SkippedRow[], count: number): string {
  const named = skipped.slice(0, 3).map(({ where, reason }) => `  left out: ${where}: ${reason}\n`)
  return named.join("") + (count > 3 ? `  … ${count - 3} more were left out\n` : "")
}

async function importOne(open: () => RunStore, file: string, taken: Taken, io: CommandIo): Promise<Imported> {
  const path = resolve(io.cwd, file)
  const log = await openLog(file, taken, io)
  if (log) {
    const facts = { versions: { evalkit: packageVersion() }, now: new Date().toISOString() }
    const { record, survey, isNew } = await importLog(open, log, facts)
    const store = open()
    // A process that was killed in between has left the run without its report.
    if (!store.report(record.id)) await reportImported(store, record, io.signal)
    return { file, recognised: log.tool, record, answers: survey.answers, skippedCount: survey.skippedCount, isNew }
  }
  if (!(await stat(path)).isFile())
    throw new UsageError("the folder holds no log of a tool that is known here", {
      where: file,
      hint: "run folders of HELM and results folders of lm-eval are; else name the file itself",
    })
  const start = await firstBytes(path)
  if (!beginsAsArchive(start.toString("utf8")))
    throw new UsageError(start.length === 0 ? "the file is empty" : "the file is no log that evalkit knows", {
      where: file,
      hint: `import reads ${formats}; rows of your own need no import: evalkit score FILE, or evalkit compare A B`,
    })
  if (taken) throw new UsageError("an archive is imported whole", { where: file, hint: "leave --sample away" })
  const { record, isNew } = await importRun(open(), archiveLines(path, file), file, createReportCheck())
  return { file, recognised: "evalkit", record, answers: null, skippedCount: record.dataset.skipped.length, isNew }
}

function wordsOf({ recognised, record, answers, skippedCount, isNew }: Imported): string {
  const { id, dataset, variants, metrics } = record
  const again = `run ${id} is in the store already, with the same content; nothing was changed\n`
  if (recognised === "evalkit")
    return isNew ? `run ${id}: ${counted(dataset.samples, "sample")}, ${counted(variants.length, "variant")}\n` : again
  if (!isNew) return again
  const scores = metrics.length === 0 ? "no scores" : metrics.map(({ name }) => name).join(", ")
  const of = variants.map(({ name }) => name).join(", ")
  return `run ${id}: a log of ${recognised}, ${counted(dataset.samples, "sample")}, ${counted(answers ?? 0, "answer")} of ${plainText(of, 120)}; ${plainText(scores, 160)}\n${leftOut(dataset.skipped, skippedCount)}`
}

function jsonOf({ file, recognised, record, answers, skippedCount, isNew }: Imported) {
  const { id, dataset } = record
  const skipped = dataset.skipped.map(({ where, reason }) => ({ where, reason }))
  return {
    file,
    recognised,
    run: id,
    samples: dataset.samples,
    answers,
    skipped,
    skipped_count: skippedCount,
    is_new: isNew,
  }
}

/** No line of an archive is longer: the longest text that can be read has half a gigabyte. */
const longestLineBytes = 256 * 2 ** 20

async function* archiveLines(path: string, file: string): AsyncGenerator<string> {
  for await (const line of lines(createReadStream(path), longestLineBytes)) {
    if (line.text !== null) yield line.text
    else throw new UsageError(`this is not a whole evalkit archive: ${line.fault}`, { where: `${file}:${line.number}` })
  }
}
