import { readFile } from "node:fs/promises"
import { promisify } from "node:util"
import { brotliDecompress } from "node:zlib"
import { EvalkitError } from "../../src/core/errors.ts"

/** The parts of speech as WordNet's files are named. */
export const partsOfSpeech = ["noun", "verb", "adj", "adv"] as const

/** One of {@link partsOfSpeech}. @public */
export type PartOfSpeech = (typeof partsOfSpeech)[number]

/** What is known of one part of speech. @public */
export interface WordNetFiles {
  /** Lines `lemma synset …`, sorted by the lemma's bytes; a synset is the number of its line in base 36. */
  readonly index: Uint8Array
  /** Lines of words that mean the same: the single ones in lower case. */
  readonly synsets: Uint8Array
  /** Lines `irregular form, lemma …`. */
  readonly exceptions: Uint8Array
}

/** Beside this file in the built package; below `dist` when this file runs from its source. */
const places = ["./", "../../dist/metrics/wordnet/"].map(
  (path) => new URL(`${path}wordnet-3.0.txt.br`, import.meta.url),
)

/**
 * WordNet 3.0 as the build has written it into one compressed file (see scripts/build/wordnet.mjs). 6 MB in memory, 50 ms.
 *
 * @throws EvalkitError when the file was not built
 */
export async function loadWordNetFiles(): Promise<Map<PartOfSpeech, WordNetFiles>> {
  const blocks = readBlocks(await promisify(brotliDecompress)(await readBuilt()))
  const block = (name: string) => blocks.get(name) ?? new Uint8Array()
  return new Map(
    partsOfSpeech.map((part) => [
      part,
      { index: block(`${part} index`), synsets: block(`${part} synsets`), exceptions: block(`${part} exceptions`) },
    ]),
  )
}

async function readBuilt(): Promise<Uint8Array> {
  for (const url of places) {
    const file = await readFile(url).catch(() => null)
    if (file) return file
  }
  throw new EvalkitError("WordNet's file is not built", {
    code: "wordnet_not_built",
    where: places[0]?.pathname ?? "",
    hint: "run: npm run build",
  })
}

/** Blocks, each after a line `part kind bytes`. */
function readBlocks(content: Uint8Array): Map<string, Uint8Array> {
  const blocks = new Map<string, Uint8Array>()
  for (let at = 0; at < content.length; ) {
    const end = content.indexOf(newline, at)
    const [part, kind, length] = new TextDecoder("latin1").decode(content.subarray(at, end)).split(" ")
    const from = end + 1
    at = from + Number(length)
    blocks.set(`${part} ${kind}`, content.subarray(from, at))
  }
  return blocks
}

const newline = 10
