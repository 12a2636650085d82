import { writeFile } from "node:fs/promises"
import { dirname, relative, resolve, sep } from "node:path"
import { chartNames } from "../../../reports/export/chart-svg.ts"
import type { FullTexts } from "../../../reports/export/html.ts"
import { reportInput } from "../../analyse/summary/report-input.ts"
import { ExitCode, UsageError } from "../../core/errors.ts"
import type { ReportInput } from "../../core/report/report.ts"
import { type Audience, audiences } from "../../core/report/report-renderer.ts"
import { closing } from "../../platform/closing.ts"
import { makeFolder } from "../../platform/make-folder.ts"
import { cannotWrite, checkOutput, namedOutput, writeOutput } from "../../platform/output-file.ts"
import { asShared } from "../../platform/shared-files.ts"
import { findRun } from "../../store/find-run.ts"
import { openProjectStore } from "../../store/project-store.ts"
import { plainText } from "../../words/text.ts"
import { flag, json, oneOf, text } from "../arguments/options.ts"
import { refuseForBench } from "../bench/refuse-for-bench.ts"
import type { Args, Command, CommandIo } from "../command.ts"
import { formatOfEnding } from "../files/format-of-ending.ts"
import { redactionOf, redactOptions } from "../files/redact-options.ts"
import { rendererNames } from "../find-renderer.ts"
import { renderRun } from "../render-run.ts"
import { configOption } from "../run-config.ts"
import { withSpinner } from "../spinner.ts"
import { storeOptions } from "../store/store-options.ts"

/** `evalkit report [run]`: a run as HTML, Markdown, JSON and so on; nothing is measured or scored again. */
export const command: Command = {
  suggestions: { format: rendererNames },
  printsData: true,

  positionals: { run: text("id, or its first letters; default: the newest run") },
  options: {
    format: text(
      `${rendererNames.join(", ")}, or a report that the run's config names (default: as --output ends, else terminal)`,
      {
        alias: "f",
      },
    ),
    output: text("file to write; default, and -: print it", { alias: ["o", "out"] }),
    for: oneOf(audiences, "HTML or Markdown for the one who decides, with every detail open, or for a pull request"),
    samples: flag("HTML with prompts and answers; --no-samples leaves them out", { default: true }),
    ...redactOptions,
    chart: text("which chart, with --format svg or png", { default: "frontier", choices: chartNames }),
    "full-texts": text("with --format html and --output: folder for the full texts of samples that the page shortens"),
    github: flag("in GitHub Actions: add the summary to $GITHUB_STEP_SUMMARY and print annotations", {
      default: false,
    }),
    json: json("the same as --format json"),
    exact: flag("in CSV, texts as they came, without the ' that keeps a spreadsheet from running them as formulas", {
      default: false,
    }),
    config: configOption,
    ...storeOptions,
  },
  examples: {
    "$0 report -f html -o report.html": "the newest run as one self-contained file",
    "$0 report 7f3a --for boss -o decision.md": "the answer, what gets worse, dollars a month, what was not checked",
    "$0 report 7f3a -f markdown": "for a pull request",
    "$0 report 7f3a -f html -o report.html --redact --countries DE,FR": "without personal data that can be found",
    "$0 report -f html -o report.html --full-texts report-texts": "with the full texts in a folder beside it",
    "$0 report -f junit -o junit.xml": "for CI",
  },

  async run(args, io) {
    const audience = args.for as Audience | undefined
    const output = namedOutput(args.output)
    const chart = args.chart as string | undefined
    const config = args.config as string | undefined
    const fullTexts = args.fullTexts as string | undefined
    const redaction = await redactionOf(args, io)
    if (args.redact === true && (fullTexts !== undefined || args.github === true))
      throw new UsageError("only one file, or what is printed, is redacted", {
        where: `--redact ${fullTexts === undefined ? "--github" : "--full-texts"}`,
        hint: "leave one of the two out",
      })
    if (fullTexts !== undefined && (audience === "boss" || args.samples === false))
      throw new UsageError("a page without samples has no texts beside it", {
        where: `--full-texts ${fullTexts}`,
        hint: "leave out --full-texts, or --for boss and --no-samples",
      })
    return closing(openProjectStore(args, io), async (store) => {
      const record = findRun(store, args.run as string | undefined, "all")
      if (record.kind === "bench") refuseForBench(record, args, ["for", "fullTexts", "github", "redact"])
      const named = args.json === true ? "json" : args.format
      const byEnding = output === undefined || named ? null : await formatOfEnding(output, record, config, io)
      const unnamed = audience && byEnding !== "html" ? "markdown" : (byEnding ?? "terminal")
      const format = String(named ?? unnamed)
      refuseFormat(format, args)
      const asked = {
        format,
        output,
        chart,
        config,
        exact: args.exact === true,
        where: args,
        audience,
        samples: args.samples !== false,
        redaction,
      }
      const render = (own: CommandIo) => renderRun(store, record, asked, own)
      if (args.github === true) {
        const { githubStep } = await import("../files/github-step.ts")
        const path = config === undefined ? record.configPath : resolve(io.cwd, config)
        await githubStep(reportInput(store, record, io.signal).report, path, io)
      } else if (fullTexts === undefined)
        // Behind a pipe or on the screen, what is written is seen to come.
        await (output === undefined ? render(io) : withSpinner(io, `writing ${plainText(output, 60)}`, render))
      else await withFullTexts(reportInput(store, record, io.signal), { format, output, audience }, fullTexts, io)
      return ExitCode.ok
    })
  },
}

/** @throws UsageError where the format is not one that these options are for */
function refuseFormat(format: string, args: Args): void {
  const isPage = format === "html"
  if (args.for !== undefined && !isPage && format !== "markdown" && format !== "md")
    throw new UsageError("only HTML and Markdown are written for somebody", {
      where: `--for ${args.for} --format ${format}`,
      hint: "leave out --format, or take html or markdown",
    })
  if (args.samples === false && !isPage)
    throw new UsageError("only the HTML page is made without its samples", {
      where: `--no-samples --format ${format}`,
      hint: "add: --format html; Markdown and the terminal hold no prompts and answers",
    })
}

/** The page with the whole texts beside it, in a folder that it links to. */
async function withFullTexts(
  input: ReportInput,
  {
    format,
    output,
    audience,
  }: { readonly format: string; readonly output: string | undefined; readonly audience: Audience | undefined },
  folder: string,
  io: CommandIo,
): Promise<void> {
  if (format !== "html" || output === undefined)
    throw new UsageError("full texts need an HTML report in a file", {
      where: `--full-texts ${folder}`,
      hint: "add: --format html --output report.html",
    })
  const { renderHtml } = await import("../../../reports/export/html.ts")
  const [path, directory] = [resolve(io.cwd, output), resolve(io.cwd, folder)]
  checkOutput(path)
  try {
    asShared(() => makeFolder(directory))
  } catch (error) {
    cannotWrite(directory)(error as NodeJS.ErrnoException)
  }
  const address = relative(dirname(path), directory).split(sep).map(encodeURIComponent).join("/") || "."
  const texts: FullTexts = {
    folder: address,
    write: (name, text) => writeFile(resolve(directory, name), text).catch(cannotWrite(resolve(directory, name))),
  }
  await writeOutput(
    path,
    (write) => renderHtml(input, write, { fullTexts: texts, ...(audience && { audience }) }),
    io.signal,
  )
  io.err(`evalkit: wrote ${path} and full texts in ${directory}\n`)
}
