import { stat } from "node:fs/promises"
import { resolve } from "node:path"
import { loadText } from "../../../reports/bench/load-text.ts"
import type { SkippedRow } from "../../core/dataset.ts"
import { EvalkitError, ExitCode, UsageError } from "../../core/errors.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { firstBytes } from "../../interop/beginning.ts"
import { importLog } from "../../interop/import-log.ts"
import type { LoadLog } from "../../interop/load/load-log.ts"
import { openLoadLog } from "../../interop/load/recognise-load.ts"
import { refuseNearMiss } from "../../interop/near-miss.ts"
import { unpacked } from "../../interop/unpacked.ts"
import { writeDataset } from "../../interop/write-dataset.ts"
import { packageVersion } from "../../platform/version.ts"
import { importRun } from "../../store/archive/import-run.ts"
import { beginsAsArchive } from "../../store/archive/line.ts"
import { openStore } from "../../store/project-store.ts"
import { redactionSentence } from "../../wording/redaction.ts"
import { sourceNotes } from "../../wording/source-notes.ts"
import { severalModelsNote } from "../../wording/traffic.ts"
import { columnsLine } from "../../words/columns.ts"
import { counted } from "../../words/number.ts"
import { allFailed } from "../../words/reasons/scores.ts"
import { plainText } from "../../words/text.ts"
import { flag, json, text, texts } from "../arguments/options.ts"
import { screenWidth } from "../arguments/screen.ts"
import { type LoadRows, loadRows } from "../bench/load-rows.ts"
import type { Args, Command, CommandIo } from "../command.ts"
import { archiveLines } from "../files/archive-lines.ts"
import { type LocalFile, localFile, withinFolder } from "../files/local-files.ts"
import { isRows, isUrl, rowsAsDataset } from "../files/rows-as-dataset.ts"
import { openTaken, type Taken, takenOf, takenOptions } from "../files/taken-log.ts"
import { reportImported } from "../imported-report.ts"
import { createReportCheck } from "../report-check.ts"
import { storeOptions } from "../store/store-options.ts"

/** What is read, for help and messages. */
const formats =
  "archives; logs of lm-eval, Inspect, promptfoo, HELM, Every Eval Ever, OpenAI Evals, MT-bench, lighteval, DeepEval, Ragas, EvalScope, OpenCompass, SWE-bench, AlpacaEval, MLflow, τ-bench (also packed: gz, zst, zip; - for standard input); traces (OTLP); access logs with bodies; load tests; with --as-dataset also tables, an eval.yaml, and URLs of them"

/** `evalkit import FILE…`: reads archives that `export --format archive` made, and logs of other tools, into the store. */
export const command: Command = {
  positionals: { files: texts(formats, { demandOption: true }) },
  options: {
    "as-dataset": text(
      "write samples and answers into this folder, for dataset() and recorded(), instead of into the store",
    ),
    task: text("of an eval.yaml with several tasks, the id of one"),
    "private-addresses": flag("URLs may lead into this machine and private networks", { default: false }),
    ...takenOptions,
    ...storeOptions,
    json: json("print what was imported as JSON"),
  },
  examples: {
    "$0 import 7f3a.evalkit.jsonl": "a run of another machine",
    "$0 import logs/2026-11-02_gsm8k.eval": "a log of Inspect, to be reported and compared",
    "$0 import https://huggingface.co/datasets/ORG/NAME/resolve/main/eval.yaml --as-dataset name":
      "a benchmark of the Hub",
    "$0 import traces.jsonl --sample 300 --redact --as-dataset traffic":
      "what users asked, to ask another model, without personal data that can be found",
  },

  async run(args, io) {
    const taken = await takenOf(args, io)
    const named = await Promise.all((args.files as readonly unknown[]).map((file) => localFile(String(file), io)))
    if (typeof args.asDataset === "string") return asDataset(named, args.asDataset, taken, args, io)
    const files = (await Promise.all(named.map((file) => withinFolder(file)))).flat()
    const opened: { store?: RunStore } = {}
    // For a file that is no log, none is made.
    const open = () => {
      opened.store ??= openStore(args, io)
      return opened.store
    }
    const results: Result[] = []
    try {
      for (const file of files) {
        const result = await resultOf(file, taken, open, io).catch((error: unknown) => {
          if (files.length === 1 || !(error instanceof EvalkitError)) throw error
          return { file: file.source, refused: error }
        })
        results.push(result)
        if (!args.json) io.out(wordsOf(result, io))
      }
    } finally {
      if (args.json && results.length > 0) io.out(`${JSON.stringify(results.map(jsonOf))}\n`)
      opened.store?.close()
    }
    const refused = results.filter((result) => "refused" in result).length
    if (!args.json && results.length > 1) io.out(tableOf(results))
    return refused === 0 ? ExitCode.ok : refused === results.length ? ExitCode.usage : ExitCode.incomplete
  },
}

type Result = Imported | Loaded | { readonly file: string; readonly refused: EvalkitError }

async function resultOf(
  file: LocalFile,
  taken: Taken,
  open: () => RunStore,
  io: CommandIo,
): Promise<Imported | Loaded> {
  if (isRows(file.source)) {
    if (!isUrl(file.source)) await refuseNearMiss(file.path, file.source)
    throw new UsageError("rows without answers make no run", {
      where: file.source,
      hint: "write them into a folder with --as-dataset FOLDER, or name them in a config: dataset(FILE)",
    })
  }
  const log = file.variant === null ? await openLoadLog(file.path, file.source) : null
  return log ? { file: file.source, log, ...(await loadRows(log)) } : importOne(open, file, taken, io)
}

/** Loads are figures, not answers: they are shown, and compared with others, but no run of the store is made of them. */
interface Loaded extends LoadRows {
  readonly file: string
  readonly log: LoadLog
}

function wordsOf(result: Result, io: CommandIo): string {
  if ("refused" in result) return ""
  if ("record" in result) return importedWords(result)
  const { file, log, requests, answered, rows, skipped, skippedCount } = result
  const of = `${counted(requests, "request")}, ${answered} answered, ${counted(rows.length, "level")} of load`
  const text = `${file}: a load test of ${log.name}, ${of}\n${loadText(rows, screenWidth(io))}`
  return text + notesOf(log.notes) + leftOut(skipped, skippedCount)
}

function notesOf(notes: readonly string[]): string {
  return notes.map((note) => `  ${plainText(note, 600)}\n`).join("")
}

/** What was read, and what was refused and why, a line a file. */
function tableOf(results: readonly Result[]): string {
  const rows = results.map((result) => {
    const file = plainText(result.file, 120)
    if ("refused" in result) return `  refused  ${file}: ${plainText(result.refused.message, 300)}\n`
    return "record" in result ? `  read     ${file}: run ${result.record.id}\n` : `  read     ${file}: a load test\n`
  })
  const refused = results.filter((result) => "refused" in result).length
  return `${counted(results.length, "file")}: ${results.length - refused} read, ${refused} refused\n${rows.join("")}`
}

/** What came of a file. */
interface Imported {
  readonly file: string
  /** The tool that wrote it; `evalkit` for an archive. */
  readonly recognised: string
  readonly record: RunRecord
  /** How the log was read. */
  readonly notes: readonly string[]
  readonly answers: number | null
  /** Every answer failed, so that there is no score. */
  readonly isAllFailed: boolean
  /** The first thousand rows that were left out, and how many there are: of this file, also where the store has the same log. */
  readonly skipped: readonly SkippedRow[]
  readonly skippedCount: number
  readonly isNew: boolean
}

/** `--as-dataset FOLDER`: nothing is stored; the folder holds what is kept of the log, to be read before it is used. */
async function asDataset(
  files: readonly LocalFile[],
  folder: string,
  taken: Taken,
  args: Args,
  io: CommandIo,
): Promise<number> {
  const [local] = files
  if (local === undefined || files.length > 1)
    throw new UsageError("a data set is made of one file", { where: "--as-dataset", hint: "import one file at a time" })
  const isJson = Boolean(args.json)
  const file = local.source
  const log = isRows(file) ? null : await openTaken(local, taken, io)
  if (!log) return rowsInto(file, folder, taken, args, io)
  const written = await writeDataset(log, resolve(io.cwd, folder), folder)
  const { samplesFile, answersFile, samples, answers, variants, skipped, skippedCount } = written
  if (isJson) {
    const places = skipped.map(({ where, reason }) => ({ where, reason }))
    const facts = { samples, answers, variants, skipped: places, skipped_count: skippedCount, notes: log.notes }
    io.out(
      `${JSON.stringify([{ file, recognised: log.tool, dataset: samplesFile, recorded: answersFile, ...facts }])}\n`,
    )
    return ExitCode.ok
  }
  const of = plainText(variants.join(", "), 120)
  io.out(
    `a log of ${log.tool}: ${counted(samples, "sample")} in ${samplesFile}, ${counted(answers, "answer")} of ${of} in ${answersFile}\n`,
  )
  const several = variants.length > 1 ? [severalModelsNote(file, answersFile, variants)] : []
  io.out(notesOf([...log.notes, ...several]) + leftOut(skipped, skippedCount))
  return ExitCode.ok
}

/** Rows that nobody has answered yet: a table, or a benchmark's. */
async function rowsInto(file: string, folder: string, taken: Taken, args: Args, io: CommandIo): Promise<number> {
  const { part, redaction } = taken
  const options = {
    sample: part && { n: part.count, seed: part.seed },
    redaction,
    task: args.task as string | undefined,
    privateAddresses: Boolean(args.privateAddresses),
  }
  const { name, samplesFile, samples, skipped, columns } = await rowsAsDataset(file, folder, options, io)
  const notes = redaction ? [redactionSentence(redaction.counts())] : []
  if (!args.json) {
    io.out(
      `${plainText(name, 120)}: ${counted(samples, "sample")} in ${samplesFile}\n${columnsLine(columns)}${notesOf(notes)}${leftOut(skipped, skipped.length)}`,
    )
    return ExitCode.ok
  }
  const places = skipped.map(({ where, reason }) => ({ where, reason }))
  const facts = {
    samples,
    answers: 0,
    variants: [],
    columns: Object.fromEntries(columns),
    notes,
    skipped: places.slice(0, 1000),
    skipped_count: skipped.length,
  }
  io.out(`${JSON.stringify([{ file, recognised: "rows", dataset: samplesFile, recorded: null, ...facts }])}\n`)
  return ExitCode.ok
}

function leftOut(skipped: readonly SkippedRow[], count: number): string {
  const named = skipped.slice(0, 3).map(({ where, reason }) => `  left out: ${where}: ${reason}\n`)
  return named.join("") + (count > 3 ? `  … ${count - 3} more were left out\n` : "")
}

async function importOne(open: () => RunStore, from: LocalFile, taken: Taken, io: CommandIo): Promise<Imported> {
  const file = from.source
  const log = await openTaken(from, taken, io)
  if (log) {
    const facts = { versions: { evalkit: packageVersion() }, now: new Date().toISOString() }
    const { record, survey, isNew } = await importLog(open, log, facts)
    const { skipped } = survey
    const store = open()
    // A process that was killed in between has left the run without its report.
    if (!store.report(record.id)) await reportImported(store, record, io.signal)
    const notes = [
      ...log.notes,
      ...[...survey.metrics].flatMap(([name, { known, reason }]) =>
        known === 0 && reason !== undefined ? [sourceNotes.noScores(name, reason)] : [],
      ),
    ]
    return {
      file,
      recognised: log.tool,
      record,
      notes,
      answers: survey.answers,
      isAllFailed: survey.failed === survey.answers,
      skipped,
      skippedCount: survey.skippedCount,
      isNew,
    }
  }
  const path = await unpacked(from.path, file)
  if (!(await stat(path)).isFile()) {
    await refuseNearMiss(path, file)
    throw new UsageError("the folder holds no log of a tool that is known here", {
      where: file,
      hint: "run folders of HELM and results folders of lm-eval are, and folders of logs; else name the file itself",
    })
  }
  const start = await firstBytes(path)
  if (!beginsAsArchive(start.toString("utf8"))) {
    await refuseNearMiss(path, file)
    throw new UsageError(start.length === 0 ? "the file is empty" : "the file is no log that evalkit knows", {
      where: file,
      hint: `import reads ${formats}; rows of your own need no import: evalkit score FILE, or evalkit compare A B`,
    })
  }
  const unread = taken.part ? "--sample" : taken.redaction ? "--redact" : null
  if (unread) throw new UsageError("an archive is imported as it is", { where: file, hint: `leave ${unread} away` })
  const { record, isNew } = await importRun(open(), archiveLines(path, file), file, createReportCheck())
  const { skipped } = record.dataset
  const facts = { skipped, skippedCount: skipped.length, isNew }
  return { file, recognised: "evalkit", record, notes: [], answers: null, isAllFailed: false, ...facts }
}

function importedWords(imported: Imported): string {
  const { recognised, record, notes, answers, isAllFailed, skipped, skippedCount, isNew } = imported
  const { id, dataset, variants, metrics } = record
  const unchanged = `run ${id} is in the store already, with the same content; nothing was changed\n`
  if (recognised === "evalkit")
    return !isNew
      ? unchanged
      : record.kind === "bench"
        ? `bench ${id}: ${counted(variants.length, "variant")}\n`
        : `run ${id}: ${counted(dataset.samples, "sample")}, ${counted(variants.length, "variant")}\n`
  if (!isNew) return unchanged
  const noScores = isAllFailed ? allFailed(answers ?? 0) : "no scores"
  const scores = metrics.length === 0 ? noScores : metrics.map(({ name }) => name).join(", ")
  const of = variants.map(({ name }) => name).join(", ")
  return `run ${id}: a log of ${recognised}, ${counted(dataset.samples, "sample")}, ${counted(answers ?? 0, "answer")} of ${plainText(of, 120)}; ${plainText(scores, 160)}\n${notesOf(notes)}${leftOut(skipped, skippedCount)}`
}

function jsonOf(result: Result) {
  const { file } = result
  if ("refused" in result) {
    const skipped = [{ where: file, reason: result.refused.message }]
    return { file, recognised: null, run: null, samples: 0, answers: 0, skipped, skipped_count: 1 }
  }
  const places = (skipped: readonly SkippedRow[]) => skipped.map(({ where, reason }) => ({ where, reason }))
  if ("log" in result) {
    const { log, requests, answered, rows, skipped, skippedCount } = result
    return {
      file,
      recognised: log.tool,
      run: null,
      samples: requests,
      answers: answered,
      skipped: places(skipped),
      skipped_count: skippedCount,
      levels: rows,
      notes: log.notes,
    }
  }
  const { recognised, record, notes, answers, skipped, skippedCount, isNew } = result
  return {
    file,
    recognised,
    run: record.id,
    samples: record.dataset.samples,
    answers,
    skipped: places(skipped),
    skipped_count: skippedCount,
    is_new: isNew,
    notes,
  }
}
