import { sameAnswers } from "../../src/analyse/compare/same-answers.ts"
import type { Generation } from "../../src/core/generation.ts"
import { isFailure } from "../../src/core/outcome.ts"
import { createRandom } from "../../src/core/random.ts"
import { findRun } from "../../src/store/find-run.ts"
import { openRunStore } from "../../src/store/run-store.ts"

/** How often two variants of a stored run are told apart, at so many requests a side. */
export interface Trials {
  readonly trials: number
  readonly told: number
  /** How often each statistic was the one that told them. */
  readonly by: Readonly<Record<string, number>>
}

/**
 * Draws as many answers to each prompt from both variants' pools, without putting back, and tests them; a variant against itself
 * gets two parts of its pool that share no answer.
 */
export async function equalityTrials(
  directory: string,
  [baseline, candidate]: readonly [string, string],
  {
    requests,
    trials,
    prompts,
    alpha = 0.05,
    seed = 1,
  }: { requests: number; trials: number; prompts: readonly [number, number]; alpha?: number; seed?: number },
): Promise<Trials> {
  const store = openRunStore(directory, { readonly: true })
  const run = findRun(store, undefined)
  const pool = (variant: string) => {
    const answers = new Map<string, Generation[]>()
    for (const answer of store.generations(run.id, variant))
      if (!isFailure(answer.outcome)) answers.set(answer.sampleId, [...(answers.get(answer.sampleId) ?? []), answer])
    return answers
  }
  const [before, after] = [pool(baseline), pool(candidate)]
  const ids = [...before.keys()].toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1))).slice(...prompts)
  store.close()
  const each = Math.floor(requests / (prompts[1] - prompts[0]))
  const random = createRandom(`${seed}/${baseline}/${candidate}/${requests}`)
  const by: Record<string, number> = {}
  let rejections = 0
  for (let trial = 0; trial < trials; trial++) {
    const sides: [Generation[], Generation[]] = [[], []]
    for (const id of ids) {
      const shuffled = random.shuffle(before.get(id) ?? [])
      sides[0].push(...shuffled.slice(0, each))
      sides[1].push(
        ...(baseline === candidate
          ? shuffled.slice(each, 2 * each)
          : random.shuffle(after.get(id) ?? []).slice(0, each)),
      )
    }
    const answers = await sameAnswers(
      [
        { name: "a", answers: sides[0] },
        { name: "b", answers: sides[1] },
      ],
      { alpha, seed: trial },
    )
    if (answers.p !== null && answers.p <= alpha) rejections++
    for (const { name, p } of answers.parts) if (p <= alpha) by[name] = (by[name] ?? 0) + 1
  }
  return { trials, told: rejections, by }
}
