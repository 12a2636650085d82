import type { Writable } from "node:stream"
import type { RunProgress } from "../../src/core/run/progress.ts"
import { progressLines, progressSummary } from "./progress.ts"

/** Shows progress until it is done. */
export interface ProgressPainter {
  /** Shows this state now (or soon: frames are at most ten a second, log lines at most one in ten seconds, the second one after two). */
  paint(progress: RunProgress): void
  /** Makes room for a line that stays: the live lines are painted again below it. */
  clear(): void
  /** Removes the live lines (a terminal) or writes a last line (a log). */
  done(): void
}

/** Where and how progress is painted. */
export interface PainterOptions {
  readonly stream: Writable & { readonly columns?: number }
  /** Whether the stream is a terminal that may be redrawn. */
  readonly interactive: boolean
  readonly color: boolean
  readonly unicode: boolean
  /** Monotonic milliseconds. */
  now(): number
}

/**
 * A painter of live progress: redrawn lines on a terminal (through log-update), plain lines now and then elsewhere.
 * It reads no clock but the one that it is given, and starts no timer.
 */
export async function createProgressPainter(options: PainterOptions): Promise<ProgressPainter> {
  return options.interactive ? livePainter(options) : linePainter(options)
}

async function livePainter({ stream, color, unicode, now }: PainterOptions): Promise<ProgressPainter> {
  const { createLogUpdate } = await import("log-update")
  const update = createLogUpdate(stream as NodeJS.WritableStream, { showCursor: true })
  let last = Number.NEGATIVE_INFINITY
  return {
    paint(progress) {
      if (now() - last < 100 && progress.stage !== "finished") return
      last = now()
      update(progressLines(progress, { columns: stream.columns ?? 80, color, unicode }).join("\n"))
    },
    clear() {
      update.clear()
    },
    done() {
      update.clear()
      update.done()
    },
  }
}

/** Milliseconds until the next plain line: the second one has the first rates, and comes soon. */
const linePauses = { second: 2_000, later: 10_000 }

function linePainter({ stream, now }: PainterOptions): ProgressPainter {
  let last = Number.NEGATIVE_INFINITY
  let pause = linePauses.second
  let latest: string | null = null
  let written: string | null = null
  const write = () => {
    if (latest === null || latest === written) return
    stream.write(`${latest}\n`)
    written = latest
  }
  return {
    paint(progress) {
      latest = progressSummary(progress)
      if (now() - last < pause) return
      if (last > Number.NEGATIVE_INFINITY) pause = linePauses.later
      last = now()
      write()
    },
    clear() {},
    done: write,
  }
}
