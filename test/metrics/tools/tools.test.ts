import { describe, expect, it } from "vitest"
import { argumentF1 } from "../../../metrics/tools/argument-f1.ts"
import { stepEfficiency } from "../../../metrics/tools/step-efficiency.ts"
import { taskCompletionCheck } from "../../../metrics/tools/task-completion.ts"
import { type ToolCorrectnessOptions, toolCorrectness } from "../../../metrics/tools/tool-correctness.ts"
import type { JsonValue } from "../../../src/core/json.ts"
import type { ToolCall } from "../../../src/core/message.ts"
import type { AnyMetric, Metric } from "../../../src/core/metric/metric.ts"
import type { Sample } from "../../../src/core/sample.ts"
import { answerOf, noTools, sampleOf } from "../lexical-fixtures.ts"

const call = (name: string, args: JsonValue = {}): ToolCall => ({ name, arguments: args })
const [a, b, c] = [call("search", { q: "a", limit: 5 }), call("open", { id: 1 }), call("close")]

async function score<Row>(
  metric: Metric<Row>,
  expectedTools: readonly ToolCall[],
  toolCalls: readonly ToolCall[],
  extra: Partial<Sample> = {},
): Promise<number | string | null> {
  const measured = await metric.measure(
    sampleOf([], { expectedTools, ...extra }),
    { ...answerOf("done"), toolCalls },
    noTools,
  )
  return measured.status === "scored" ? metric.value(measured.row) : measured.reason
}

describe("a sample that states that no call is expected", () => {
  const none = { empty: ["expectedTools"] as const }
  const metrics = [
    ...(["exact", "inOrder", "anyOrder", "unordered", "subset"] as const).map((match) => toolCorrectness({ match })),
    argumentF1(),
    stepEfficiency(),
  ] as AnyMetric[]
  it.each(metrics)("is answered rightly by none, and wrongly by any ($signature)", async (metric) => {
    expect([await score(metric, [], [], none), await score(metric, [], [a], none)]).toEqual([1, 0])
    expect(await score(metric, [], [])).toMatch(/names? no calls|no expected calls/)
  })
})

describe("toolCorrectness", () => {
  const table: [string, ToolCall[], ToolCall[], Record<NonNullable<ToolCorrectnessOptions["match"]>, number>][] = [
    ["the same calls", [a, b], [a, b], { exact: 1, inOrder: 1, anyOrder: 1, unordered: 1, subset: 1 }],
    ["a call between", [a, b], [a, c, b], { exact: 0, inOrder: 1, anyOrder: 1, unordered: 0, subset: 0 }],
    ["another order", [a, b], [b, a], { exact: 0, inOrder: 0, anyOrder: 1, unordered: 1, subset: 1 }],
    ["a missing call", [a, b], [a], { exact: 0, inOrder: 0, anyOrder: 0, unordered: 0, subset: 1 }],
    ["a repeated call", [a], [a, a], { exact: 0, inOrder: 1, anyOrder: 1, unordered: 0, subset: 0 }],
    ["no call", [a], [], { exact: 0, inOrder: 0, anyOrder: 0, unordered: 0, subset: 0 }],
    [
      "another argument",
      [a],
      [call("search", { q: "z", limit: 5 })],
      { exact: 0, inOrder: 0, anyOrder: 0, unordered: 0, subset: 0 },
    ],
  ]
  for (const [what, expected, made, scores] of table)
    it(`distinguishes ${what} by its matching`, async () => {
      for (const [match, value] of Object.entries(scores))
        expect([match, await score(toolCorrectness({ match: match as keyof typeof scores }), expected, made)]).toEqual([
          match,
          value,
        ])
    })

  it("accepts any order of an object's keys and refuses arguments that are not JSON", async () => {
    expect(await score(toolCorrectness(), [a], [call("search", { limit: 5, q: "a" })])).toBe(1)
    expect(await score(toolCorrectness(), [a], [call("search", '{"q": "a", limit')])).toBe(0)
    expect(await score(toolCorrectness({ arguments: "ignore" }), [a], [call("search", "{")])).toBe(1)
  })

  it("checks arguments against the tool's schema", async () => {
    const parameters = { type: "object", properties: { q: { type: "string" } }, required: ["q"] }
    const metric = toolCorrectness({ arguments: "schema", tools: [{ name: "search", parameters }] })
    expect(await score(metric, [a], [call("search", { q: "other" })])).toBe(1)
    expect(await score(metric, [a], [call("search", { q: 3 })])).toBe(0)
    expect(() => toolCorrectness({ arguments: "schema" })).toThrow(/need the tools/)
  })

  it("counts the calls of a whole conversation where asked", async () => {
    const input = [
      { role: "user", content: "find a" },
      { role: "assistant", content: "", toolCalls: [a] },
      { role: "tool", content: "1" },
    ] as const
    expect(await score(toolCorrectness({ turns: "conversation" }), [a, b], [b], { input })).toBe(1)
    expect(await score(toolCorrectness(), [a, b], [b], { input })).toBe(0)
  })

  it("names missing and extra calls, whatever they are called", async () => {
    const metric = toolCorrectness()
    const measured = await metric.measure(
      sampleOf([], { expectedTools: [a] }),
      { ...answerOf(""), toolCalls: [call("__proto__")] },
      noTools,
    )
    if (measured.status !== "scored") throw new Error(measured.reason)
    const { details } = metric.summarise([{ row: measured.row, sampleId: "s", repeat: 0 }])
    expect(details).toMatchObject({ precision: 0, recall: 0, missing: { search: 1 } })
  })

  it("is unscored where nothing is expected", async () => {
    expect(await score(toolCorrectness(), [], [a])).toMatch(/^no_expected_tools/)
  })
})

describe("argumentF1", () => {
  it("shares name and arguments one by one", async () => {
    expect(await score(argumentF1(), [a], [call("search", { q: "a", limit: 9 })])).toBeCloseTo(2 / 3, 12)
    expect(await score(argumentF1(), [a], [a])).toBe(1)
    expect(await score(argumentF1(), [a], [])).toBe(0)
  })

  it("pairs calls of one name so that most is shared", async () => {
    const other = call("search", { q: "b", limit: 1 })
    expect(await score(argumentF1(), [a, other], [other, a])).toBe(1)
  })

  it("survives arguments nested a million levels deep", async () => {
    let nested: JsonValue = 1
    for (let i = 0; i < 1e6; i++) nested = [nested]
    expect(await score(argumentF1(), [a], [call("search", nested)])).toBeCloseTo(2 / 4, 12)
  })
})

describe("stepEfficiency", () => {
  it("is the steps that suffice over the steps made", async () => {
    expect(await score(stepEfficiency(), [], [a, a, a, a, a], { metadata: { expectedSteps: 2 } })).toBe(0.4)
    expect(await score(stepEfficiency(), [a, b], [a])).toBe(1)
    expect(await score(stepEfficiency(), [a, b], [])).toBe(0)
    expect(await score(stepEfficiency(), [], [a])).toMatch(/^no_expected_steps/)
  })
})

describe("taskCompletionCheck", () => {
  it("checks the final state that a replay leaves behind", async () => {
    const metric = taskCompletionCheck({
      state: (_sample, { toolCalls }) => toolCalls.length,
      check: (state) => state === 2,
    })
    expect(await score(metric, [], [a, b])).toBe(1)
    expect(await score(metric, [], [a])).toBe(0)
  })

  it("leaves the answer unscored when the check itself fails", async () => {
    const broken = taskCompletionCheck({
      check: () => {
        throw new Error("no such table")
      },
    })
    expect(await score(broken, [], [])).toBe("check_failed: no such table")
    expect(await score(taskCompletionCheck({ check: () => 7 }), [], [])).toMatch(/not in 0..1/)
  })
})
