import { readFileSync } from "node:fs"
import { exactMatch } from "evalkit/metrics"
import { compareCandidates } from "../../src/analyse/compare/compare-candidates.ts"
import type { AnswerFacts, ScoredVariant } from "../../src/core/metric/scored-variant.ts"
import { createRandom, type Random } from "../../src/core/random.ts"
import { type Answer, answerOf, boundOf, peers } from "./rules.ts"

/** Answers of two published models to the same questions, right or wrong: the baseline's and the candidate's. */
export interface RealPair {
  readonly task: string
  readonly baseline: Uint8Array
  readonly candidate: Uint8Array
  /** Accuracy of the candidate less that of the baseline over all questions: the truth. */
  readonly difference: number
}

/** Every ordered pair of models of each task of `zeroeval/readings.jsonl`; only questions that both were asked count. */
export function readPairs(path: string): readonly RealPair[] {
  const lines = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { readonly task: string; readonly bits?: string })
  const byTask = new Map<string, string[]>()
  for (const { task, bits } of lines) if (bits) byTask.set(task, [...(byTask.get(task) ?? []), bits])
  return [...byTask].flatMap(([task, models]) =>
    models.flatMap((baseline) =>
      models.flatMap((candidate) => (baseline === candidate ? [] : pairOf(task, baseline, candidate))),
    ),
  )
}

function pairOf(task: string, baseline: string, candidate: string): RealPair {
  const both = Array.from(baseline, (bit, i) => [bit, candidate[i]] as const).filter((pair) => !pair.includes("?"))
  // An answer that could not be read is not right, as in the published accuracies.
  const side = (location: 0 | 1) => Uint8Array.from(both, (pair) => Number(pair[location] === "1"))
  const [a, b] = [side(0), side(1)]
  return { task, baseline: a, candidate: b, difference: meanOf(b) - meanOf(a) }
}

const others = peers.filter(({ name }) => name !== "naive paired bootstrap")

/** The answers of both models to `n` questions of the pair, none twice. */
export function drawOf(
  pair: RealPair,
  n: number,
  random: Random,
): readonly [baseline: Uint8Array, candidate: Uint8Array] {
  const places = random.shuffle(Array.from(pair.baseline, (_, i) => i)).slice(0, n)
  const of = (side: Uint8Array) => Uint8Array.from(places, (index) => side[index] as number)
  return [of(pair.baseline), of(pair.candidate)]
}

/** What each rule says of `n` questions of the pair, none twice, at each margin. */
export function decideAll(
  pair: RealPair,
  n: number,
  margins: readonly number[],
  seed: string,
): readonly ReadonlyMap<string, Answer>[] {
  const random = createRandom(seed)
  const [baseline, candidate] = drawOf(pair, n, random)
  const observed = {
    differences: Array.from(candidate, (value, i) => value - (baseline[i] as number)),
    failures: [],
  }
  const bound = boundOf(observed)
  return margins.map((margin) => {
    const answer = answerOf(bound, margin)
    if (random.integer(checkedOneOf) === 0 && answer !== comparedAs(baseline, candidate, margin))
      throw new Error(`the comparison of a run decides otherwise than its bounds: ${pair.task}, ${n}, ${margin}`)
    return new Map([
      ["evalkit", answer],
      ...others.map(({ name, decide }): [string, Answer] => [name, decide(observed, margin, seed)]),
      // As PROMPTFOO_PASS_RATE_THRESHOLD is used: the candidate's own rate against the baseline's, which is known.
      ["promptfoo's threshold", meanOf(candidate) >= meanOf(pair.baseline) - margin ? "swap" : "keep"],
    ])
  })
}

/** Of so many draws one is also decided by the whole comparison of a run. */
const checkedOneOf = 50

const metric = exactMatch()

/** The verdict on quality of a comparison as a run makes it. */
function comparedAs(baseline: Uint8Array, candidate: Uint8Array, margin: number): Answer {
  const [comparison] = compareCandidates({
    baseline: variantOf("baseline", baseline),
    candidates: [variantOf("candidate", candidate)],
    metrics: [metric],
    primary: [metric.name],
    margin,
    alpha: 0.05,
    seed: 1,
    isPlanned: false,
  })
  const quality = comparison?.quality
  return quality === "better" || quality === "non_inferior" ? "swap" : quality === "worse" ? "keep" : "open"
}

function variantOf(name: string, right: Uint8Array): ScoredVariant {
  const keys = Array.from(right, (_, i) => ({ sampleId: `s${i}`, repeat: 0 }))
  const answers = keys.map(
    (key): AnswerFacts => ({
      ...key,
      outcome: "ok",
      source: "recorded",
      ttftMs: null,
      e2eMs: null,
      tpotMs: null,
      costUsd: null,
      completionTokens: null,
      textHash: `${name}${key.sampleId}`,
      confidence: null,
    }),
  )
  const rows = keys.map((key, i) => ({
    ...key,
    measured: { status: "scored" as const, row: Boolean(right[i]) },
    value: right[i] as number,
  }))
  return { name, answers, rows: new Map([[metric.name, rows]]) }
}

/** Share of right answers. */
export function meanOf(values: Uint8Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
