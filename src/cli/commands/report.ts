import { createWriteStream } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { dirname, relative, resolve, sep } from "node:path"
import type { Writable } from "node:stream"
import { finished } from "node:stream/promises"
import { type ChartName, chartNames } from "../../../reports/export/chart-svg.ts"
import type { FullTexts } from "../../../reports/export/html.ts"
import { UsageError } from "../../core/errors.ts"
import type { ReportInput } from "../../core/report/report.ts"
import { findRun } from "../../engine/report/find-run.ts"
import { reportInput } from "../../engine/report/report-input.ts"
import type { Command, CommandIo } from "../command.ts"
import { openProjectStore } from "../project-store.ts"
import { type ReportFormat, renderFormat, reportFormats } from "../report-formats.ts"
import { streamWriter } from "../stream-writer.ts"

type Screen = CommandIo & { readonly chart: ChartName }

/** `evalkit report [run]`: a run as HTML, Markdown, JSON and so on; nothing is measured or scored again. */
export const command: Command = {
  options: (yargs) =>
    yargs
      .positional("run", { type: "string", describe: "id, or its first letters; default: the newest run" })
      .option("format", {
        alias: "f",
        type: "string",
        default: "terminal",
        choices: Object.keys(reportFormats),
        describe: "what to render",
      })
      .option("output", { alias: ["o", "out"], type: "string", describe: "file to write; default: print it" })
      .option("chart", {
        type: "string",
        default: "frontier",
        choices: chartNames,
        describe: "which chart, with --format svg or png",
      })
      .option("full-texts", {
        type: "string",
        describe: "with --format html and --output: folder for the full texts of samples that the page shortens",
      })
      .option("json", { type: "boolean", default: false, describe: "the same as --format json" })
      .option("directory", { type: "string", describe: "folder of the store" })
      .example("$0 report -f html -o report.html", "the newest run as one self-contained file")
      .example("$0 report 7f3a -f markdown", "for a pull request")
      .example(
        "$0 report -f html -o report.html --full-texts report-texts",
        "with the full texts in a folder beside it",
      )
      .example("$0 report -f junit -o junit.xml", "for CI"),

  async run(args, io) {
    const format = (args.json === true ? "json" : String(args.format ?? "terminal")) as ReportFormat
    const store = openProjectStore(args, io)
    try {
      const input = reportInput(store, findRun(store, args.run as string | undefined))
      const screen = { ...io, chart: args.chart as ChartName }
      const fullTexts = args.fullTexts as string | undefined
      if (fullTexts !== undefined) await withFullTexts(input, format, args.output, fullTexts, io)
      else if (typeof args.output === "string") await toFile(input, format, resolve(io.cwd, args.output), screen)
      else await toTerminal(input, format, screen)
      return 0
    } finally {
      store.close()
    }
  },
}

async function toFile(input: ReportInput, format: ReportFormat, path: string, io: Screen): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const stream: Writable = createWriteStream(path)
  const written = finished(stream)
  await Promise.race([
    written,
    renderFormat(input, format, streamWriter(stream), { ...io, color: false, columns: 100 }),
  ])
  stream.end()
  await written
  io.err(`evalkit: wrote ${path}\n`)
}

/** The page with the whole texts beside it, in a folder that it links to. */
async function withFullTexts(
  input: ReportInput,
  format: ReportFormat,
  output: unknown,
  folder: string,
  io: CommandIo,
): Promise<void> {
  if (format !== "html" || typeof output !== "string")
    throw new UsageError("full texts need an HTML report in a file", {
      where: `--full-texts ${folder}`,
      hint: "add: --format html --output report.html",
    })
  const { renderHtml } = await import("../../../reports/export/html.ts")
  const [path, directory] = [resolve(io.cwd, output), resolve(io.cwd, folder)]
  await mkdir(dirname(path), { recursive: true })
  await mkdir(directory, { recursive: true })
  const address = relative(dirname(path), directory).split(sep).map(encodeURIComponent).join("/") || "."
  const stream = createWriteStream(path)
  const written = finished(stream)
  const texts: FullTexts = { folder: address, write: (name, text) => writeFile(resolve(directory, name), text) }
  await Promise.race([written, renderHtml(input, streamWriter(stream), { fullTexts: texts })])
  stream.end()
  await written
  io.err(`evalkit: wrote ${path} and full texts in ${directory}\n`)
}

async function toTerminal(input: ReportInput, format: ReportFormat, io: Screen): Promise<void> {
  if (reportFormats[format].binary)
    throw new UsageError(`${format} is not text`, {
      where: `--format ${format}`,
      hint: "write it to a file with --output",
    })
  await renderFormat(input, format, (chunk) => io.out(String(chunk)), io)
}
