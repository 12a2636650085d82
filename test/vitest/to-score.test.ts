import { describe, expect, it } from "vitest"
import { column, contains, exactMatch, rouge, tokenF1, toolCorrectness } from "../../src/index.ts"
import "../../src/vitest.ts"

const failure = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "",
    (error: unknown) => (error as Error).message,
  )

describe("expect(answer).toScore", () => {
  it("passes where the answer scores what it must", async () => {
    await expect("Paris").toScore(exactMatch(), { atLeast: 1, reference: "Paris" })
    await expect("Paris").toScore(exactMatch(), { atLeast: 1, reference: ["Rome", "Paris"] })
    await expect("Rome").not.toScore(exactMatch(), { atLeast: 1, reference: "Paris" })
    await expect("It is Paris.").toScore(contains(), { atLeast: 1, atMost: 1, sample: { reference: "Paris" } })
    await expect({ text: "", toolCalls: [{ name: "search", arguments: {} }] }).toScore(toolCorrectness(), {
      atLeast: 1,
      sample: { expectedTools: [{ name: "search", arguments: {} }] },
    })
  })

  it("says the metric, its figure, the limit, the range and the texts where it does not", async () => {
    const message = await failure(expect("big cat").toScore(tokenF1(), { atLeast: 0.9, reference: "big dog" }))
    expect(message).toBe(
      'tokenF1 is 0.5, expected at least 0.9 (0 to 1, higher is better)\nanswer: "big cat"\nreference: "big dog"',
    )
    expect(await failure(expect("cat").toScore(tokenF1(), { atLeast: 0, atMost: 0.5, reference: "cat" }))).toContain(
      "tokenF1 is 1, expected at least 0 and at most 0.5",
    )
    expect(await failure(expect("cat").not.toScore(tokenF1(), { atLeast: 0.5, reference: "cat" }))).toContain(
      "expected not at least 0.5",
    )
    expect(
      (await failure(expect("x".repeat(9000)).toScore(tokenF1(), { atLeast: 1, reference: "y" }))).length,
    ).toBeLessThan(800)
  })

  it("fails with the reason where there is no score, with `not` as well", async () => {
    for (const expectation of [expect("Paris"), expect("Paris").not])
      expect(await failure(expectation.toScore(exactMatch(), { atLeast: 1 }))).toMatch(
        /^exactMatch has no score: .*reference/,
      )
    expect(await failure(expect("x").toScore(column({ column: "reward" }), { atLeast: 1 }))).toContain("has no score")
  })

  it("refuses a metric that is not called, no limit, a limit that it does not know, and something that is no answer", async () => {
    expect(await failure(expect("a").toScore(exactMatch as never, { atLeast: 1 }))).toContain("toScore needs a metric")
    expect(await failure(expect("a").toScore(exactMatch(), { reference: "a" }))).toContain("toScore needs a limit")
    expect(await failure(expect("a").toScore(rouge(), { atLest: 1 } as never))).toContain('did you mean "atLeast"?')
    expect(await failure(expect(3).toScore(rouge(), { atLeast: 1 }))).toContain("toScore needs an answer: got 3")
  })
})
