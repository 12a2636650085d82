import { morphy } from "./morphy.ts"
import { loadWordNetFiles, type PartOfSpeech, partsOfSpeech, type WordNetFiles } from "./wordnet-files.ts"

const longestWord = 100
const cacheLimit = 100_000
const newline = 10
const space = 32

let loading: Promise<WordNet> | undefined

/** WordNet 3.0, read once per process. */
export function loadWordNet(): Promise<WordNet> {
  loading ??= loadWordNetFiles().then((files) => new WordNet(files))
  return loading
}

/**
 * Synonyms from WordNet's own files: a lemma is found by binary search in the index, its synsets are read where the index
 * says. Nothing is parsed before it is asked for, so that opening costs only the reading of the files.
 *
 * The package natural reads the same files, but byte by byte with a callback each, knows neither exception lists nor
 * morphology, and prints its errors; it cannot give NLTK's synonyms, nor 15,000 pairs a second.
 */
export class WordNet {
  private readonly files: ReadonlyMap<PartOfSpeech, WordNetFiles>
  private readonly exceptions = new Map<PartOfSpeech, ReadonlyMap<string, readonly string[]>>()
  private readonly cache = new Map<string, ReadonlySet<string>>()

  constructor(files: ReadonlyMap<PartOfSpeech, WordNetFiles>) {
    this.files = files
    for (const part of partsOfSpeech) this.exceptions.set(part, readExceptions(this.of(part).exceptions))
  }

  /**
   * Every single lower-case word that shares a synset with a form of the given word: what NLTK's METEOR takes for its
   * synonyms. Words of more than 100 characters have none.
   *
   * @param word in lower case
   * @example synonyms("cars") // has "car", "auto", "automobile", "machine", "motorcar", "gondola" …
   */
  synonyms(word: string): ReadonlySet<string> {
    const known = this.cache.get(word)
    if (known !== undefined) return known
    const found = new Set<string>()
    if (word.length <= longestWord) for (const part of partsOfSpeech) this.collect(word, part, found)
    if (this.cache.size >= cacheLimit) this.cache.clear()
    if (word.length <= longestWord) this.cache.set(word, found)
    return found
  }

  private of(part: PartOfSpeech): WordNetFiles {
    return this.files.get(part) as WordNetFiles
  }

  private collect(word: string, part: PartOfSpeech, into: Set<string>): void {
    const { index, data } = this.of(part)
    const exceptions = this.exceptions.get(part) as ReadonlyMap<string, readonly string[]>
    for (const lemma of morphy(word, part, exceptions, (form) => findLine(index, form) >= 0)) {
      const fields = lineAt(index, findLine(index, lemma)).trim().split(" ")
      const synsets = Number(fields[2])
      for (const offset of fields.slice(fields.length - synsets)) readLemmas(lineAt(data, Number(offset)), into)
    }
  }
}

/** Adds the words of a synset's line: `offset file type count(hex) word id word id …`. */
function readLemmas(line: string, into: Set<string>): void {
  const fields = line.split(" ", 4 + 2 * 256)
  const count = Number.parseInt(fields[3] as string, 16)
  for (let i = 0; i < count; i++) {
    const field = fields[4 + 2 * i] as string
    const mark = field.indexOf("(")
    const lemma = mark > 0 ? field.slice(0, mark) : field
    if (!lemma.includes("_") && lemma === lemma.toLowerCase()) into.add(lemma)
  }
}

/** The beginning of the line whose first field is the lemma, or −1. The lines are sorted by the bytes of that field. */
function findLine(index: Buffer, lemma: string): number {
  // The licence at the head of each file is indented: a lemma has no white space.
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

function lineStart(index: Buffer, from: number, lowest: number): number {
  let at = from
  while (at > lowest && index[at - 1] !== newline) at--
  return at
}

/** Below 0 when the line's first field comes before the lemma, above 0 when it comes after. */
function compare(index: Buffer, start: number, lemma: string): number {
  for (let i = 0; i < lemma.length; i++) {
    const difference = (index[start + i] as number) - lemma.charCodeAt(i)
    if (difference !== 0) return difference
  }
  return (index[start + lemma.length] as number) - space
}

function lineAt(file: Buffer, start: number): string {
  return file.toString("latin1", start, file.indexOf(newline, start))
}

function readExceptions(file: Buffer): ReadonlyMap<string, readonly string[]> {
  const exceptions = new Map<string, readonly string[]>()
  for (const line of file.toString("latin1").split("\n")) {
    const [form, ...lemmas] = line.split(" ").filter((field) => field !== "")
    if (form !== undefined) exceptions.set(form, lemmas)
  }
  return exceptions
}
