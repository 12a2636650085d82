import { createProgressPainter } from "../../reports/terminal/progress-painter.ts"
import { systemClock } from "../core/clock.ts"
import type { RunProgress } from "../core/run/progress.ts"
import { redactValue } from "../text/redact.ts"
import { redactSecrets } from "../text/secrets.ts"
import type { CommandIo } from "./command.ts"

/** Milliseconds between two looks at the progress. */
const intervalMs = 125

/**
 * Shows live progress on stderr while work runs; the work passes a function that returns its progress, and may say a line that
 * stays.
 */
export async function withProgress<T>(
  io: CommandIo,
  work: (onProgress: (look: () => RunProgress) => void, say: (line: string) => void) => Promise<T>,
): Promise<T> {
  const painter = await createProgressPainter({
    stream: process.stderr,
    interactive: io.interactive,
    color: io.color,
    unicode: io.unicode,
    now: () => systemClock.now(),
  })
  let look: (() => RunProgress) | null = null
  const timer = setInterval(() => look && painter.paint(redactValue(look(), redactSecrets)), intervalMs)
  try {
    return await work(
      (glance) => {
        look = glance
      },
      (line) => {
        painter.clear()
        io.err(`${line}\n`)
      },
    )
  } finally {
    clearInterval(timer)
    painter.done()
  }
}
