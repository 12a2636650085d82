import { expect, it } from "vitest"
import { exactMatch } from "../../../metrics/match/exact-match.ts"
import { episode } from "../../../src/config/episode.ts"
import { toolSteps } from "../../../src/core/episode/episode.ts"
import { anthropic } from "../../../src/providers/anthropic.ts"
import { gemini } from "../../../src/providers/gemini.ts"
import { openai } from "../../../src/providers/openai.ts"
import { tool } from "../../../src/providers/tools/tool.ts"
import {
  anthropicTools,
  geminiTools,
  openaiTools,
  startToolService,
  type WrittenCall,
} from "../../support/mocks/tool-service.ts"
import { runEpisodes } from "./episode-support.ts"

const environment = { OPENAI_API_KEY: "key", ANTHROPIC_API_KEY: "key", GEMINI_API_KEY: "key" }
const shapes = [
  { name: "OpenAI", dialect: openaiTools, path: "/v1", provider: openai, streamsJson: true },
  { name: "Anthropic", dialect: anthropicTools, path: "", provider: anthropic, streamsJson: true },
  { name: "Gemini", dialect: geminiTools, path: "", provider: gemini, streamsJson: false },
] as const

const city = { type: "object", properties: { city: { type: "string" } }, required: ["city"] } as const
const tools = [
  tool({
    name: "weather",
    parameters: city,
    effects: "none",
    run: ({ city: name }) => ({ city: name ?? null, degrees: 21 }),
  }),
  tool({
    name: "throws",
    parameters: city,
    effects: "none",
    run: () => Promise.reject(new Error("the database is gone")),
  }),
  tool({ name: "hangs", parameters: city, effects: "none", timeoutMs: 30, run: () => new Promise(() => {}) }),
  tool({ name: "huge", parameters: city, maxResultCharacters: 1000, mock: "x".repeat(1_000_000) }),
]
const design = episode({ tools, maxSteps: 4 })
const rows = [{ id: "s", input: "go", reference: "done" }]
const call = (id: string, name: string, json = '{"city":"Oslo"}'): WrittenCall => ({ id, name, json })

it.each(shapes)("ends $name-shaped calls of every kind in a class of their own, and answers each", async (shape) => {
  const { dialect, path, provider, streamsJson } = shape
  const first = [
    call("a", "weather"),
    call("b", "weather", '{"city":"Łódź \\"x\\" {"}'),
    call("c", "nothing_of_the_kind"),
    call("d", "weather", '{"town":"Oslo"}'),
    call("e", "huge"),
    call("f", "hangs"),
    call("g", "throws"),
    // Broken off as models do: Gemini's service ends such an answer itself.
    ...(streamsJson ? [call("h", "weather", '{"city": "Os')] : []),
  ]
  const service = await startToolService(dialect, [first, [call("z", "weather")]])
  try {
    const { generations, store } = await runEpisodes({
      rows,
      variants: [
        {
          name: "m",
          price: null,
          provider: provider({ model: "m-1", baseUrl: `${service.baseUrl}${path}` }),
          episode: design,
        },
      ],
      metrics: [exactMatch()],
      options: { environment },
    })
    const [generation] = generations("m")
    expect(generation).toMatchObject({ outcome: "ok", text: "done", failure: null })
    const steps = toolSteps(generation?.episode?.steps ?? []).toSorted((a, b) => a.asked - b.asked || a.place - b.place)
    expect(steps.map(({ id, outcome }) => [id, outcome])).toEqual([
      ["a", "ok"],
      ["b", "ok"],
      ["c", "unknown_tool"],
      ["d", "invalid_arguments"],
      ["e", "too_large"],
      ["f", "timeout"],
      ["g", "error"],
      ...(streamsJson ? [["h", "malformed_arguments"]] : []),
      ["z", "ok"],
    ])
    expect(steps[1]?.arguments).toEqual({ city: 'Łódź "x" {' })
    expect(steps[4]).toMatchObject({ resultLength: 1_000_000 })
    expect(steps[4]?.result.length).toBeLessThan(1100)
    // What the service was given back is what is on record.
    const [asked, second] = service.bodies.map((body) => [dialect.offered(body), dialect.results(body)] as const)
    expect(asked).toEqual([tools.map(({ name }) => name), []])
    const input = new Map(second?.[1].map(({ id, text }) => [id, text]))
    expect([...input.keys()]).toEqual(first.map(({ id }) => id))
    expect(input.get("a")).toBe('{"city":"Oslo","degrees":21}')
    expect(input.get("c")).toContain("there is no tool")
    expect(input.get("e")).toContain("[cut: 1000 of 1000000 characters]")
    expect(generation?.usage).toMatchObject({ promptTokens: 60, completionTokens: 15 })
    store.close()
  } finally {
    await service.close()
  }
})

it("keeps an answer as malformed that Gemini's service ended because its call was no JSON", async () => {
  const service = await startToolService(geminiTools, [[call("a", "weather", '{"city": "Os')]])
  try {
    const { generations, store } = await runEpisodes({
      rows,
      variants: [
        { name: "m", price: null, provider: gemini({ model: "m-1", baseUrl: service.baseUrl }), episode: design },
      ],
      metrics: [exactMatch()],
      options: { environment },
    })
    const [generation] = generations("m")
    expect(generation).toMatchObject({ outcome: "malformed", failure: { code: "MALFORMED_FUNCTION_CALL" } })
    // Asked again, as every malformed answer is; each attempt is on record.
    expect(generation?.retries.map(({ outcome }) => outcome)).toEqual(["malformed", "malformed"])
    store.close()
  } finally {
    await service.close()
  }
})
