import { h } from "preact"
import { render } from "preact-render-to-string"
import { describe, expect, it } from "vitest"
import { StagePassages } from "../../../reports/app/samples/answer-parts.tsx"
import { sampleText } from "../../../reports/page/answer-text.ts"
import { pageLimits } from "../../../reports/page/limits.ts"
import type { ReportSample } from "../../../src/core/report/report-sample.ts"
import { fakeAnswer } from "../../support/fake-provider.ts"

const many = Array.from({ length: 30 }, (_, i) => ({ id: `d${i}`, text: "x".repeat(9000) }))
const generation = {
  ...fakeAnswer("Oslo"),
  variant: "v",
  sampleId: "s",
  repeat: 0,
  source: "measured",
  retries: [],
  returned: { stages: { retrieve: { passages: many }, rerank: { passages: ["<img src=x onerror=alert(1)>"] } } },
}
const sample = { id: "s", input: "?", references: [], context: [], choices: [], expectedTools: [], metadata: {} }
const textsOf = (lostAt?: string) =>
  sampleText(
    {
      sample,
      answers: [{ generation, values: {}, reasons: {}, ...(lostAt && { lostAt }) }],
    } as unknown as ReportSample,
    { variants: new Map([["v", 0]]), metrics: new Map() },
    pageLimits(10),
  ).answers[0]!.stagePassages!

describe("the passages of each stage in the page's sample", () => {
  it("are bounded in number and in length, and say how many there were", () => {
    const [retrieve, rerank] = textsOf()
    expect(retrieve).toMatchObject(["retrieve", { length: 20 }, 30, false])
    expect(retrieve![1][0]!.length).toBeLessThanOrEqual(4001)
    expect(retrieve![1][0]).toMatch(/^d0: x/)
    expect(rerank).toEqual(["rerank", ["<img src=x onerror=alert(1)>"], 1, false])
  })

  it("mark the stage after which the answer's passages were gone, and that one alone", () => {
    expect(textsOf("rerank").map(([stage, , , isLost]) => [stage, isLost])).toEqual([
      ["retrieve", false],
      ["rerank", true],
    ])
  })

  it("are shown as text, the stage that lost them open", () => {
    const html = render(h(StagePassages, { stages: textsOf("rerank") }))
    expect(html).toContain("&lt;img src=x")
    expect(html).not.toContain("<img")
    expect(html).toContain("and 10 more passages")
    expect(html.match(/<details open/g)).toHaveLength(1)
    expect(html.match(/lost here/g)).toHaveLength(1)
    expect(render(h(StagePassages, { stages: textsOf() }))).not.toContain("lost here")
  })
})
