import { join } from "node:path"
import { expect } from "vitest"
import { createRandom } from "../../src/core/random.ts"
import { folderLogWriters } from "./folder-log-writers.ts"
import { type LogWriter, logWriters, type TrueAnswer, type TrueSample } from "./log-writers.ts"
import { compareJson } from "./support.ts"

const writers: Readonly<Record<string, LogWriter>> = { ...logWriters, ...folderLogWriters }

/** Samples that a log may ask. */
const pool = 40

/**
 * Writes pairs of logs with the truth beside them, and holds what `compare` says of each against it: which samples are paired, both means and
 * their difference, what failed, and a verdict that its own bounds allow. Versions, subsets, repeats and failures are drawn by the seed.
 */
export async function checkPairs(folder: string, count: number, seed: number): Promise<void> {
  const random = createRandom(`logs/${seed}`)
  const names = Object.keys(writers)
  const below = (n: number) => Math.floor(random.next() * n)
  const wrong = { passed: 0, failed: 0, worse: 0, acceptable: 0 }
  for (let i = 0; i < count; i++) {
    const name = names[i % names.length] as string
    const writer = writers[name] as LogWriter
    const draw = (skill: number): readonly TrueSample[] => {
      const most = writer.repeats ? 1 + below(3) : 1
      const [from, size] = [below(pool / 2), 10 + below(pool / 2)]
      return Array.from({ length: size }, (_, k) => {
        const answer = (): TrueAnswer =>
          writer.failures && random.next() < 0.1 ? "failed" : random.next() < skill ? 1 : 0
        return { id: from + k, answers: Array.from({ length: most }, answer) }
      })
    }
    const skill = 0.4 + random.next() / 2
    const [a, b] = [draw(0.7), draw(skill)]
    if (!hasScoredPair(a, b)) continue
    const at = join(folder, String(i))
    const [fileA, fileB] = [writer.write(join(at, "a"), a), writer.write(join(at, "b"), b)]
    const { json } = await compareJson(folder, fileA, fileB)
    const where = `pair ${i} of ${name} (seed ${seed})`
    expect(json.recognised, where).toEqual({ a: writer.tool, b: writer.tool })
    const result = json.metrics[writer.metric]
    const truth = truthOf(a, b, writer.metric === "score" ? (value) => 1 + 9 * value : (value) => value)
    expect(result.pairs, where).toBe(truth.pairs)
    for (const figure of ["mean_a", "mean_b", "difference"] as const)
      expect(result[figure], `${figure} of ${where}`).toBeCloseTo(truth[figure], 10)
    expect(result.missing.unmeasured_a + result.missing.unmeasured_b, where).toBe(0)
    // Scores of MT-bench lie between 1 and 10, and an answer that failed, one of ten, is the worst.
    const scale = writer.metric === "score" ? 9 : 1
    const [low, high] = [result.low_bound ?? Number.NEGATIVE_INFINITY, result.high_bound ?? Number.POSITIVE_INFINITY]
    // Inferior is what the bound says; a pass needs its bound, and may need more (enough pairs, outcomes of both kinds).
    expect(result.verdict === "inferior", where).toBe(high < -margin * scale)
    if (result.verdict === "non_inferior") expect(low, where).toBeGreaterThan(-margin * scale)
    if (result.verdict === "better") expect(low, where).toBeGreaterThan(0)
    const isWorse = (skill - 0.7) * (writer.failures ? 0.9 : 1) < -margin
    wrong[isWorse ? "worse" : "acceptable"]++
    if (isWorse && (result.verdict === "non_inferior" || result.verdict === "better")) wrong.passed++
    if (!isWorse && result.verdict === "inferior") wrong.failed++
  }
  // Each bound errs one time in twenty at most: three standard errors above that is no chance.
  const most = (n: number) => n * 0.05 + 3 * Math.sqrt(n * 0.05 * 0.95)
  expect(wrong.passed, `worse by more than the margin, and passed, of ${wrong.worse}`).toBeLessThan(most(wrong.worse))
  expect(wrong.failed, `within the margin, and failed, of ${wrong.acceptable}`).toBeLessThan(most(wrong.acceptable))
}

/** The margin of a comparison without a config. */
const margin = 0.01

function hasScoredPair(a: readonly TrueSample[], b: readonly TrueSample[]): boolean {
  const scored = (samples: readonly TrueSample[]) =>
    new Set(
      samples.flatMap(({ id, answers }) => answers.flatMap((answer, i) => (answer === "failed" ? [] : [`${id}/${i}`]))),
    )
  const other = scored(b)
  return [...scored(a)].filter((key) => other.has(key)).length > 2
}

/** Samples that both logs asked, each the mean of its own repeats, of which one that failed is the worst. */
function truthOf(a: readonly TrueSample[], b: readonly TrueSample[], scale: (value: number) => number) {
  const mean = ({ answers }: TrueSample) =>
    answers.reduce<number>((sum, answer) => sum + scale(answer === "failed" ? 0 : answer), 0) / answers.length
  const pairs = a.flatMap((sample) => {
    const other = b.find(({ id }) => id === sample.id)
    return other ? [[mean(sample), mean(other)] as const] : []
  })
  const of = (side: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[side], 0) / pairs.length
  return { pairs: pairs.length, mean_a: of(0), mean_b: of(1), difference: of(1) - of(0) }
}
