import { systemClock } from "../../core/clock.ts"
import { count, counted } from "../../words/number.ts"
import type { CommandIo } from "../command.ts"

/** Rows so far on stderr, from the second second on: redrawn on a terminal, else a line every ten seconds. */
export function createRowsProgress(io: Pick<CommandIo, "interactive" | "err">): {
  show(rows: number): void
  end(): void
} {
  const started = systemClock.now()
  let next = started + 1000
  let drawn = false
  return {
    show(rows) {
      if (rows % 256 !== 0) return
      const now = systemClock.now()
      if (now < next) return
      next = now + (io.interactive ? 200 : 10_000)
      const text = `${counted(rows, "row")}, ${count(Math.round((rows / (now - started)) * 1000))} per second`
      io.err(io.interactive ? `\r\u001b[2K${text}` : `evalkit: ${text}\n`)
      drawn = io.interactive
    },
    end() {
      if (drawn) io.err("\r\u001b[2K")
    },
  }
}
