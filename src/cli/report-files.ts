import { join } from "node:path"
import { UsageError } from "../core/errors.ts"
import type { ReportInput } from "../core/report/report.ts"
import type { ReportRenderer } from "../core/report/report-renderer.ts"
import { isRunId } from "../core/run/run-id.ts"
import { writeOutput } from "../platform/output-file.ts"
import type { CommandIo } from "./command.ts"

/** How a report is written into a file: not for the screen that asked for it. */
export function fileScreen({ unicode }: Pick<CommandIo, "unicode">) {
  return { columns: 100, color: false, unicode }
}

/**
 * Writes the reports of a run beside the store, as `RUN.EXTENSION`. A reader sees a whole file or none. A renderer that
 * fails leaves its file out and does not keep the others from being written.
 *
 * @returns paths in the order of the renderers, and what failed
 */
export async function writeReports(
  renderers: readonly ReportRenderer[],
  input: ReportInput,
  folder: string,
  io: Pick<CommandIo, "unicode" | "signal">,
): Promise<{ readonly paths: readonly string[]; readonly failures: readonly ReportFailure[] }> {
  const { id } = input.report.run
  // Whoever edited the store may have given it any id.
  if (!isRunId(id)) throw new UsageError("the run's id is no name for a file", { where: `run ${id}` })
  const paths: string[] = []
  const failures: ReportFailure[] = []
  for (const renderer of renderers) {
    const path = join(folder, `${id}.${renderer.extension}`)
    try {
      await writeOutput(path, (write) => renderer.render(input, write, fileScreen(io)), io.signal)
      paths.push(path)
    } catch (error) {
      failures.push({ name: renderer.name, error })
    }
  }
  return { paths, failures }
}

/** A report that could not be written. */
export interface ReportFailure {
  readonly name: string
  readonly error: unknown
}
