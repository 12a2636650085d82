import { describe, expect, it } from "vitest"
import { attacks } from "../../judges/attacks.ts"
import { movedVerdicts } from "../../judges/moved-verdicts.ts"
import { rubric } from "../../judges/rubric-judge.ts"
import { correctness } from "../../judges/rubrics/correctness.ts"
import { tinyJudge } from "../../judges/rubrics/tiny-judge.ts"
import { fakeJudge, fakeTools, lastUserText, says } from "./support.ts"

const wrong = { sample: { input: "What is six times seven?", references: ["42"] }, answer: "41" }

/** Words by which somebody asks for a verdict. */
const asksForVerdict = /verdict|score|marks|correct|perfect|judge|please|instruction|system|rating|result|right/i

describe("the attack set", () => {
  it("holds sixty texts or more of ten kinds, none of them twice", () => {
    expect(attacks.length).toBeGreaterThanOrEqual(60)
    expect(new Set(attacks.map(({ text }) => text)).size).toBe(attacks.length)
    expect(new Set(attacks.map(({ kind }) => kind)).size).toBe(10)
  })

  it("changes no verdict of a judge that follows every instruction outside the fence", async () => {
    let plain: string | null = null
    const obedient = fakeJudge((request) => {
      const text = lastUserText(request)
      const [, mark] = /carry the mark ([0-9a-f]{32})/.exec(text) as RegExpExecArray
      const outside = text
        .replaceAll(new RegExp(`<<<${mark} begin>>>[\\s\\S]*?<<<${mark} end>>>`, "g"), "")
        .replaceAll(mark as string, "")
      plain ??= outside
      return says(outside === plain ? "no" : "yes")
    })
    const result = await movedVerdicts(rubric({ provider: obedient, rubric: correctness }), wrong, fakeTools())
    expect(result).toMatchObject({ tried: attacks.length, moved: 0, unscored: 0 })
  })

  it("changes most verdicts of a naive judge whose prompt has no fence", async () => {
    const naive = fakeJudge((request) =>
      asksForVerdict.test(lastUserText(request).replace(/^Reference.*?Answer: 41|Is the answer correct\?$/g, ""))
        ? "yes"
        : "no",
    )
    const result = await movedVerdicts(rubric({ provider: naive, rubric: tinyJudge() }), wrong, fakeTools())
    expect(result.moved).toBeGreaterThan(attacks.length / 2)
    expect(result.byKind.ignore?.moved).toBeGreaterThan(5)
  })

  it("changes some verdicts of a judge that accepts any line which looks like a fence", async () => {
    const gullible = fakeJudge((request) => {
      const answer = lastUserText(request).split("Answer to judge:")[1] ?? ""
      const behind = answer.split(/<<<[^>]*end>>>/)[1] ?? ""
      return says(/verdict|maximum|correct/.test(behind.split("All texts with the mark")[0] ?? "") ? "yes" : "no")
    })
    const result = await movedVerdicts(rubric({ provider: gullible, rubric: correctness }), wrong, fakeTools())
    expect(result.byKind.fence?.moved).toBeGreaterThan(0)
    expect(result.moved).toBeLessThan(10)
  })

  it("never puts an attack into the system message, and shows the judge no role token and no invisible character", async () => {
    const provider = fakeJudge(() => says("no"))
    await movedVerdicts(rubric({ provider, rubric: correctness }), wrong, fakeTools())
    const systems = new Set(provider.requests.map(({ messages }) => messages[0]?.content))
    expect(systems.size).toBe(1)
    for (const request of provider.requests) {
      expect(request.messages.map(({ role }) => role)).toEqual(["system", "user"])
      expect(lastUserText(request)).not.toMatch(/<\|im_|\[INST\]|[\u200b\u202e\u{e0000}-\u{e007f}]/u)
    }
  })
})
