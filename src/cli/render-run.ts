import { resolve } from "node:path"
import { reportRenderers } from "../../reports/renderers.ts"
import { reportInput } from "../analyse/summary/report-input.ts"
import { UsageError } from "../core/errors.ts"
import type { Audience } from "../core/report/report-renderer.ts"
import type { RunRecord } from "../core/run/run-record.ts"
import type { RunStore } from "../core/run/run-store.ts"
import { writeOutput } from "../platform/output-file.ts"
import type { Redaction } from "../text/personal-data/redaction.ts"
import { renderBench } from "./bench/render-bench.ts"
import type { Args, CommandIo } from "./command.ts"
import { findRenderer } from "./find-renderer.ts"
import { redactedInput } from "./redacted-input.ts"
import { fileScreen } from "./report-files.ts"
import { foundPlacer } from "./run/place-command.ts"

/** How a run is rendered. */
export interface RenderOptions {
  /** Name of a renderer. */
  readonly format: string
  /** File to write; absent: print it. */
  readonly output?: string | undefined
  readonly chart?: string | undefined
  readonly exact?: boolean | undefined
  readonly audience?: Audience | undefined
  /** false leaves prompts and answers out. */
  readonly samples?: boolean | undefined
  /** Replaces personal data and secrets; null: they stay. */
  readonly redaction?: Redaction | null
  /** Config that names reports of its own; absent: the run's. */
  readonly config?: string | undefined
  /** `--directory` and `--store` of the command line that found the run: what the summary advises leads there. */
  readonly where?: Args
  /** Formats of the command that are made elsewhere, for the message that names all. */
  readonly others?: readonly string[]
}

/**
 * Renders a run into a file, or onto standard output.
 *
 * @throws UsageError for a format that is not known, and for bytes on a terminal
 */
export async function renderRun(
  store: RunStore,
  record: RunRecord,
  { format, output, chart, exact = false, audience, samples, redaction, config, where, others }: RenderOptions,
  io: CommandIo,
): Promise<void> {
  if (record.kind === "bench") return renderBench(store, record, { format, output }, io)
  const whole = reportInput(store, record, io.signal)
  const redacted = redaction && (await redactedInput(whole, redaction))
  const input = redacted ?? whole
  const renderer = await findRenderer(format, record, config, io, others)
  const options = {
    ...(chart !== undefined && { chart }),
    ...(audience && { audience }),
    // A page for the one who decides has none unless it is asked for otherwise.
    ...(samples === false && { samples }),
    exact,
  }
  if (output !== undefined) {
    const path = resolve(io.cwd, output)
    await writeOutput(path, (write) => renderer.render(input, write, { ...fileScreen(io), ...options }), io.signal)
    io.err(`evalkit: wrote ${path}${redacted ? `; ${redacted.said()}` : ""}\n`)
    return
  }
  if (renderer.binary && !io.takesBytes)
    throw new UsageError(`${format} is not text`, {
      where: `--format ${format}`,
      hint: "write it to a file with --output",
    })
  const { columns, color, unicode } = io
  if (renderer.name === "terminal" && reportRenderers.includes(renderer) && where !== undefined) {
    const { renderTerminal } = await import("../../reports/terminal/terminal.ts")
    const place = foundPlacer(record, where, io)
    io.out(renderTerminal(input.report, { columns, color, unicode }, { place }))
  } else await renderer.render(input, (chunk) => io.out(chunk), { columns, color, unicode, ...options })
  if (redacted) io.err(`evalkit: ${redacted.said()}\n`)
}
