import { describe, expect, it } from "vitest"
import { exactMatch } from "../../../metrics/match/exact-match.ts"
import { episode } from "../../../src/config/episode.ts"
import { simulatedUser } from "../../../src/config/simulated-user.ts"
import { createRandom } from "../../../src/core/random.ts"
import type { TableData } from "../../../src/core/report/report-sections.ts"
import { fakeAnswer, fakeProvider } from "../../support/fake-provider.ts"
import { runEpisodes } from "./episode-support.ts"

/** A user whose mood its seed decides, and who says it. */
const moody = fakeProvider("user", ({ messages, parameters }) =>
  messages.length > 2 ? fakeAnswer("###STOP###") : fakeAnswer((parameters.seed ?? 0) % 2 === 0 ? "kind" : "cross"),
)

/** Right with so many of the kind and of the cross users, by chance of its own. */
function agent(name: string, chance: (mood: string) => number) {
  const random = createRandom(name)
  return fakeProvider(name, ({ messages }) =>
    fakeAnswer(random.next() < chance(messages.at(-1)!.content) ? "yes" : "no"),
  )
}

const rows = Array.from({ length: 40 }, (_, i) => ({ id: `t${i}`, goal: `task ${i}`, answer: "yes" }))

async function sectionOf(draws: number | undefined, repeats: number) {
  const user = simulatedUser({ provider: moody, goal: "{{goal}}", ...(draws && { draws }) })
  const design = episode({ user })
  const { report, store } = await runEpisodes({
    rows,
    variants: [
      { name: "old", provider: agent("old", (mood) => (mood === "kind" ? 0.95 : 0.05)), episode: design },
      { name: "new", provider: agent("new", () => 0.5), episode: design },
    ],
    metrics: [exactMatch()],
    config: { repeats, seed: 3 },
  })
  store.close()
  const section = report.sections.find((entry) => entry.kind === "table" && entry.topic === "users")!
  return { sentences: section.sentences.join("\n"), rows: (section.data as unknown as TableData).rows }
}

describe("the section of simulated users", { timeout: 180_000 }, () => {
  it("tells what is the users' from what is the variant's own, and plans repeats", async () => {
    const { sentences, rows: table } = await sectionOf(2, 4)
    expect(table.map(([of]) => of)).toEqual(["old", "new", "new − old"])
    const [old, young] = table as unknown as [
      string,
      number,
      number,
      ...{ value: number; low: number; high: number }[],
    ][]
    // Known: the user decides .45² of .25 for the old one, and nothing for the new one.
    expect(old!.slice(1, 3)).toEqual([40, 160])
    expect(old![4]!.low).toBeLessThan(0.2025)
    expect(old![4]!.high).toBeGreaterThan(0.2025)
    expect(old![5]!.value).toBeLessThan(0.1)
    expect(young![4]!.value).toBeLessThan(0.08)
    expect(young![5]!.value).toBeGreaterThan(0.15)
    expect(sentences).toMatch(/new − old: .*8 repeats of each task in place of 4|tasks differ in nothing that shows/)
  })

  it("says what is missing where no user was met twice, and where each task was done once", async () => {
    const own = await sectionOf(undefined, 2)
    expect(own.sentences).toContain("Each repeat met a user of its own: draws in simulatedUser(…) below the 2 repeats")
    expect(own.rows[0]![4]).toEqual({ status: "unknown", reason: expect.stringContaining("draws") })
    expect(own.rows[0]![6]).toMatchObject({ status: "known" })
    const once = await sectionOf(undefined, 1)
    expect(once.sentences).toContain("Each task was done once")
    expect(once.rows[0]![6]).toMatchObject({ status: "unknown" })
  })
})
