import { appendFile, readFile, stat } from "node:fs/promises"
import { isAbsolute, relative, resolve, sep } from "node:path"
import { renderAnnotations, type SourceLine } from "../../../reports/export/annotations.ts"
import { renderStepSummary, stepSummaryBytes } from "../../../reports/export/step-summary.ts"
import { UsageError } from "../../core/errors.ts"
import type { RunReport } from "../../core/report/report.ts"
import { cannotWrite } from "../../platform/output-file.ts"
import type { CommandIo } from "../command.ts"

/**
 * What a step of GitHub Actions shows of a run: the summary is added to the file that GITHUB_STEP_SUMMARY names, within what GitHub
 * takes of a step, and the annotations are printed, which GitHub reads from the output.
 *
 * @param configPath where the run's rules are, for the annotations; null: not known
 * @throws {UsageError} outside of GitHub Actions, and where the file cannot be written
 */
export async function githubStep(report: RunReport, configPath: string | null, io: CommandIo): Promise<void> {
  const path = io.environment.GITHUB_STEP_SUMMARY
  if (path === undefined || path === "")
    throw new UsageError("there is no file for the step's summary", {
      where: "GITHUB_STEP_SUMMARY",
      hint: "GitHub Actions sets it; elsewhere use --format step-summary --output FILE",
    })
  const file = resolve(io.cwd, path)
  const present = await stat(file).catch(() => null)
  const text = renderStepSummary(report, stepSummaryBytes - (present?.size ?? 0))
  if (text === "") io.err("evalkit: the step's summary is full: nothing was added to it\n")
  else await appendFile(file, text).catch(cannotWrite(file))
  await io.out(renderAnnotations(report, await sourceOf(configPath, io)))
}

/** The line of the config's gate, else its first; undefined for a config outside of the repository. */
async function sourceOf(configPath: string | null, io: CommandIo): Promise<SourceLine | undefined> {
  if (configPath === null) return undefined
  const root = io.environment.GITHUB_WORKSPACE || io.cwd
  const file = relative(resolve(io.cwd, root), resolve(io.cwd, configPath))
  if (file === "" || file.startsWith("..") || isAbsolute(file)) return undefined
  const text = await readFile(resolve(io.cwd, configPath), "utf8").catch(() => null)
  if (text === null) return undefined
  const line = text.split("\n").findIndex((row) => /^\s*gate\s*:/.test(row))
  return { file: file.split(sep).join("/"), line: line < 0 ? 1 : line + 1 }
}
