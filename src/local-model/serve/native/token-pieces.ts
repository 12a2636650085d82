import type { LlamaModel, Token } from "node-llama-cpp"

/** The bytes that each token of a vocabulary stands for; a token may be a part of a character. */
export interface TokenPieces {
  bytes(token: Token): Buffer
}

/** What is read of a GGUF file's tokenizer. */
interface Vocabulary {
  readonly model?: string
  readonly tokens: readonly string[]
  readonly token_type?: readonly number[]
}

/** GGUF's numbers of token types: texts of their own, which no alphabet hides. */
const controlType = 3
const userDefinedType = 4

/**
 * The pieces of a model's vocabulary. The binding gives whole characters only; vocabularies of bytes (`gpt2`) and of SentencePiece (`llama`) are
 * read as GGUF files write them. Of other kinds a piece is the binding's text.
 */
export function tokenPieces(model: LlamaModel): TokenPieces {
  const { tokens, token_type: types, model: kind } = model.fileInfo.metadata.tokenizer.ggml as Vocabulary
  const isOwnText = (token: Token) => types?.[token] === controlType || types?.[token] === userDefinedType
  return {
    bytes(token) {
      const written = tokens[token] ?? ""
      if (isOwnText(token)) return Buffer.from(written)
      if (kind === "gpt2") return alphabetBytes(written)
      if (kind === "llama") return sentencePieceBytes(written)
      return Buffer.from(model.detokenize([token], true))
    },
  }
}

/** GPT-2's alphabet: each byte is a character that can be printed; those that cannot are numbered from 256 on. */
const byteOf: ReadonlyMap<number, number> = new Map(alphabet())

function* alphabet(): Generator<[number, number]> {
  let next = 256
  for (let byte = 0; byte < 256; byte++) {
    const isPrinted = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173)
    yield [isPrinted ? byte : next++, byte]
  }
}

function alphabetBytes(written: string): Buffer {
  const bytes = [...written].map((character) => byteOf.get(character.codePointAt(0) ?? -1))
  // What is written in other characters is a text of its own.
  return bytes.some((byte) => byte === undefined) ? Buffer.from(written) : Buffer.from(bytes as number[])
}

function sentencePieceBytes(written: string): Buffer {
  const byte = /^<0x([0-9A-F]{2})>$/.exec(written)?.[1]
  return byte === undefined ? Buffer.from(written.replaceAll("\u2581", " ")) : Buffer.from([Number.parseInt(byte, 16)])
}

/** The text of bytes that are whole characters; null for others. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
