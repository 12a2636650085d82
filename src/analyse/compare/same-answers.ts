import type { Generation } from "../../core/generation.ts"
import { isFailure, isOfVariant } from "../../core/outcome.ts"
import { sum } from "../../stats/sum.ts"
import { type AnswerTraits, type ModelEquality, modelEquality } from "../../stats/tests/model-equality.ts"

/** A side of the test: who answers, and its answers. */
export interface AnswerSide {
  readonly name: string
  readonly answers: Iterable<Generation> | AsyncIterable<Generation>
}

/** Whether two sides answer the same prompts from one distribution, and on what that is based. */
export interface SameAnswers extends ModelEquality {
  readonly baseline: string
  readonly candidate: string
  /** False alarms that were allowed. */
  readonly alpha: number
  /** Prompts that both sides answered. */
  readonly prompts: number
  /** Answers of each side to them. */
  readonly requests: readonly [number, number]
  /** Answers of each side that failed: they tell nothing of the model. */
  readonly failed: readonly [number, number]
  /** Of answers with the same number to the same prompt, how many are the same to the letter. */
  readonly compared: number
  readonly identical: number
  /** Statistics that could not be tested. */
  readonly untested: readonly ("completions" | keyof typeof figures)[]
}

/** Answers of a side to one prompt that are looked at: their pairs are kept in memory. */
const maxAnswers = 100

const figures = {
  characters: ({ text }: Generation) => text.length,
  logprob: ({ logprobs }: Generation) =>
    logprobs && logprobs.length > 0 ? logprobs.reduce((sum, { logprob }) => sum + logprob, 0) / logprobs.length : null,
  truncated: ({ outcome }: Generation) => Number(outcome === "length" || outcome === "length_empty"),
  toolCalled: ({ toolCalls }: Generation) => Number(toolCalls.length > 0),
}

interface ReadAnswer extends AnswerTraits {
  readonly repeat: number
  readonly symbols: Uint32Array
}

/**
 * Tests whether two sides give the same answers, by completions, their length, the log-probability a token, how often they are cut off, and how
 * often a tool is called. Memory: the characters of all answers, at most 100 of a side to each prompt.
 *
 * @param options `alpha`: the false alarms that are allowed, 0..1
 */
export async function sameAnswers(
  sides: readonly [AnswerSide, AnswerSide],
  { alpha, seed }: { readonly alpha: number; readonly seed: number | string },
): Promise<SameAnswers> {
  const [before, after] = [await readSide(sides[0]), await readSide(sides[1])]
  const prompts = [...before.prompts].flatMap(([id, baseline]) => {
    const candidate = after.prompts.get(id)
    return candidate ? [{ baseline, candidate }] : []
  })
  let [compared, identical] = [0, 0]
  for (const { baseline, candidate } of prompts)
    for (const { repeat, symbols } of baseline) {
      const other = candidate.find((answer) => answer.repeat === repeat)
      if (!other) continue
      compared++
      if (symbols.length === other.symbols.length && symbols.every((symbol, i) => symbol === other.symbols[i]))
        identical++
    }
  const equality = modelEquality(prompts, { alpha, seed })
  const tested = new Set(equality.parts.map(({ name }) => name))
  return {
    ...equality,
    baseline: sides[0].name,
    candidate: sides[1].name,
    alpha,
    prompts: prompts.length,
    requests: [
      sum(prompts.map(({ baseline }) => baseline.length)),
      sum(prompts.map(({ candidate }) => candidate.length)),
    ],
    failed: [before.failed, after.failed],
    compared,
    identical,
    untested: (["completions", ...Object.keys(figures)] as SameAnswers["untested"]).filter((name) => !tested.has(name)),
  }
}

async function readSide({ answers }: AnswerSide) {
  const prompts = new Map<string, ReadAnswer[]>()
  let failed = 0
  for await (const answer of answers) {
    if (answer.isGivenText || !isOfVariant(answer.outcome)) continue
    if (isFailure(answer.outcome)) {
      failed++
      continue
    }
    const list = prompts.get(answer.sampleId) ?? []
    prompts.set(answer.sampleId, list)
    if (list.length === maxAnswers) continue
    const calls = answer.toolCalls.map(({ name, arguments: values }) => JSON.stringify([name, values]))
    list.push({
      repeat: answer.repeat,
      symbols: Uint32Array.from([answer.text, ...calls].join("\n"), (character) => character.codePointAt(0) as number),
      figures: Object.fromEntries(Object.entries(figures).map(([name, figureOf]) => [name, figureOf(answer)])),
    })
  }
  return { prompts, failed }
}
