import { readFile } from "node:fs/promises"
import { EvalkitError } from "../core/errors.ts"

/** Counts the tokens of a text. */
export type CountTokens = (text: string) => number

/** Runs without a break longer than this are cut: the merging of a piece takes time that grows with the square of its length. */
const longestPiece = 500

/** Beside this file in the built package; below `dist` when this file runs from its source. */
const files = ["./", "../../dist/src/text/"].map((path) => new URL(`${path}o200k_base.tokens`, import.meta.url))

/**
 * A counter of o200k_base tokens (those of gpt-4o and what came after it), from js-tiktoken's table as the build has written it
 * (scripts/build/o200k.mjs). It only counts: many times as fast as js-tiktoken to start, and to count. Special tokens are counted
 * as the text that they are. The table is loaded when this is called, once a process.
 *
 * @throws EvalkitError when the table was not built
 * @example (await loadO200k())("hello world") // 2
 */
export function loadO200k(): Promise<CountTokens> {
  loading ??= load()
  return loading
}

let loading: Promise<CountTokens> | undefined

async function load(): Promise<CountTokens> {
  const file = await readBuilt()
  const end = file.indexOf("\n")
  const rankOf = readRanks(file, end + 1)
  const pieces = new RegExp(file.toString("utf8", 0, end), "gu")
  /** Tokens of short pieces: most of a text are words that it has had before. */
  const cache = new Map<string, number>()
  const countOne = (piece: string): number => {
    if (piece.length > maxKnownLength) return countPiece(Buffer.from(piece), rankOf)
    const before = cache.get(piece)
    if (before !== undefined) return before
    const tokens = countPiece(Buffer.from(piece), rankOf)
    if (cache.size === maxKnown) cache.clear()
    cache.set(piece, tokens)
    return tokens
  }
  return (text) => {
    let tokens = 0
    for (const [piece] of text.matchAll(pieces)) {
      if (piece.length <= longestPiece) tokens += countOne(piece)
      else
        for (let from = 0; from < piece.length; from += longestPiece)
          tokens += countOne(piece.slice(from, from + longestPiece))
    }
    return tokens
  }
}

async function readBuilt(): Promise<Buffer> {
  for (const file of files) {
    const content = await readFile(file).catch(() => null)
    if (content) return content
  }
  throw new EvalkitError("the table of o200k_base is not built", {
    code: "tokens_not_built",
    where: files[0]?.pathname ?? "",
    hint: "run: npm run build",
  })
}

/** Units of a piece that is remembered: longer ones are rare, and V8 keeps the whole text for them. */
const maxKnownLength = 12
const maxKnown = 20_000

/** Where the token of these bytes lies in the table, which rises with its rank; undefined for what is no token. */
type RankOf = (bytes: Uint8Array, from: number, to: number) => number | undefined

/** More than twice as many places as there are tokens: a token is found at its place or one or two further. */
const places = 2 ** 19

/** The tokens stay where they are in the file, each behind a byte with its length; a hash table says where each begins. */
function readRanks(file: Uint8Array, first: number): RankOf {
  const begins = new Int32Array(places)
  for (let at = first; at < file.length; at += 1 + (file[at] as number)) {
    let index = placeOf(file, at + 1, at + 1 + (file[at] as number))
    while (begins[index] !== 0) index = (index + 1) % places
    begins[index] = at
  }
  return (bytes, from, to) => {
    for (let index = placeOf(bytes, from, to); ; index = (index + 1) % places) {
      const begin = begins[index] as number
      if (begin === 0) return undefined
      if (file[begin] !== to - from) continue
      let same = 0
      while (same < to - from && file[begin + 1 + same] === bytes[from + same]) same++
      if (same === to - from) return begin
    }
  }
}

function placeOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0
  for (let i = from; i < to; i++) hash = (Math.imul(hash, 31) + (bytes[i] as number)) | 0
  return Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> 13
}

/** Byte-pair encoding: the neighbours whose union has the lowest rank are joined, until no union is a token. */
function countPiece(bytes: Buffer, rankOf: RankOf): number {
  if (bytes.length < 2 || rankOf(bytes, 0, bytes.length) !== undefined) return 1
  const starts = Array.from({ length: bytes.length + 1 }, (_, i) => i)
  const unionRank = (i: number): number =>
    i + 2 < starts.length ? (rankOf(bytes, starts[i] as number, starts[i + 2] as number) ?? Infinity) : Infinity
  const unions = starts.map((_, i) => unionRank(i))
  for (;;) {
    let best = 0
    for (let i = 1; i < unions.length; i++) if ((unions[i] as number) < (unions[best] as number)) best = i
    if (unions[best] === Infinity) return starts.length - 1
    starts.splice(best + 1, 1)
    unions.splice(best + 1, 1)
    unions[best] = unionRank(best)
    if (best > 0) unions[best - 1] = unionRank(best - 1)
  }
}
