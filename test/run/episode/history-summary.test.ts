import { describe, expect, it } from "vitest"
import { exactMatch } from "../../../metrics/match/exact-match.ts"
import { episode } from "../../../src/config/episode.ts"
import { sweep } from "../../../src/config/sweep.ts"
import type { HistoryPolicy } from "../../../src/core/episode/design.ts"
import { summarySteps } from "../../../src/core/episode/episode.ts"
import type { Generation } from "../../../src/core/generation.ts"
import type { ModelRequest } from "../../../src/core/provider.ts"
import { fakeAnswer, fakeProvider } from "../../support/fake-provider.ts"
import { scratchStore } from "../../support/scratch-store.ts"
import { runEpisodes } from "./episode-support.ts"

const rows = [{ id: "talk", turns: ["I am Ada.", "My cat is Bo.", "It is ill.", "What is my cat's name?"] }]
const agent = () => fakeProvider("agent", ({ messages }) => fakeAnswer(`heard ${messages.length}`))
/** Notes the user's words that it is shown, so that a test can see what a summary is made of. */
const noter = () =>
  fakeProvider("noter", ({ messages }) => {
    const shown = messages[1]!.content
    const texts = [...shown.matchAll(/begin>>>\n([\s\S]*?)\n<<</g)].map(([, text]) => text)
    return fakeAnswer(`notes(${texts.join("; ")})`)
  })
const price = { kind: "tokens", inputPerMillion: 1, outputPerMillion: 1, cachedInputPerMillion: null } as const
const priced = { price: { ...price, source: "test", date: "2026-01-01" } }
const said = ({ messages }: ModelRequest) => messages.map(({ role, content }) => `${role[0]} ${content}`)
const summaries = (generation: Generation | undefined) =>
  summarySteps(generation?.episode?.steps ?? []).map(({ turn, until, text }) => [turn, until, text])

describe("a history with a summary", () => {
  it("shows the last turns, and before them a summary of the others that grows turn by turn", async () => {
    const [entry, notes] = [agent(), noter()]
    const history: HistoryPolicy = { last: 1, summary: { provider: notes } }
    const { generations, store, record } = await runEpisodes({
      rows,
      variants: [{ name: "v", provider: entry, episode: episode({ history }), ...priced }],
      metrics: [exactMatch()],
    })
    expect(entry.requests.map(said)).toEqual([
      ["u I am Ada."],
      ["u I am Ada.", "a heard 1", "u My cat is Bo."],
      ["u What was said before, in short:\nnotes(I am Ada.; heard 1)\n\nMy cat is Bo.", "a heard 3", "u It is ill."],
      [
        "u What was said before, in short:\nnotes(notes(I am Ada.; heard 1); My cat is Bo.; heard 3)\n\nIt is ill.",
        "a heard 3",
        "u What is my cat's name?",
      ],
    ])
    expect(summaries(generations("v")[0])).toEqual([
      [2, 1, "notes(I am Ada.; heard 1)"],
      [3, 2, "notes(notes(I am Ada.; heard 1); My cat is Bo.; heard 3)"],
    ])
    expect(notes.requests[0]?.parameters).toMatchObject({ temperature: 0, maxTokens: 256 })
    expect([...store.modelCalls(record.id)].map(({ purpose }) => purpose)).toEqual([
      "history summary",
      "history summary",
    ])
    store.close()
  })

  it("books its calls apart, and asks for an equal summary once for all variants", async () => {
    const notes = fakeProvider("noter", () => fakeAnswer("notes"), priced)
    const history: HistoryPolicy = { last: 0, summary: { provider: notes } }
    const { report, store } = await runEpisodes({
      rows,
      variants: ["one", "two"].map((name) => ({
        name,
        provider: fakeProvider(name, () => fakeAnswer("yes")),
        episode: episode({ history }),
        ...priced,
      })),
      metrics: [exactMatch()],
      config: { concurrency: 1 },
    })
    // Turns 2, 3 and 4 see a summary; both variants said the same.
    expect(notes.requests).toHaveLength(3)
    const section = report.sections.find(({ topic }) => topic === "episodes")
    expect(section?.sentences.join("\n")).toContain("were summed up 6 times in 3 requests, for $0.000024")
    // Four answers of 5 and 3 tokens each, and no summary.
    for (const { cost } of report.variants) expect(cost.totalUsd).toMatchObject({ value: 4 * 8e-6 })
    for (const { judgeUsd } of report.variants.map(({ cost }) => cost)) expect(judgeUsd?.status).not.toBe("known")
    store.close()
  })

  it("ends the episode where it fails, says why, and asks again when the run is resumed", async () => {
    let isDown = true
    const notes = fakeProvider("noter", () =>
      isDown ? fakeAnswer("", "http_4xx", { failure: { message: "no such model" } }) : fakeAnswer("notes"),
    )
    const entry = agent()
    const history: HistoryPolicy = { last: 0, summary: { provider: notes } }
    const store = scratchStore()
    const run = {
      rows,
      variants: [{ name: "v", provider: entry, episode: episode({ history }) }],
      metrics: [exactMatch()],
      store,
    }
    const first = await runEpisodes(run)
    expect(first.generations("v")[0]).toMatchObject({
      outcome: "application_error",
      failure: { message: "the summary of what came before turn 2: no such model" },
    })
    isDown = false
    const asked = entry.requests.length
    const second = await runEpisodes({ ...run, options: { resume: first.record.id } })
    expect(second.generations("v")[0]).toMatchObject({ outcome: "ok", text: "heard 1", episode: { turns: 4 } })
    // The first turn was answered before: it is not asked again.
    expect(entry.requests.length - asked).toBe(3)
  })

  it("is an axis of a sweep beside the other policies", async () => {
    const policies: Record<string, HistoryPolicy> = {
      full: "full",
      last: { last: 1 },
      summary: { last: 1, summary: { provider: noter() } },
    }
    const remembers = fakeProvider("p", ({ messages }) => {
      const all = messages.map(({ content }) => content).join(" ")
      return fakeAnswer(all.includes("name?") ? (/cat is (\w+)/.exec(all)?.[1] ?? "unknown") : "I see.")
    })
    const { report, store } = await runEpisodes({
      rows: ["Bo", "Mia", "Tom"].map((name) => ({
        id: name,
        turns: [`My cat is ${name}.`, "It is ill.", "What can I do?", "What is its name?"],
        reference: name,
      })),
      variants: [
        ...sweep({ history: ["full", "last", "summary"] }, ({ history }) => ({
          name: "v",
          provider: remembers,
          episode: episode({ history: policies[history]! }),
        })),
      ],
      metrics: [exactMatch()],
    })
    const right = report.variants.map(({ name, quality }) => {
      const figure = quality[0]?.figure
      return [name, figure?.status === "known" ? figure.value : null]
    })
    expect(right).toEqual([
      ["v-history-full", 1],
      ["v-history-last", 0],
      ["v-history-summary", 1],
    ])
    expect(JSON.stringify(report.sections.find(({ kind }) => kind === "levels"))).toContain("history")
    store.close()
  })

  it.each([
    [{ last: 1, summary: {} }, "history.summary.provider: expected a provider"],
    [{ last: 1, summary: { provider: agent(), maxCharacters: 0 } }, "maxCharacters: expected a whole number"],
    [{ last: 1, summary: { provider: agent(), lenght: 3 } }, "lenght"],
    [{ summary: { provider: agent() } }, "history: expected"],
  ])("refuses %j", (history, message) => {
    expect(() => episode({ history: history as HistoryPolicy })).toThrow(message)
  })
})
