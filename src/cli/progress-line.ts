import { truncate } from "../../reports/terminal/style.ts"
import type { CommandIo } from "./command.ts"

/** How often the line is looked at: redrawn on a terminal, printed anew elsewhere. */
const [redrawMs, printMs] = [250, 60_000]

/** One line of progress on stderr. */
export function progressLine(io: CommandIo, look: () => string) {
  let shown = ""
  const clear = io.interactive ? "\r\u001b[2K" : ""
  const draw = (): void => {
    const now = look()
    if (now === shown) return
    shown = now
    io.err(io.interactive ? `${clear}${truncate(now, io.columns - 1, io.unicode)}` : `${now}\n`)
  }
  const timer = setInterval(draw, io.interactive ? redrawMs : printMs)
  return {
    /** Prints something above it. */
    say(print: () => void) {
      io.err(clear)
      print()
      shown = ""
    },
    end() {
      clearInterval(timer)
      if (shown !== "") io.err(clear)
    },
  }
}
