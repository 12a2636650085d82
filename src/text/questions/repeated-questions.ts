import { createHash } from "node:crypto"
import type { JsonValue } from "../../core/json.ts"
import type { Sample } from "../../core/sample.ts"
import { isAddition, sketchBands } from "./near-question.ts"
import { questionWords } from "./question-words.ts"
import { createWordLists } from "./word-lists.ts"

/** What one sample asks. */
export interface Question {
  /** All that is sent, as one text. */
  readonly text: string
  /** What else must be equal for two samples to ask the same: passages, choices, pictures, later turns. */
  readonly asked: JsonValue
  /** What must be equal, besides, where the texts are not the same words. */
  readonly expected: JsonValue
}

/** Finds samples that ask the same question, as they pass by. */
export interface RepeatFinder {
  /** A sample with a cluster of its own, or without a question, is left out. */
  add(sample: Pick<Sample, "id" | "cluster">, question: Question): void
  /** The cluster of every sample that asks what another asks, by its id. */
  clusters(): ReadonlyMap<string, string>
}

const prefix = "same question as "

/** Whether a cluster was found in the questions, and not stated by the data set. */
export function isSameQuestion(cluster: string): boolean {
  return cluster.startsWith(prefix)
}

/** Words that all questions that are compared more than exactly may have together, which bounds memory (80 MB). */
const maxWords = 20_000_000
const minLength = 6
const maxLength = 1_000
/** Questions of a bucket that a further one is compared with, the newest first: bounds the work on prompts that share a template. */
const maxCompared = 8

/**
 * Samples with the same question: the same words and numbers in the same order, whatever their case, punctuation and spaces; or the
 * same with few words added, at most 8 and a fifth of the longer text, none of them a number, a sign or a negation, and with the
 * same references. Texts that differ in a word, a name or a number are two questions: a template does not join them. Paraphrases
 * are not found. Each is compared with the first of a cluster, never with its further members. Linear in the words.
 */
export function createRepeatFinder(): RepeatFinder {
  /** Samples by what they ask: the first, and the number of its cluster. */
  const exact = new Map<string, number>()
  const ids: string[] = []
  const firstOf: number[] = []
  /** Questions that are compared more than exactly: of each its sample, its words, and the number of what must be equal besides. */
  const near: number[] = []
  const wordLists = createWordLists()
  const blockOf: number[] = []
  const blocks = new Map<string, number>()
  const blockSizes: number[] = []
  return {
    add({ id, cluster }, { text, asked, expected }) {
      const { words, figures } = questionWords(text)
      if (cluster !== undefined || words.length === 0) return
      const others = JSON.stringify(asked)
      const key = hash(words.join(" "), others)
      const existing = exact.get(key)
      const sample = ids.push(id) - 1
      firstOf.push(existing ?? sample)
      if (existing !== undefined) return
      exact.set(key, sample)
      if (words.length < minLength || words.length > maxLength || wordLists.words + words.length > maxWords) return
      const block = hash(others, figures.join(" "), JSON.stringify(expected))
      const number = blocks.get(block) ?? blockSizes.push(0) - 1
      blocks.set(block, number)
      blockSizes[number] = (blockSizes[number] as number) + 1
      near.push(sample)
      wordLists.add(words)
      blockOf.push(number)
    },
    clusters() {
      const buckets = new Map<number, number[]>()
      for (const [question, block] of blockOf.entries()) {
        if ((blockSizes[block] as number) < 2) continue
        const words = wordLists.at(question)
        const marks = sketchBands(words, block)
        const like = marks
          .flatMap((mark) => buckets.get(mark) ?? [])
          .find((other) => blockOf[other] === block && isAddition(wordLists.at(other), words))
        if (like !== undefined) firstOf[near[question] as number] = near[like] as number
        else
          for (const mark of marks) {
            const bucket = buckets.get(mark)
            if (!bucket) buckets.set(mark, [question])
            else if (bucket.push(question) > maxCompared) bucket.shift()
          }
      }
      // What repeats a question that is itself like an earlier one belongs to that.
      const roots = firstOf.map((first) => firstOf[first] as number)
      const sizes = new Map<number, number>()
      for (const root of roots) sizes.set(root, (sizes.get(root) ?? 0) + 1)
      return new Map(
        roots.flatMap((root, sample): [string, string][] =>
          (sizes.get(root) as number) > 1 ? [[ids[sample] as string, `${prefix}${ids[root]}`]] : [],
        ),
      )
    },
  }
}

function hash(...parts: readonly string[]): string {
  return createHash("sha256").update(parts.join("\u0000")).digest().toString("base64", 0, 12)
}

/** What a sample asks where it is not known what was sent: its own fields, with its references, which then must agree. */
export function questionOf({ input, turns, context, choices, references }: Sample): Question {
  const text = typeof input === "string" ? input : (input ?? []).map(({ content }) => content).join("\n")
  const shape = typeof input === "string" ? null : (input ?? []).map(({ role, parts }) => [role, parts ?? null])
  const asked = [shape, turns ?? null, context, choices, references] as unknown as JsonValue
  return { text, asked, expected: null }
}
