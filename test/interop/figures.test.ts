import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { figuresOf } from "../../benchmarks/foreign-logs/figures.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { logWriters, type TrueAnswer } from "./log-writers.ts"
import { readLog, writeLines } from "./support.ts"

/** Real files whose rows the script can sum; their own summaries are compared in fixtures.test.ts. */
const real = ["inspect/data_arc_qwen.json", "inspect/data_pubmedqa_gpt4o_mini.json"]
  .map((name) => join(process.env.EVALKIT_REFERENCE_DATA ?? "", "interop", name))
  .filter(existsSync)

describe("figures of every reader are those of the file's own rows", () => {
  it.each(Object.entries(logWriters))("%s", async (_, { write, metric, repeats, failures }) => {
    const answers = (i: number): readonly TrueAnswer[] => {
      const first: TrueAnswer = failures && i % 7 === 0 ? "failed" : i % 3 === 0 ? 0 : 1
      return repeats && i % 2 === 0 ? [first, 1] : [first]
    }
    const path = write(
      scratchDirectory(),
      Array.from({ length: 23 }, (_, id) => ({ id, answers: answers(id) })),
    )
    const figures = await figuresOf(path)
    expect(figures.map((figure) => figure.metric)).toContain(metric)
    for (const { evalkit, file } of figures) {
      expect(evalkit.n).toBe(file.n)
      expect(evalkit.mean).toBeCloseTo(file.mean, 12)
    }
  })

  it.each(real)("%s", async (path) => {
    const figures = await figuresOf(path)
    expect(figures.length).toBeGreaterThan(0)
    for (const { evalkit, file } of figures)
      expect([evalkit.n, evalkit.mean]).toEqual([file.n, expect.closeTo(file.mean, 12)])
  })
})

describe("comparisons of two answers", () => {
  it("AlpacaEval: a preference between 1 and 2 is the share of a win, 0 a tie, and none is unknown", async () => {
    const row = (preference: number | null) => ({
      ...{
        instruction: `q${preference}`,
        output_1: "a",
        generator_1: "old",
        output_2: "b",
        generator_2: "new",
        preference,
      },
      annotator: "weighted_alpaca_eval_gpt4_turbo",
    })
    const read = await readLog(writeLines(scratchDirectory(), "annotations.jsonl", [1, 2, 1.25, 0, 1.5, null].map(row)))
    const wins = (name: string) =>
      read?.records.filter(({ variant }) => variant === name).map(({ scores }) => scores.win)
    expect(read?.log.tool).toBe("alpaca-eval")
    expect(wins("new")).toEqual([0, 1, 0.25, 0.5, 0.5, { reason: "the annotator gave no preference" }])
    expect(wins("old")).toEqual([1, 0, 0.75, 0.5, 0.5, { reason: "the annotator gave no preference" }])
    const outputs = await readLog(
      writeLines(scratchDirectory(), "model_outputs.jsonl", [
        { instruction: "q", output: "a", generator: "new", dataset: "d" },
      ]),
    )
    expect(outputs?.records.map(({ variant, answer, scores }) => [variant, answer?.text, scores])).toEqual([
      ["new", "a", {}],
    ])
  })

  it("MT-bench: who wins both games has won, all else is a tie, an error of the judge unknown", async () => {
    const row = (g1: string, g2: string, id: number) => ({
      ...{
        question_id: id,
        model_1: "m",
        model_2: "n",
        g1_winner: g1,
        g2_winner: g2,
        judge: ["gpt-4", "pair-v2"],
        turn: 1,
      },
      g1_user_prompt:
        "[The Start of Assistant A's Answer]\none\n[The End of Assistant A's Answer]\n\n[The Start of Assistant B's Answer]\ntwo\n[The End of Assistant B's Answer]",
    })
    const games = [
      ["model_1", "model_1"],
      ["model_1", "model_2"],
      ["tie", "model_2"],
      ["model_2", "model_2"],
      ["error", "tie"],
    ] as const
    const rows = games.map(([first, second], i) => row(first, second, i))
    const read = await readLog(writeLines(scratchDirectory(), "gpt-4_pair.jsonl", rows))
    const wins = (name: string) =>
      read?.records.filter(({ variant }) => variant === name).map(({ scores }) => scores.win)
    expect(wins("m")).toEqual([1, 0.5, 0.5, 0, { reason: "the judge gave no winner" }])
    expect(wins("n")).toEqual([0, 0.5, 0.5, 1, { reason: "the judge gave no winner" }])
    expect(read?.records.slice(0, 2).map(({ answer }) => answer?.text)).toEqual(["one", "two"])
  })
})
