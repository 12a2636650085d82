import { terminalJson } from "../../src/core/terminal-json.ts"
/** Where a renderer puts what it made, piece by piece; a promise is waited for (back-pressure). @public */
export type Write<Chunk = string> = (chunk: Chunk) => void | Promise<void>

/**
 * Gathers small pieces and hands them on in chunks of about 64 kB; `end` writes the rest.
 *
 * @example
 * const out = buffered(write)
 * await out.push("a line\n")
 * await out.end()
 */
export function buffered(write: Write): { push(text: string): Promise<void>; end(): Promise<void> } {
  const pieces: string[] = []
  let size = 0
  const flush = async () => {
    if (size === 0) return
    const chunk = pieces.join("")
    pieces.length = 0
    size = 0
    await write(chunk)
  }
  return {
    async push(text) {
      pieces.push(text)
      size += text.length
      if (size >= 65_536) await flush()
    },
    end: flush,
  }
}

/** Items in batches of 500 or a few more, each written as one line of JSON; `end` writes the rest. */
export function jsonBatches(write: Write, toJson: (batch: readonly object[]) => object) {
  const out = buffered(write)
  let batch: object[] = []
  const flush = async () => {
    if (batch.length > 0) await out.push(`${terminalJson(toJson(batch))}\n`)
    batch = []
  }
  return {
    async push(items: readonly object[]): Promise<void> {
      batch.push(...items)
      if (batch.length >= 500) await flush()
    },
    async end(): Promise<void> {
      await flush()
      await out.end()
    },
  }
}
