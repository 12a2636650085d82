import { expect, it } from "vitest"
import { passHatK } from "../../../metrics/consistency/pass-at-k.ts"
import { finalState } from "../../../metrics/episodes/final-state.ts"
import { exactMatch } from "../../../metrics/match/exact-match.ts"
import { episode } from "../../../src/config/episode.ts"
import type { TableData } from "../../../src/core/report/report-sections.ts"
import { tool } from "../../../src/providers/tools/tool.ts"
import { fakeAnswer, fakeProvider } from "../../support/fake-provider.ts"
import { testPrice } from "../../support/test-price.ts"
import { callsOf, runEpisodes } from "./episode-support.ts"

const price = testPrice(1_000_000, 0)

/** A row of a table by the titles of its columns; figures by their value. */
function byTitle({ columns, rows }: TableData, index = 0): Record<string, unknown> {
  const plain = (cell: unknown) =>
    typeof cell === "object" && cell !== null && "status" in cell
      ? cell.status === "known" && "value" in cell
        ? cell.value
        : "unknown"
      : cell
  return Object.fromEntries(columns.map(({ title }, i) => [title, plain(rows[index]?.[i])]))
}

it("shows what agents took and cost: model and tools apart, growth of the prompt, dollars per solved task, pass^k by task", async () => {
  // Four tasks, twice each: the even ones are solved at both tries, the odd ones at the first only.
  const rows = Array.from({ length: 4 }, (_, i) => ({ id: `s${i}`, input: `task ${i}` }))
  const provider = fakeProvider("m", ({ messages }, { repeat = 0 }) => {
    const made = messages.filter(({ role }) => role === "assistant").length
    const usage = {
      promptTokens: 10 * (made + 1),
      completionTokens: 1,
      cachedPromptTokens: null,
      reasoningTokens: null,
    }
    const odd = /[13]/.test(messages[0]?.content ?? "")
    if (made === 2 || (made === 0 && odd && repeat === 1)) return fakeAnswer("done", "ok", { usage })
    return callsOf([{ name: made === 0 ? "solve" : "gone", arguments: {} }], { usage })
  })
  const solve = tool({
    name: "solve",
    parameters: { type: "object" },
    async run(_given, { state }: { state: { solved: boolean } }) {
      await new Promise((resolve) => setTimeout(resolve, 30))
      state.solved = true
      return "ok"
    },
  })
  const { report, store } = await runEpisodes({
    rows,
    variants: [{ name: "m", provider, price, episode: episode({ tools: [solve], state: () => ({ solved: false }) }) }],
    metrics: [
      finalState({ name: "solved", success: (state) => (state as { solved: boolean }).solved }),
      passHatK({ k: 1, correct: "solved", name: "pass1" }),
      passHatK({ k: 2, correct: "solved", name: "pass2" }),
    ],
    config: { repeats: 2, axes: ["quality", "perCorrectUsd", "e2eMs.p95"] },
  })
  const section = report.sections.find(({ topic }) => topic === "episodes")
  expect(section?.sentences).toContain("Calls of tools by m: 6 ok, 6 unknown_tool.")
  // Its name says what it is, and its dollars are written as all others.
  expect(section?.sentences.join(" ")).not.toMatch(/Solved is what/)
  const columns = (section?.data as TableData | undefined)?.columns
  expect(columns?.find(({ title }) => title === "per solved task")?.unit).toBe("usd")
  const row = byTitle(section?.data as TableData)
  expect(row).toMatchObject({
    variant: "m",
    episodes: 8,
    solved: 0.75,
    // Six episodes of 10 + 20 + 30 prompt tokens and two of 10, a dollar each: 380 over six solved.
    "per solved task": 380 / 6,
    "answers, mean": (6 * 3 + 2) / 8,
    "calls of tools, mean": 12 / 8,
    "prompt tokens together, mean": 380 / 8,
    "of them cached, mean": "unknown",
    "last prompt over first, mean": 3,
    // Each fake answer takes 30 ms.
    "of the model, mean": (6 * 90 + 2 * 30) / 8,
  })
  expect(row["of the tools, mean"]).toBeGreaterThanOrEqual((6 * 29) / 8)
  expect(report.sections.some(({ topic }) => topic === "turns")).toBe(false)
  const quality = Object.fromEntries(report.variants[0]?.quality.map(({ metric, figure }) => [metric, figure]) ?? [])
  expect(quality.pass1).toMatchObject({
    status: "known",
    value: 0.75,
    method: expect.stringContaining("over 4 samples"),
  })
  expect(quality.pass2).toMatchObject({ status: "known", value: 0.5 })
  // Episodes of one answer failed, those of three succeeded.
  const steps = report.sections.find(({ topic }) => topic === "episode-steps")?.data as TableData
  expect([byTitle(steps), byTitle(steps, 1)]).toEqual([
    { variant: "m", answers: "1", episodes: 2, solved: 0 },
    { variant: "m", answers: "3", episodes: 6, solved: 1 },
  ])
  // All four tasks are solved in one of two tries, two of them in both; an episode costs 380 / 8.
  const tries = report.sections.find(({ topic }) => topic === "episode-tries")?.data as TableData
  expect([byTitle(tries), byTitle(tries, 1)]).toEqual([
    { variant: "m", k: 1, "pass@k": 0.75, "pass^k": 0.75, "k tries": 380 / 8 },
    { variant: "m", k: 2, "pass@k": 1, "pass^k": 0.5, "k tries": 380 / 4 },
  ])
  expect(tries.rows[1]?.[3]).toMatchObject({ n: 4, method: expect.stringContaining("over tasks") })
  expect(report.frontier?.axes.map(({ name, goal }) => [name, goal])).toEqual([
    ["quality", "maximize"],
    ["perCorrectUsd", "minimize"],
    ["e2eMs.p95", "minimize"],
  ])
  const [point] = report.frontier?.points ?? []
  expect(point?.values[1]).toBeCloseTo(380 / 6, 9)
  const { low, high } = point?.intervals?.[1] ?? { low: 0, high: 0 }
  expect(low).toBeLessThan(380 / 6)
  expect(high).toBeGreaterThan(380 / 6)
  store.close()
})

it("shows conversations turn by turn, and each answer fills the context window by itself", async () => {
  const provider = fakeProvider("m", ({ messages }) =>
    fakeAnswer("fine", "ok", {
      usage: {
        promptTokens: 300 * messages.length,
        completionTokens: 10,
        cachedPromptTokens: 100,
        reasoningTokens: null,
      },
    }),
  )
  const { report, store } = await runEpisodes({
    rows: ["s", "t", "u"].map((id) => ({ id, turns: ["one?", "two?"], reference: ["fine", "fine"] })),
    variants: [{ name: "m", provider: { ...provider, open: openWith(provider, 1024) } }],
    metrics: [exactMatch()],
  })
  const section = report.sections.find(({ topic }) => topic === "turns")
  // The first word of turn 2 came no later than that of turn 1: no sentence may say that it does.
  expect(section?.sentences.at(-1)).toMatch(/^Where a turn is answered with all that was said before it/)
  const turns = section?.data as TableData
  expect([byTitle(turns, 0), byTitle(turns, 1)]).toEqual([
    {
      variant: "m",
      turn: 1,
      answered: 3,
      "first token, median": 10,
      "whole turn, median": 30,
      "prompt tokens, mean": 300,
    },
    {
      variant: "m",
      turn: 2,
      answered: 3,
      "first token, median": 10,
      "whole turn, median": 30,
      "prompt tokens, mean": 900,
    },
  ])
  const use = report.variants[0]?.contextUse
  expect(use?.share.percentiles.at(-1)).toBeCloseTo(910 / 1024, 12)
  expect(use?.warnings).toEqual([])
  store.close()
})

function openWith(provider: ReturnType<typeof fakeProvider>, tokens: number): typeof provider.open {
  return async (context) => ({ ...(await provider.open(context)), contextWindow: () => Promise.resolve(tokens) })
}
