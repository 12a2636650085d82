import type { LlamaModel, Token } from "node-llama-cpp"

/** Longest UTF-8 character in bytes: a byte-level token holds at least one. */
const maxCharacterLength = 4

/** Turns tokens into text as they come; a character that is spread over several tokens is given out whole. */
export interface TokenText {
  /** The text that is complete with this token; empty while a character is incomplete. */
  push(token: Token): string
  /** What is left, with U+FFFD for bytes that never became a character. */
  flush(): string
}

/** A decoder over one answer. */
export function createTokenText(model: LlamaModel): TokenText {
  let pending: Token[] = []
  let last: Token[] = []
  const release = (text: string) => {
    last = pending.slice(-maxCharacterLength)
    pending = []
    return text
  }
  return {
    push(token) {
      pending.push(token)
      const text = model.detokenize(pending, false, last)
      return text.endsWith("\uFFFD") && pending.length < maxCharacterLength ? "" : release(text)
    },
    flush: () => (pending.length === 0 ? "" : release(model.detokenize(pending, false, last))),
  }
}
