import { expect, it } from "vitest"
import { z } from "zod"
import { exactMatch } from "../../../metrics/match/exact-match.ts"
import { episode } from "../../../src/config/episode.ts"
import { toolSteps } from "../../../src/core/episode/episode.ts"
import type { Generation } from "../../../src/core/generation.ts"
import { tool } from "../../../src/providers/tools/tool.ts"
import { fakeAnswer, fakeProvider } from "../../support/fake-provider.ts"
import { callsOf, runEpisodes } from "./episode-support.ts"

const rows = [{ id: "s", input: "go", reference: "done" }]
const ends = (generation: Generation | undefined) =>
  toolSteps(generation?.episode?.steps ?? []).map(({ name, outcome, result }) => [name, outcome, result])

/** Asks for these calls first and then answers. */
const calling = (...rounds: Parameters<typeof callsOf>[0][]) =>
  fakeProvider("m", ({ messages }) => {
    const made = messages.filter(({ role }) => role === "assistant").length
    const calls = rounds[made]
    return calls ? callsOf(calls) : fakeAnswer("done")
  })

it("calls the tools that the model asks for, keeps each step, and judges by the state that they left", async () => {
  const add = tool({
    name: "add",
    parameters: z.object({ item: z.string(), count: z.number().default(1) }),
    run: ({ item, count }, { state }: { state: Record<string, number> }) => {
      state[item] = (state[item] ?? 0) + count
      return { items: Object.keys(state).length }
    },
  })
  const provider = calling(
    [{ name: "add", arguments: { item: "pen" }, id: "x" }],
    [
      { name: "add", arguments: { item: "pen", count: 2 }, id: "x" },
      { name: "add", arguments: { item: "ink" }, id: "x" },
    ],
  )
  const { generations, report, store } = await runEpisodes({
    rows,
    variants: [{ name: "m", provider, episode: episode({ tools: [add], state: () => ({}) }) }],
    metrics: [exactMatch()],
  })
  const [generation] = generations("m")
  expect(generation).toMatchObject({ outcome: "ok", text: "done", episode: { state: { pen: 3, ink: 1 }, turns: 1 } })
  expect(generation?.toolCalls.map(({ arguments: input }) => input)).toEqual([
    { item: "pen" },
    { item: "pen", count: 2 },
    { item: "ink" },
  ])
  expect(ends(generation)).toEqual([
    ["add", "ok", '{"items":1}'],
    ["add", "ok", '{"items":1}'],
    ["add", "ok", '{"items":2}'],
  ])
  // Calls of one answer have ids of their own, and results name them.
  const last = provider.requests.at(-1)?.messages ?? []
  expect(last.map(({ role, toolCallId }) => [role, toolCallId])).toEqual([
    ["user", undefined],
    ["assistant", undefined],
    ["tool", "x"],
    ["assistant", undefined],
    ["tool", "x"],
    ["tool", "call_2_1"],
  ])
  expect(provider.requests[0]?.parameters.tools).toEqual([
    { name: "add", parameters: expect.objectContaining({ type: "object", required: ["item"] }) },
  ])
  expect(Object.keys(report.variants[0]?.speed.stages ?? {})).toEqual(["model", "tools"])
  store.close()
})

it("ends every call in one class, tells the model, and goes on", async () => {
  const object = { type: "object", properties: { n: { type: "number" } }, required: ["n"] } as const
  const tools = [
    tool({ name: "fine", parameters: object, mock: { value: 1 } }),
    tool({
      name: "throws",
      parameters: object,
      effects: "none",
      run: () => Promise.reject(new Error("no such table")),
    }),
    tool({ name: "hangs", parameters: object, effects: "none", timeoutMs: 20, run: () => new Promise(() => {}) }),
    tool({ name: "large", parameters: object, maxResultCharacters: 5, mock: "123456789" }),
    tool({ name: "taped", parameters: object, recorded: [{ arguments: { n: 1 }, result: "one" }] }),
    tool({ name: "broken", parameters: object, mock: 1, faults: { share: 1 } }),
  ]
  const calls = ["fine", "throws", "hangs", "large", "taped", "broken", "absent"]
  const provider = calling([
    ...calls.map((name) => ({ name, arguments: { n: 1 } })),
    { name: "fine", arguments: '{"n": 1' },
    { name: "fine", arguments: {} },
    { name: "taped", arguments: { n: 2 } },
  ])
  const { generations, store } = await runEpisodes({
    rows,
    variants: [{ name: "m", provider, episode: episode({ tools }) }],
    metrics: [exactMatch()],
  })
  const [generation] = generations("m")
  expect(generation?.outcome).toBe("ok")
  const steps = toolSteps(generation?.episode?.steps ?? []).toSorted((a, b) => a.place - b.place)
  expect(steps.map(({ name, outcome, result }) => [name, outcome, result.slice(0, 70)])).toEqual([
    ["fine", "ok", '{"value":1}'],
    ["throws", "error", '{"error":"no such table"}'],
    ["hangs", "timeout", '{"error":"the tool did not answer within 0.02 s"}'],
    ["large", "too_large", "12345\n[cut: 5 of 9 characters]"],
    ["taped", "ok", "one"],
    ["broken", "injected_error", '{"error":"the service is not available"}'],
    ["absent", "unknown_tool", '{"error":"there is no tool \\"absent\\"; the tools are fine, throws, han'],
    ["fine", "malformed_arguments", '{"error":"the arguments are not JSON; send one JSON object"}'],
    ["fine", "invalid_arguments", '{"error":"arguments: must have required property \'n\'"}'],
    ["taped", "no_recording", '{"error":"no answer is recorded for these arguments"}'],
  ])
  expect(provider.requests[1]?.messages.slice(2).map(({ content }) => content)).toEqual(
    steps.map(({ result }) => result),
  )
  store.close()
})

it("stops a model that calls tools without end, and the answer counts as one", async () => {
  const provider = fakeProvider("m", () => callsOf([{ name: "look", arguments: {} }]))
  const look = tool({ name: "look", parameters: { type: "object" }, mock: "nothing" })
  const { generations, report, store } = await runEpisodes({
    rows,
    variants: [{ name: "m", provider, episode: episode({ tools: [look], maxSteps: 3 }) }],
    metrics: [exactMatch()],
  })
  const [generation] = generations("m")
  expect(provider.requests).toHaveLength(3)
  expect(generation).toMatchObject({
    outcome: "step_limit",
    failure: { message: expect.stringContaining("answer number 3") },
  })
  expect(toolSteps(generation?.episode?.steps ?? [])).toHaveLength(3)
  // It is scored: the model's own doing, and not a missing value.
  expect(report.variants[0]?.quality[0]?.figure).toMatchObject({ status: "known", value: 0, n: 1 })
  // And it took its time: leaving it out would make agents that give up look fast.
  expect(report.variants[0]?.speed.e2eMs.p50).toMatchObject({ status: "known", n: 1 })
  store.close()
})

it("runs calls side by side that change nothing, and one after the other where one does", async () => {
  let inFlight = 0
  const most: Record<string, number> = {}
  const waits = (name: string, effects: "none" | "state") =>
    tool({
      name,
      parameters: { type: "object" },
      effects,
      async run() {
        inFlight++
        most[name] = Math.max(most[name] ?? 0, inFlight)
        await new Promise((resolve) => setTimeout(resolve, 20))
        inFlight--
        return "ok"
      },
    })
  const provider = calling(
    [1, 2, 3].map(() => ({ name: "reads", arguments: {} })),
    [1, 2, 3].map(() => ({ name: "writes", arguments: {} })),
  )
  const { generations, store } = await runEpisodes({
    rows,
    variants: [
      { name: "m", provider, episode: episode({ tools: [waits("reads", "none"), waits("writes", "state")] }) },
    ],
    metrics: [exactMatch()],
  })
  expect(most).toEqual({ reads: 3, writes: 1 })
  const [generation] = generations("m")
  const toolMs = (generation?.log.stages ?? [])
    .filter(({ name }) => name === "tools")
    .map(({ startMs, endMs }) => endMs - startMs)
  const sum = (name: string) =>
    toolSteps(generation?.episode?.steps ?? []).reduce(
      (ms, step) => ms + (step.name === name ? step.endMs - step.startMs : 0),
      0,
    )
  // Side by side, the time in which one was under way; one after the other, that of all three.
  expect(toolMs[0]).toBeLessThan(sum("reads"))
  expect(toolMs[1]).toBeCloseTo(sum("writes"), 1)
  store.close()
})

it("gives each variant the same made-up errors, and the tool no answer key", async () => {
  const seen: unknown[] = []
  const flaky = tool({
    name: "flaky",
    parameters: { type: "object" },
    faults: { share: 0.5 },
    effects: "none",
    run: (_given, { sample }) => {
      seen.push(sample)
      return "fine"
    },
  })
  const many = Array.from({ length: 12 }, (_, i) => ({ id: `s${i}`, input: "go", reference: "secret" }))
  const variants = ["a", "b"].map((name) => ({
    name,
    provider: calling([{ name: "flaky", arguments: {} }]),
    episode: episode({ tools: [flaky] }),
  }))
  const { generations, store } = await runEpisodes({ rows: many, variants, metrics: [exactMatch()] })
  const classes = (name: string) =>
    Object.fromEntries(
      generations(name).map(({ sampleId, episode: made }) => [sampleId, toolSteps(made?.steps ?? [])[0]?.outcome]),
    )
  expect(classes("a")).toEqual(classes("b"))
  expect(new Set(Object.values(classes("a")))).toEqual(new Set(["ok", "injected_error"]))
  expect(JSON.stringify(seen)).not.toContain("secret")
  store.close()
})

it("gives a service back what it gave with a call", async () => {
  const look = tool({ name: "look", parameters: { type: "object" }, effects: "none", run: () => "seen" })
  const provider = calling([{ name: "look", arguments: {}, id: "x", thought: "EqQB" }])
  const { store } = await runEpisodes({
    rows,
    variants: [{ name: "v", provider, episode: episode({ tools: [look] }) }],
    metrics: [exactMatch()],
  })
  expect(provider.requests[1]?.messages[1]?.toolCalls).toEqual([
    { name: "look", arguments: {}, id: "x", thought: "EqQB" },
  ])
  store.close()
})
