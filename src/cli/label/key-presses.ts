import type { ReadStream } from "node:tty"

/** Keys of a terminal, one at a time, without waiting for Enter. The terminal is given back when the reading ends. */
export async function* keyPresses(input: ReadStream): AsyncGenerator<string> {
  input.setRawMode(true)
  input.setEncoding("utf8")
  try {
    for await (const chunk of input) {
      // An escape sequence (arrow keys) is one key; pasted text is many.
      const text = String(chunk)
      if (text.startsWith("\u001b")) yield text
      else yield* text
    }
  } finally {
    input.setRawMode(false)
    input.pause()
  }
}
