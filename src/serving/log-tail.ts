const maxLines = 40
const maxLineLength = 2000

/** The part of a process's output stream that is read. */
export interface TextStream {
  setEncoding(encoding: "utf8"): unknown
  on(event: "data" | "end", listener: (text: string) => void): unknown
}

/** The last lines of what a process wrote, bounded, and a way to wait for a line. */
export interface LogTail {
  read(stream: TextStream): void
  lines(): readonly string[]
  /** Resolves with the first line, past or coming, that matches. */
  find(pattern: RegExp): Promise<RegExpExecArray>
}

/** Lines longer than 2,000 characters are cut there; the newest 40 are kept, the first 200 stay searchable. */
export function createLogTail(): LogTail {
  const searchable: string[] = []
  let last: string[] = []
  const waiting = new Set<(line: string) => void>()

  const take = (line: string): void => {
    if (searchable.length < 200) searchable.push(line)
    last.push(line)
    if (last.length > 2 * maxLines) last = last.slice(-maxLines)
    for (const listen of waiting) listen(line)
  }

  return {
    read(stream) {
      let rest = ""
      stream.setEncoding("utf8")
      stream.on("data", (text: string) => {
        const lines = (rest + text).split(/\r\n|\n|\r/)
        rest = (lines.pop() ?? "").slice(0, maxLineLength)
        for (const line of lines) take(line.slice(0, maxLineLength))
      })
      stream.on("end", () => {
        if (rest) take(rest)
        rest = ""
      })
    },
    lines: () => last.slice(-maxLines),
    find: (pattern) =>
      new Promise((resolve) => {
        const unflagged = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ""))
        const listen = (line: string): void => {
          const match = unflagged.exec(line)
          if (!match) return
          waiting.delete(listen)
          resolve(match)
        }
        waiting.add(listen)
        for (const line of searchable) if (waiting.has(listen)) listen(line)
      }),
  }
}
