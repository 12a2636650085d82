import { join, relative } from "node:path"
import { priceAdvice } from "../../../reports/wording/price-advice.ts"
import { wholeFailure } from "../../../reports/wording/whole-failure.ts"
import { runBill } from "../../analyse/summary/bill.ts"
import { reportInput } from "../../analyse/summary/report-input.ts"
import { ExitCode } from "../../core/errors.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import type { SliceQueue } from "../../core/run/slice-queue.ts"
import type { EvaluateResult } from "../../pipeline/evaluate.ts"
import { optional } from "../arguments/optional.ts"
import type { Args, CommandIo } from "../command.ts"
import { billLine } from "./bill-line.ts"
import { nextCommands } from "./next-commands.ts"
import { commandPlacer, type RunPlace } from "./place-command.ts"
import { endLine, evaluateWithProgress, forecastOf, unwrittenLine } from "./run-once.ts"
import { calledAs } from "./shell-words.ts"

/** How a run is made and shown. */
interface MakeOptions {
  readonly args: Args
  readonly io: CommandIo
  /** The config as it was found. */
  readonly path: string
  readonly queue: SliceQueue | null
}

/** Makes a run, writes its reports, prints the summary or the report as JSON, and returns the exit code. */
export async function makeAndShow(
  evaluation: Evaluation,
  store: RunStore,
  { args, io, path, queue }: MakeOptions,
): Promise<number> {
  const forecast = forecastOf(store, evaluation, args)
  const result = await evaluateWithProgress(evaluation, store, {
    args: args,
    io,
    configPath: relative(io.cwd, path),
    queue,
  })
  if (args.detach) {
    io.out(args.json ? `${JSON.stringify({ runId: result.record.id })}\n` : detached(result.record.id, io))
    return ExitCode.ok
  }
  const { html } = await import("../../../reports/renderers.ts")
  const all = (evaluation.reports ?? [html()]).filter(({ name }) => args.html !== false || name !== "html")
  // Who interrupts wants an end now; the reports can be made from the store at any time.
  const renderers = io.signal.aborted ? [] : all
  const folder = join(evaluation.directory, "reports")
  const { writeReports } = await import("../report-files.ts")
  const { paths, failures } = await writeReports(renderers, reportInput(store, result.record, io.signal), folder, io)
  const location = {
    config: path,
    directory: evaluation.directory,
    isDirectoryGiven: args.directory !== undefined,
    ...optional("store", args.store as string | undefined),
  }
  if (args.json) io.out(`${JSON.stringify(result.report)}\n`)
  else io.out(await summary(result, paths, location, io))
  const placed = commandPlacer(location, io)
  const price = placed({ name: "price", words: [result.record.id] })
  const bill = billLine(runBill(store, result.record, evaluation.variants), forecast(result), price)
  if (bill !== "") io.err(`evalkit: ${bill}\n`)
  const advice = priceAdvice(result.report)
  if (advice) io.err(`evalkit: ${advice.words} ${placed(advice.command)}\n`)
  if (result.reason && !isSaidAbove(result, args, io)) io.err(`evalkit: ${endLine(result.status, result.reason)}\n`)
  for (const { name, error } of failures) io.err(unwrittenLine(name, error))
  if (io.signal.aborted && all.length > 0) {
    const report = { name: "report", words: [result.record.id, "-f", "html", "-o", "report.html"] } as const
    io.err(`evalkit: its reports are not written; write one with: ${placed(report)}\n`)
  }
  const exitCode = io.signal.aborted ? ExitCode.interrupted : exitCodeOf(result)
  return exitCode === ExitCode.ok && failures.length > 0 ? ExitCode.fault : exitCode
}

function detached(runId: string, { environment }: CommandIo): string {
  return `run ${runId} is left to its workers; score and report it with: ${calledAs(environment)} run --resume ${runId} --queue URL\n`
}

async function summary(
  result: EvaluateResult,
  paths: readonly string[],
  location: RunPlace,
  io: CommandIo,
): Promise<string> {
  const { renderTerminal } = await import("../../../reports/terminal/terminal.ts")
  const { color, columns, unicode } = io
  const reportPath = paths.map((path) => relative(io.cwd, path)).join(" · ")
  const links = {
    ...(paths.length > 0 && { reportPath }),
    next: nextCommands(result, location, io),
    place: commandPlacer(location, io),
  }
  return renderTerminal(result.report, { color, columns, unicode }, links)
}

/** Whether the summary gives the reason to the same reader, on the same screen. */
function isSaidAbove(
  { reason, report }: EvaluateResult,
  { json }: Args,
  { interactive, takesBytes }: CommandIo,
): boolean {
  const isOneScreen = interactive && takesBytes !== true && json !== true
  return isOneScreen && (wholeFailure(report)?.reasons.some((said) => said === reason) ?? false)
}

/** 3 and 4 only where the config asked for a decision; a run without an answer is not in order, whatever it finished. */
function exitCodeOf({ status, report }: EvaluateResult): number {
  if (status === "interrupted") return ExitCode.interrupted
  if (status === "incomplete") return ExitCode.incomplete
  if (report.gate.some((rule) => rule.status === "failed")) return ExitCode.gateFailed
  if (wholeFailure(report) !== null) return ExitCode.incomplete
  if (report.gate.some((rule) => rule.status === "inconclusive")) return ExitCode.inconclusive
  return ExitCode.ok
}
