import { describe, expect, it } from "vitest"
import { distinctAnswers } from "../../../metrics/consistency/distinct-answers.ts"
import { passAtK, passHatK } from "../../../metrics/consistency/pass-at-k.ts"
import { selfAgreement } from "../../../metrics/consistency/self-agreement.ts"
import { semanticEntropy } from "../../../metrics/consistency/semantic-entropy.ts"
import type { JsonValue } from "../../../src/core/json.ts"
import type { Metric, RowEntry, Summary } from "../../../src/core/metric/metric.ts"
import { answerOf, golden, noTools, sampleOf } from "../lexical-fixtures.ts"

/** The figure over answers given per sample. */
async function figureOf(metric: Metric<JsonValue>, samples: readonly (readonly string[])[]): Promise<Summary> {
  const rows: RowEntry<JsonValue>[] = []
  for (const [i, answers] of samples.entries()) {
    for (const [repeat, answer] of answers.entries()) {
      const measured = await metric.measure(sampleOf([]), answerOf(answer), noTools)
      if (measured.status === "scored") rows.push({ row: measured.row, sampleId: `s${i}`, repeat })
    }
  }
  return metric.summarise(rows)
}

describe("consistency of repeats", () => {
  it("counts distinct answers after normalisation, averaged over samples", async () => {
    expect(
      (
        await figureOf(distinctAnswers(), [
          ["Paris", "Paris.", "Lyon"],
          ["a b", "a b"],
        ])
      ).value,
    ).toBe(1.5)
  })

  it("gives the share of pairs that agree", async () => {
    expect((await figureOf(selfAgreement(), [["Paris", "Paris.", "Lyon"]])).value).toBeCloseTo(1 / 3, 12)
    expect((await figureOf(selfAgreement(), [["x", "x", "x", "x"]])).value).toBe(1)
  })

  it("gives the entropy over classes of answers", async () => {
    expect((await figureOf(semanticEntropy(), [["Paris", "paris", "Lyon", "Nice"]])).value).toBeCloseTo(
      1.5 * Math.LN2,
      12,
    )
    expect((await figureOf(semanticEntropy(), [["x", "x"]])).value).toBe(0)
  })

  it("takes a custom equivalence", async () => {
    const metric = semanticEntropy({
      represent: (generation) => Number(generation.text),
      equivalent: (a, b) => Math.abs(Number(a) - Number(b)) < 0.5,
    })
    expect((await figureOf(metric, [["1.0", "1.2", "3"]])).value).toBeCloseTo(Math.log(3) - (2 / 3) * Math.LN2, 12)
    expect(metric.signature).toContain("equivalent:custom")
  })

  it("is unknown without repeats", async () => {
    expect(await figureOf(selfAgreement(), [["a"], ["b"]])).toEqual({
      value: null,
      reason: "no sample has two answers: set repeats",
    })
  })
})

interface PassInputs {
  readonly n: number
  readonly c: number
  readonly k: number
}
const passRows = golden<PassInputs, { pass_at_k: number }>("eval_error_bars").filter((row) =>
  row.id.startsWith("passk"),
)

describe("pass@k and pass^k", () => {
  const rowsOf = (n: number, correct: number): RowEntry<number>[] =>
    Array.from({ length: n }, (_, repeat) => ({ row: Number(repeat < correct), sampleId: "s", repeat }))

  it.each(passRows)("pass@k equals the reference: $id", ({ inputs, expected }) => {
    const { value } = passAtK({ k: inputs.k }).summarise(rowsOf(inputs.n, inputs.c))
    expect(value).toBeCloseTo(expected.pass_at_k, 12)
  })

  it("pass^k gives τ-bench's airline row of gpt-4o, with an interval over tasks, not over answers", () => {
    const tau = golden<{ n: number[]; c: number[]; k: number[] }, { published_pass_hat_k: number[] }>(
      "pass_hat_k",
    ).find(({ id }) => id === "tau-bench-airline-gpt-4o")
    if (!tau) throw new Error("no τ-bench row")
    const { n, c } = tau.inputs
    const rows = c.flatMap((right, task) =>
      Array.from({ length: n[task] as number }, (_, i) => ({
        sampleId: `t${task}`,
        generationKey: `t${task}/${i}`,
        repeat: i,
        value: null,
        row: Number(i < right),
      })),
    )
    const figures = [1, 2, 3, 4].map((k) => passHatK({ k }).summarise(rows as never))
    expect(figures.map(({ value }) => (value as number).toFixed(4))).toEqual(["0.4200", "0.2733", "0.2200", "0.2000"])
    const first = figures[0]?.interval
    expect(first?.method).toContain("over 50 samples")
    // 200 independent answers would give ±.068; 50 tasks that mostly pass or fail as a whole give about ±.11.
    expect((first?.high ?? 0) - (first?.low ?? 0)).toBeGreaterThan(0.18)
    const clustered = passHatK({ k: 2 }).summarise(rows.map((row, i) => ({ ...row, cluster: `c${i % 10}` })) as never)
    expect(clustered.value).not.toBeNull()
  })
  it("pass^k is the share of all sets of k answers that are all right", () => {
    expect(passHatK({ k: 2 }).summarise(rowsOf(10, 3)).value).toBeCloseTo(3 / 45, 12)
    expect(passHatK({ k: 1 }).summarise(rowsOf(10, 3)).value).toBeCloseTo(0.3, 12)
    expect(passHatK({ k: 4 }).summarise(rowsOf(10, 3)).value).toBe(0)
  })

  it("reads correctness from a named metric", async () => {
    const metric = passAtK({ k: 1, correct: "judge", threshold: 0.5 })
    expect(metric.dependsOn).toEqual(["judge"])
    const measured = await metric.measure(sampleOf([]), answerOf("x"), { ...noTools, valueOf: () => 0.7 })
    expect(measured).toEqual({ status: "scored", row: 1 })
    expect(await metric.measure(sampleOf([]), answerOf("x"), noTools)).toMatchObject({ status: "unscored" })
  })

  it("leaves samples with fewer than k answers out and refuses an invalid k", () => {
    expect(passAtK({ k: 11 }).summarise(rowsOf(10, 3)).value).toBeNull()
    expect(() => passAtK({ k: 0 })).toThrow(/k must be/)
  })
})
