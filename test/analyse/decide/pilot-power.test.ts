import { describe, expect, it } from "vitest"
import { inline } from "../../../datasets/inline.ts"
import { exactMatch } from "../../../metrics/match/exact-match.ts"
import { pilotPower } from "../../../src/analyse/decide/pilot-power.ts"
import { validateConfig } from "../../../src/config/validate.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { fakeAnswer, fakeProvider } from "../../support/fake-provider.ts"
import { runEvaluation } from "../../support/run-fixtures.ts"
import { scratchDirectory } from "../../support/scratch.ts"

describe("pilotPower", () => {
  it("says how surely the planned samples show that nothing is lost, by the rule that decides", async () => {
    const directory = scratchDirectory()
    const answers = (wrongEvery: number) => (request: { messages: readonly { content: string }[] }) =>
      fakeAnswer(Number(request.messages[0]?.content) % wrongEvery === 0 ? "no" : "yes")
    const evaluation = await validateConfig({
      name: "pilot",
      dataset: inline(Array.from({ length: 40 }, (_, i) => ({ id: `s${i}`, input: String(i), reference: "yes" }))),
      variants: [
        { name: "a", provider: fakeProvider("a", answers(5)) },
        { name: "b", provider: fakeProvider("b", answers(4)) },
      ],
      metrics: [exactMatch()],
      directory,
    })
    const store = openRunStore(directory)
    expect(pilotPower(store, evaluation, 40)).toBeNull()
    await runEvaluation({ evaluation, store, cacheDirectory: directory, id: "pilot1" })
    const power = pilotPower(store, { ...evaluation, margin: 0.01 }, 160)
    const more = pilotPower(store, { ...evaluation, margin: 0.2 }, 160)
    store.close()
    expect(power?.run).toBe("pilot1")
    expect(power?.candidates[0]).toMatchObject({ candidate: "b", metric: "exactMatch", alpha: 0.05 })
    // 14 of 40 answers changed: the margin of a point cannot be held by 160 samples, one of 20 points can.
    expect(power?.candidates[0]?.power).toBeLessThan(0.2)
    expect(power?.candidates[0]?.samplesNeeded).toBeGreaterThan(10_000)
    expect(more?.candidates[0]?.power).toBeGreaterThan(0.95)
    expect(more?.candidates[0]?.samplesNeeded).toBeNull()
  })
})
