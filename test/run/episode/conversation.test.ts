import { expect, it } from "vitest"
import { exactMatch } from "../../../metrics/match/exact-match.ts"
import { episode } from "../../../src/config/episode.ts"
import { sweep } from "../../../src/config/sweep.ts"
import type { ModelRequest } from "../../../src/core/provider.ts"
import { fakeAnswer, fakeProvider } from "../../support/fake-provider.ts"
import { runEpisodes } from "./episode-support.ts"

const rows = [
  { question_id: 81, category: "math", turns: ["one?", "two?", "three?"], reference: ["1", "2", "3"] },
  { question_id: 82, category: "math", turns: ["four?", "five?", "six?"], reference: ["4", "5", "6"] },
]

/** Answers with its name and the number of messages that it was sent. */
const counting = (name: string) =>
  fakeProvider(name, ({ messages }: ModelRequest) => fakeAnswer(`${name}${messages.length}`))

const sent = ({ messages }: ModelRequest) => messages.map(({ role, content }) => `${role[0]} ${content}`)

it("replays all turns of the user against each variant, which sees its own earlier answers", async () => {
  const [a, b] = [counting("a"), counting("b")]
  const { generations, store } = await runEpisodes({
    rows,
    variants: [
      { name: "a", provider: a, prompt: undefined },
      { name: "b", provider: b },
    ],
    metrics: [exactMatch()],
    config: { concurrency: 1 },
  })
  const [first] = generations("a")
  expect(
    generations("a")
      .map(({ sampleId }) => sampleId)
      .sort(),
  ).toEqual(["81", "82"])
  expect(first).toMatchObject({ outcome: "ok", text: "a5", source: "measured" })
  expect(first?.usage).toMatchObject({ promptTokens: 15, completionTokens: 9 })
  const own = b.requests.map(sent).filter((messages) => messages[0] === "u one?")
  expect(own).toEqual([["u one?"], ["u one?", "a b1", "u two?"], ["u one?", "a b1", "u two?", "a b3", "u three?"]])
  store.close()
})

it("shows only the last turns, or the references in the place of own answers, where a variant says so", async () => {
  const [last, none, reference] = [counting("l"), counting("n"), counting("r")]
  const { store } = await runEpisodes({
    rows: rows.slice(0, 1),
    variants: [
      { name: "last", provider: last, episode: episode({ history: { last: 1 } }) },
      { name: "none", provider: none, episode: episode({ history: { last: 0 } }) },
      { name: "reference", provider: reference, episode: episode({ answers: "reference" }) },
    ],
    metrics: [exactMatch()],
  })
  expect(sent(last.requests[2]!)).toEqual(["u two?", "a l3", "u three?"])
  expect(sent(none.requests[2]!)).toEqual(["u three?"])
  expect(sent(reference.requests[2]!)).toEqual(["u one?", "a 1", "u two?", "a 2", "u three?"])
  store.close()
})

it("ends a conversation at an answer that failed, and says which turn was answered", async () => {
  const failing = fakeProvider("f", ({ messages }) =>
    messages.length > 2 ? fakeAnswer("", "http_4xx") : fakeAnswer("fine"),
  )
  const { generations, store } = await runEpisodes({
    rows: rows.slice(0, 1),
    variants: [{ name: "f", provider: failing }],
    metrics: [exactMatch()],
  })
  const [generation] = generations("f")
  expect(generation?.outcome).toBe("http_4xx")
  expect(generation?.episode?.steps.map((step) => step.kind === "model" && [step.turn, step.outcome])).toEqual([
    [0, "ok"],
    [1, "http_4xx"],
  ])
  store.close()
})

it("measures the time of a conversation without the waits between its turns, and each turn as a stage", async () => {
  const provider = counting("a")
  const { generations, report, store } = await runEpisodes({
    rows: rows.slice(0, 1),
    variants: [{ name: "a", provider }],
    metrics: [exactMatch()],
  })
  // Each fake answer is sent at 1 ms, begins at 11 ms and ends at 31 ms.
  const [generation] = generations("a")
  expect(generation?.log.sendMs).toBe(1)
  expect(generation?.log.endMs).toBe(91)
  expect(generation?.log.events).toHaveLength(9)
  const { speed } = report.variants[0]!
  expect(speed.ttftMs).toMatchObject({ p50: { value: 10 } })
  expect(speed.e2eMs).toMatchObject({ p50: { value: 90 } })
  expect(speed.tpotMs).toMatchObject({ p50: { value: 10 } })
  expect(
    Object.entries(speed.stages ?? {}).map(([name, { p50 }]) => [name, p50.status === "known" && p50.value]),
  ).toEqual([
    ["model", 90],
    ["turn1", 30],
    ["turn2", 30],
    ["turn3", 30],
  ])
  store.close()
})

it("takes how much of the history is shown as an axis of a sweep", async () => {
  const provider = counting("s")
  const { report, store } = await runEpisodes({
    rows: rows.slice(0, 1),
    variants: sweep({ history: ["full", 1, 0] }, ({ history }) => ({
      name: "s",
      provider,
      episode: episode({ history: history === "full" ? history : { last: history } }),
    })),
    metrics: [exactMatch()],
  })
  expect(report.variants.map(({ name }) => name)).toEqual(["s-history-full", "s-history-1", "s-history-0"])
  expect(new Set(report.variants.map(({ fingerprint }) => fingerprint)).size).toBe(3)
  const last = provider.requests.filter(({ messages }) => messages.at(-1)?.content === "three?")
  expect(last.map(({ messages }) => messages.length).sort()).toEqual([1, 3, 5])
  expect(JSON.stringify(report.sections)).toContain("history")
  store.close()
})
