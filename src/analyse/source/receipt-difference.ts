import type { ReceiptBody, ReceiptCandidate, ReceiptDifference } from "../../core/report/receipt.ts"
import { decidingDifferences, leaves } from "../summary/run-difference.ts"

/**
 * What a receipt says differently from what was computed of a run now.
 *
 * @param sampleIds of the run, in the order of its data set
 */
export function receiptDifferences(
  receipt: ReceiptBody,
  now: ReceiptBody,
  sampleIds: readonly string[],
): readonly ReceiptDifference[] {
  const [a, b] = [figuresOf(receipt), figuresOf(now)]
  return [
    ...decidingDifferences(receipt.decides, now.decides),
    ...leafDifferences("run", receipt.run, now.run),
    ...leafDifferences("plan", receipt.plan, now.plan),
    ...answerDifferences(receipt, now, sampleIds),
    ...hashDifferences("scores", pairs(receipt.scores, "metric"), pairs(now.scores, "metric")),
    ...leafDifferences("figure", a, b),
  ]
}

/** The candidates and costs, by their names. */
function figuresOf({ baseline, candidates, answers }: ReceiptBody) {
  return {
    baseline,
    ...Object.fromEntries(candidates.map((candidate) => [candidate.candidate, byName(candidate)])),
    cost: Object.fromEntries(answers.map(({ variant, costUsd }) => [variant, costUsd])),
  }
}

function byName({ candidate: _, metrics, performance, limits, breaks, ...rest }: ReceiptCandidate) {
  return {
    ...rest,
    metrics: Object.fromEntries(metrics.map(({ metric, ...result }) => [metric, result])),
    performance: Object.fromEntries(performance.map(({ figure, value }) => [figure, value])),
    limits: Object.fromEntries(limits.map(({ limit, state }) => [limit, state])),
    breaks: Object.fromEntries(breaks.map(({ metric, broken }) => [metric, broken])),
  }
}

function leafDifferences(about: "figure" | "plan" | "run", before: unknown, after: unknown): ReceiptDifference[] {
  const textsOf = (value: unknown) => {
    const texts = new Map<string, string>()
    leaves(value, [], (keys, text) => texts.set(JSON.stringify(keys), text))
    return texts
  }
  const [a, b] = [textsOf(before), textsOf(after)]
  return [...new Map([...a, ...b]).keys()].flatMap((path) => {
    const [was = null, is = null] = [a.get(path), b.get(path)]
    const keys = JSON.parse(path) as readonly string[]
    return was === is ? [] : [{ about, path: [about, ...keys].join("."), of: null, keys, before: was, after: is }]
  })
}

/** Whose answers are others, and the samples that they are among; or the samples that are. */
function answerDifferences(
  receipt: ReceiptBody,
  now: ReceiptBody,
  sampleIds: readonly string[],
): readonly ReceiptDifference[] {
  const { perDigest, digests } = receipt.samples
  const isAligned = perDigest === now.samples.perDigest && digests.length === now.samples.digests.length
  const digestOf = (all: string, i: number) => all.slice(i * 8, (i + 1) * 8)
  const samples = isAligned
    ? sampleIds.filter((_, position) => {
        const i = Math.floor(position / perDigest)
        return digestOf(digests, i) !== digestOf(now.samples.digests, i)
      })
    : []
  const answers = hashDifferences("answers", pairs(receipt.answers, "variant"), pairs(now.answers, "variant"))
  if (answers.length > 0) return answers.map((answer) => ({ ...answer, samples }))
  const own = { about: "samples", path: "samples", of: null, keys: [], before: null, after: null, samples } as const
  return samples.length === 0 ? [] : [own]
}

type Hashes = readonly (readonly [string, string])[]

function pairs<Key extends string>(
  list: readonly ({ readonly [K in Key]: string } & { readonly sha256: string })[],
  key: Key,
): Hashes {
  return list.map((entry) => [entry[key], entry.sha256])
}

function hashDifferences(about: "answers" | "scores", a: Hashes, b: Hashes): ReceiptDifference[] {
  const [before, after] = [new Map(a), new Map(b)]
  return [...new Map([...a, ...b]).keys()].flatMap((of) => {
    const [was = null, is = null] = [before.get(of), after.get(of)]
    return was === is ? [] : [{ about, path: `${about}.${of}`, of, keys: [], before: was, after: is }]
  })
}
