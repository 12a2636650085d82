import { morphy } from "./morphy.ts"
import { loadWordNetFiles, type PartOfSpeech, partsOfSpeech, type WordNetFiles } from "./wordnet-files.ts"

const maxWordLength = 100
const cacheLimit = 100_000
const newline = 10
const space = 32
const latin1 = new TextDecoder("latin1")

let loading: Promise<WordNet> | undefined

/** WordNet 3.0, read once per process. @public */
export function loadWordNet(): Promise<WordNet> {
  loading ??= loadWordNetFiles().then((files) => new WordNet(files))
  return loading
}

/**
 * Synonyms from WordNet's lemmas and synsets: a lemma is found by binary search in the index, its synsets are read where the
 * index says. Nothing is parsed before it is needed, so that opening costs only reading the file.
 *
 * The package natural reads the same files, but byte by byte with a callback each, knows neither exception lists nor
 * morphology, and prints its errors; it cannot give NLTK's synonyms, nor 15,000 pairs a second.
 * @public
 */
export class WordNet {
  private readonly files: ReadonlyMap<PartOfSpeech, WordNetFiles>
  private readonly synsetStarts = new Map<PartOfSpeech, Uint32Array>()
  private readonly exceptions = new Map<PartOfSpeech, ReadonlyMap<string, readonly string[]>>()
  private readonly cache = new Map<string, ReadonlySet<string>>()

  constructor(files: ReadonlyMap<PartOfSpeech, WordNetFiles>) {
    this.files = files
    for (const part of partsOfSpeech) {
      this.exceptions.set(part, readExceptions(this.of(part).exceptions))
      this.synsetStarts.set(part, lineStarts(this.of(part).synsets))
    }
  }

  /**
   * Every single lower-case word that shares a synset with a form of the given word: what NLTK's METEOR takes for its
   * synonyms. Words of more than 100 characters have none.
   *
   * @param word in lower case
   * @example synonyms("cars") // has "car", "auto", "automobile", "machine", "motorcar", "gondola" …
   */
  synonyms(word: string): ReadonlySet<string> {
    const existing = this.cache.get(word)
    if (existing !== undefined) return existing
    const senses = new Set<string>()
    if (word.length <= maxWordLength) for (const part of partsOfSpeech) this.collect(word, part, senses)
    if (this.cache.size >= cacheLimit) this.cache.clear()
    if (word.length <= maxWordLength) this.cache.set(word, senses)
    return senses
  }

  private of(part: PartOfSpeech): WordNetFiles {
    return this.files.get(part) as WordNetFiles
  }

  private collect(word: string, part: PartOfSpeech, into: Set<string>): void {
    const { index, synsets } = this.of(part)
    const starts = this.synsetStarts.get(part) as Uint32Array
    const exceptions = this.exceptions.get(part) as ReadonlyMap<string, readonly string[]>
    for (const lemma of morphy(word, part, exceptions, (form) => findLine(index, form) >= 0)) {
      const [, ...numbers] = lineAt(index, findLine(index, lemma)).split(" ")
      for (const number of numbers) {
        const words = lineAt(synsets, starts[Number.parseInt(number, 36)] as number)
        for (const synonym of words.split(" ")) into.add(synonym)
      }
    }
  }
}

function lineStarts(file: Uint8Array): Uint32Array {
  const starts = [0]
  for (let end = file.indexOf(newline); end >= 0; end = file.indexOf(newline, end + 1)) starts.push(end + 1)
  return Uint32Array.from(starts)
}

/** The beginning of the line whose first field is the lemma, or −1. The lines are sorted by the bytes of that field. */
function findLine(index: Uint8Array, lemma: string): number {
  // A lemma has no white space.
  if (lemma === "" || /\s/.test(lemma)) return -1
  let low = 0
  let high = index.length
  while (low < high) {
    const start = lineStart(index, (low + high) >>> 1, low)
    const order = compare(index, start, lemma)
    if (order === 0) return start
    if (order > 0) high = start
    else low = index.indexOf(newline, start) + 1
  }
  return -1
}

function lineStart(index: Uint8Array, from: number, lowest: number): number {
  let at = from
  while (at > lowest && index[at - 1] !== newline) at--
  return at
}

/** Below 0 when the line's first field comes before the lemma, above 0 when it comes after. */
function compare(index: Uint8Array, start: number, lemma: string): number {
  for (let i = 0; i < lemma.length; i++) {
    const difference = (index[start + i] as number) - lemma.charCodeAt(i)
    if (difference !== 0) return difference
  }
  const after = index[start + lemma.length] as number
  return after === newline ? 0 : after - space
}

function lineAt(file: Uint8Array, start: number): string {
  return latin1.decode(file.subarray(start, file.indexOf(newline, start)))
}

function readExceptions(file: Uint8Array): ReadonlyMap<string, readonly string[]> {
  const exceptions = new Map<string, readonly string[]>()
  for (const line of latin1.decode(file).split("\n")) {
    const [form, ...lemmas] = line.split(" ").filter((field) => field !== "")
    if (form !== undefined) exceptions.set(form, lemmas)
  }
  return exceptions
}
