import type { Dataset } from "../../src/core/dataset.ts"
import { UsageError } from "../../src/core/errors.ts"
import { contentHash } from "../../src/core/json.ts"
import { checkOptions } from "../../src/core/options.ts"
import { createRandom, type Random } from "../../src/core/random.ts"
import { inputText, type Sample } from "../../src/core/sample.ts"
import { loadO200k } from "../../src/text/o200k.ts"

/** Options of {@link needles}. @experimental */
export interface NeedlesOptions {
  /** Lengths of the prompts, in tokens (o200k). Default: 1,024, 2,048, 4,096. */
  readonly lengths?: readonly number[]
  /** Texts that the prompts are filled with: real ones, of the kind that the model will read. A data set's contexts, or else its inputs. */
  readonly padding: readonly string[] | Dataset
  /** Samples of each length, at depths that cover the whole text evenly. Default 20. */
  readonly samples?: number
  /** Default 1. */
  readonly seed?: number
}

/**
 * A data set that asks the same of ever longer prompts: a sentence with a number (the needle) at a seeded depth of a real text, and at the end
 * the question for that number. Its report is the context-length curve: slices by `contextTokens` show quality, time to the first token,
 * whole time and cost at each length (`metadata.contextTokens`), slices by `depth` where in the text a model loses it.
 *
 * Score it with `numericMatch()`. What finds a needle need not understand a text: it is the least that a long context must do. Lengths are
 * counted in o200k tokens; another tokenizer makes up to some tens of per cent more of them. Whole sentences fill the text, so that it is
 * up to one sentence shorter than its length.
 *
 * @throws {UsageError} for lengths that hold no text, and for padding of fewer than five sentences
 * @example needles({ lengths: [1024, 4096, 16384], padding: dataset("our-documents.jsonl") })
 * @experimental
 */
export function needles(options: NeedlesOptions): Dataset {
  checkOptions("needles", options)
  const { lengths = [1024, 2048, 4096], padding, samples = 20, seed = 1 } = options
  if (
    lengths.length === 0 ||
    lengths.some((length) => !Number.isInteger(length) || length < shortest || length > longest)
  )
    throw new UsageError(`lengths are whole numbers from ${shortest} to ${longest}`, { where: "needles({ lengths })" })
  if (new Set(lengths).size < lengths.length)
    throw new UsageError("a length is given twice", { where: "needles({ lengths })" })
  if (!Number.isInteger(samples) || samples < 1 || samples > maxSamples)
    throw new UsageError(`samples are a whole number from 1 to ${maxSamples}`, { where: "needles({ samples })" })
  const isList = Array.isArray(padding)
  const from = isList ? null : (padding as Dataset)
  return {
    name: "needles",
    source: from?.source ?? "inline",
    async *samples(signal) {
      const count = await loadO200k()
      const sentences = await sentencesOf(
        from ? textsOf(from, signal) : (padding as readonly string[]),
        Math.max(...lengths),
      )
      // A space belongs to the word behind it: counted behind the sentence, it would be a token that no prompt has.
      const sized = sentences.map((text) => ({ text, tokens: count(` ${text}`) }))
      for (const length of lengths)
        for (let i = 0; i < samples; i++) {
          signal?.throwIfAborted()
          const random = createRandom(`${seed}/needles/${length}/${i}`)
          // Strata of depth: the samples of a length cover the text evenly, each at a place of its own.
          yield sampleOf({ length, index: i, depth: (i + random.next()) / samples, random, sized, count })
        }
    },
    fingerprint: async () =>
      contentHash({
        needles: 2,
        lengths: [...lengths],
        samples,
        seed,
        padding: from ? await from.fingerprint() : contentHash([...(padding as readonly string[])]),
      }),
    skipped: () => from?.skipped() ?? [],
    ...(from?.resolveFrom && {
      resolveFrom: (directory: string) => needles({ ...options, padding: from.resolveFrom?.(directory) ?? from }),
    }),
  }
}

/** Shorter prompts have no room for a text. */
const shortest = 128
const longest = 2_000_000
const maxSamples = 10_000
/** Sentences of padding, at least: fewer are one text over and over. */
const minSentences = 5

interface Sized {
  readonly text: string
  readonly tokens: number
}

interface NeedleOptions {
  readonly length: number
  readonly index: number
  /** 0 at the beginning of the text, 1 at its end. */
  readonly depth: number
  readonly random: Random
  readonly sized: readonly Sized[]
  readonly count: (text: string) => number
}

function sampleOf({ length, index, depth, random, sized, count }: NeedleOptions): Sample {
  const name = `${pick(colours, random)} ${pick(things, random)}`
  const number = 100_000 + random.integer(900_000)
  const needle = `The access number of the ${name} is ${number}.`
  const question = `What is the access number of the ${name} that the text above names? Answer with the number alone.`
  const text = fill(sized, length - count(` ${needle}`) - count(`\n\n${question}`), random, number)
  const total = text.reduce((sum, { tokens }) => sum + tokens, 0)
  let before = 0
  let at = 0
  while (at < text.length && before + (text[at]?.tokens ?? 0) / 2 < depth * total) before += text[at++]?.tokens ?? 0
  const parts = [...text.slice(0, at).map((piece) => piece.text), needle, ...text.slice(at).map((piece) => piece.text)]
  const band = Math.min(bands - 1, Math.floor(depth * bands))
  return {
    id: `needle-${length}-${index}`,
    input: `${parts.join(" ")}\n\n${question}`,
    references: [String(number)],
    context: [],
    choices: [],
    expectedTools: [],
    metadata: {
      contextTokens: length,
      depth: `${(100 / bands) * band} to ${(100 / bands) * (band + 1)} %`,
      atShare: total === 0 ? 0 : Number((before / total).toFixed(4)),
    },
  }
}

/** Parts of the text by which depths are told apart. */
const bands = 5

/** Sentences one after the other from a seeded one on, around the end, as many as there is room for; none holds the number. */
function fill(sized: readonly Sized[], room: number, random: Random, number: number): readonly Sized[] {
  const taken: Sized[] = []
  let left = room
  const start = random.integer(sized.length)
  const usable = sized.filter(({ text }) => !text.includes(String(number)))
  for (let i = 0; usable.length > 0; i++) {
    const next = usable[(start + i) % usable.length] as Sized
    if (next.tokens > left) return taken
    left -= next.tokens
    taken.push(next)
  }
  return taken
}

async function* textsOf(dataset: Dataset, signal?: AbortSignal): AsyncGenerator<string> {
  for await (const sample of dataset.samples(signal))
    if (sample.context.length > 0) yield* sample.context
    else yield inputText(sample)
}

/** Sentences of the texts, until there are enough for the longest prompt; each once. */
async function sentencesOf(
  texts: Iterable<string> | AsyncIterable<string>,
  tokens: number,
): Promise<readonly string[]> {
  const sentences = new Set<string>()
  let characters = 0
  for await (const text of texts) {
    if (typeof text !== "string")
      throw new UsageError("padding is a list of texts, or a data set", { where: "needles({ padding })" })
    for (const { segment } of new Intl.Segmenter("en", { granularity: "sentence" }).segment(text)) {
      const sentence = segment.replaceAll(/\s+/g, " ").trim().slice(0, maxSentenceLength)
      if (sentence === "" || sentences.has(sentence)) continue
      sentences.add(sentence)
      characters += sentence.length
    }
    // No tokenizer makes a token of more characters than this, on average.
    if (characters > tokens * 8) break
  }
  if (sentences.size < minSentences)
    throw new UsageError(`the padding has ${sentences.size} different sentences`, {
      where: "needles({ padding })",
      hint: `give it real texts of at least ${minSentences} sentences`,
    })
  return [...sentences]
}

/** A "sentence" without a full stop: a table, a list. */
const maxSentenceLength = 2000

function pick(words: readonly string[], random: Random): string {
  return words[random.integer(words.length)] as string
}

const colours = ["amber", "blue", "crimson", "green", "ivory", "orange", "purple", "silver", "violet", "yellow"]
const things = [
  "archive",
  "boiler",
  "cellar",
  "depot",
  "gallery",
  "harbour",
  "library",
  "observatory",
  "stable",
  "workshop",
]
