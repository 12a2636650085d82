import { truncate } from "../../reports/terminal/style.ts"
import type { CommandIo } from "./command.ts"

/**
 * Shows what is being done while work of seconds runs, on a terminal that may be redrawn, and takes it away before anything else
 * is said: the work says it through the surroundings that it is handed. Drawn at once, for such work may leave no moment in which a
 * clock could be looked at.
 */
export async function withSpinner<T>(
  io: CommandIo,
  words: string,
  work: (io: CommandIo) => T | Promise<T>,
): Promise<T> {
  if (!io.interactive) return work(io)
  let isDrawn = true
  const clear = () => {
    if (isDrawn) io.err("\r\u001b[2K")
    isDrawn = false
  }
  io.err(truncate(`${words} ${io.unicode ? "\u2026" : "..."}`, io.columns - 1, io.unicode))
  try {
    return await work({
      ...io,
      err(text) {
        clear()
        io.err(text)
      },
    })
  } finally {
    clear()
  }
}
