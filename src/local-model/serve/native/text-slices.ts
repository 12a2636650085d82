import type { LlamaModel } from "node-llama-cpp"
import { ApiError } from "../api-error.ts"

/** Characters of a slice from which on it ends at the next place where it may. */
const wished = 16_384

/** Characters of a slice, at most: a tokenizer holds the thread for a fifth of a second, where each word is a control token. */
const longest = 65_536

/**
 * A text in slices whose tokens, put together, are those of the whole. It is cut behind the end of a line between two letters, where the tokenizers of
 * bytes (`gpt2`) part words anyway, and only where no token of the vocabulary goes on from an end of a line with a letter. Of other kinds a text is one slice.
 *
 * @throws ApiError 400 for a text with a slice that would be too long
 */
export function* textSlices(model: LlamaModel, text: string): Generator<string> {
  if (text.length <= wished) return yield text
  const ends = mayBeCut(model) ? /[A-Za-z]\n(?=[A-Za-z])/g : null
  let start = 0
  while (start < text.length) {
    const end = text.length - start <= wished ? text.length : cutBehind(text, start + wished, ends)
    if (end - start > longest) {
      const where = ends ? " without an end of a line between two letters" : ""
      const message = `content: ${end - start} characters${where}; at most ${longest} are tokenised in one piece: send it in parts`
      throw new ApiError(400, message, { param: "content", code: "text_too_long" })
    }
    yield text.slice(start, end)
    start = end
  }
}

/** Where the text may be cut, from a place on. */
function cutBehind(text: string, from: number, ends: RegExp | null): number {
  if (ends === null) return text.length
  ends.lastIndex = from
  return ends.test(text) ? ends.lastIndex : text.length
}

function mayBeCut(model: LlamaModel): boolean {
  const { model: kind, tokens } = model.fileInfo.metadata.tokenizer.ggml
  // GPT-2's alphabet writes an end of a line as \u010A.
  return kind === "gpt2" && !tokens.some((token) => /[\n\u010A][A-Za-z]/.test(token))
}
