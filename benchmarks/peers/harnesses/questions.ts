import { readFileSync } from "node:fs"
import { join } from "node:path"
import { createRandom } from "../../../src/core/random.ts"

/** A question with what the server answers, and when. */
export interface KnownAnswer {
  readonly id: string
  readonly input: string
  /** The right number, without separators. */
  readonly target: string
  readonly answer: string
  readonly isRight: boolean
  readonly ms: number
  readonly usage: {
    readonly prompt_tokens: number
    readonly completion_tokens: number
    readonly total_tokens: number
    readonly prompt_tokens_details: { readonly cached_tokens: number }
  }
}

/** US dollars of a million tokens. */
export const price = { input: 2.5, cachedInput: 1.25, output: 10 }

/** Ways in which models end a solution. */
const ends: readonly ((number: string) => string)[] = [
  (number) => `#### ${number}`,
  (number) => `The answer is $${grouped(number)}.`,
  (number) => `**Answer: ${grouped(number)}**`,
  (number) => `Final answer: \\boxed{${number}}`,
  (number) => `So the result is ${number}.00`,
]

/**
 * So many questions of GSM8K (of `gsm8k_solutions.jsonl` in the folder, or made sums of its shape without one), of which 7 in 10 are
 * answered rightly, after 100 to 300 ms.
 */
export function knownAnswers(count: number, folder: string | undefined): readonly KnownAnswer[] {
  const random = createRandom("harnesses")
  const pool = folder ? published(join(folder, "gsm8k_solutions.jsonl")) : Array.from({ length: count }, madeQuestion)
  const order = random.shuffle(Array.from({ length: count }, (_, i) => i))
  return pool.slice(0, count).map(({ input, solution, target }, i) => {
    const isRight = (order[i] as number) % 10 < 7
    const number = isRight ? target : String(Number(target) + 1)
    const answer = `${solution}\n${ends[Math.floor((order[i] as number) / 10) % ends.length]?.(number)}`
    const [promptTokens, completionTokens] = [tokens(input), tokens(answer)]
    return {
      ...{ id: `q${i}`, input, target, answer, isRight },
      ms: 100 + 200 * random.next(),
      usage: {
        prompt_tokens: promptTokens,
        completion_tokens: completionTokens,
        total_tokens: promptTokens + completionTokens,
        prompt_tokens_details: { cached_tokens: Math.floor(promptTokens / 2) },
      },
    }
  })
}

/** What the answers cost by the price list, in US dollars. */
export function costOf(answers: readonly KnownAnswer[]): number {
  return answers.reduce((sum, { usage }) => {
    const { cached_tokens: cached } = usage.prompt_tokens_details
    const fresh = usage.prompt_tokens - cached
    return sum + (fresh * price.input + cached * price.cachedInput + usage.completion_tokens * price.output) / 1e6
  }, 0)
}

interface Question {
  readonly input: string
  readonly solution: string
  readonly target: string
}

function published(path: string): readonly Question[] {
  const lines = readFileSync(path, "utf8").trim().split("\n")
  const questions = lines.map((line) => {
    const { question, ground_truth: truth } = JSON.parse(line) as { question: string; ground_truth: string }
    const [solution = "", target = ""] = truth.split("\nA: ")
    return { input: question.trim(), solution: solution.replace(/<<.*?>>/g, ""), target: target.replaceAll(",", "") }
  })
  return [...new Map(questions.map((question) => [question.input, question])).values()]
}

function madeQuestion(_: unknown, i: number): Question {
  const [boxes, each, gifts] = [3 + (i % 40), 12 + (i % 90), 1 + (i % 30)]
  const all = boxes * each
  return {
    input: `Mina (customer ${i}) buys ${boxes} boxes with ${each} pencils each and gives away ${gifts} pencils. How many pencils has she left?`,
    solution: `She buys ${boxes} * ${each} = ${all} pencils.\nShe has ${all} - ${gifts} = ${all - gifts} pencils left.`,
    target: String(all - gifts),
  }
}

function grouped(number: string): string {
  return Number(number).toLocaleString("en-US")
}

/** Four characters each. */
function tokens(text: string): number {
  return Math.ceil(text.length / 4)
}
