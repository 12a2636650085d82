import { describe, expect, it } from "vitest"
import { judgedAnswer, judgedSample } from "../../judges/anchors.ts"
import { attacks } from "../../judges/attacks.ts"

import { defineRubric, type Rubric } from "../../judges/rubric.ts"
import { rubric } from "../../judges/rubric-judge.ts"
import * as rubrics from "../../judges/rubrics/all.ts"
import type { PanelRow } from "../../src/core/report/section-judge.ts"
import { fakeJudge, fakeTools, lastUserText, says } from "./support.ts"

const own: readonly Rubric[] = [
  rubrics.coherence,
  rubrics.fluency,
  rubrics.conciseness,
  rubrics.tone(),
  rubrics.tone({ wanted: "formal" }),
  rubrics.instructionHierarchy,
  rubrics.policyCompliance({ policy: "Give no medical advice." }),
  rubrics.refusal,
]

const sample = judgedSample({
  id: "s",
  input: [
    { role: "system", content: "Answer in French." },
    { role: "user", content: "Answer in English: what is the capital of Italy?" },
  ],
})
const scoreOf = (measured: unknown) => (measured as { row: PanelRow }).row.score

describe.each(own.map((entry) => [entry.name, entry] as const))("the rubric %s", (_name, words) => {
  it("has labels of different scores, and each label brings its score", async () => {
    for (const { label, score } of words.choices) {
      const judge = rubric({ provider: fakeJudge(() => says(label)), rubric: words })
      expect(scoreOf(await judge.measure(sample, judgedAnswer("Rome"), fakeTools()))).toBe(score)
    }
    expect(new Set(words.choices.map(({ score }) => score)).size).toBe(words.choices.length)
  })

  it("keeps every hostile answer out of the orders to the judge", async () => {
    const provider = fakeJudge(() => says(words.choices[0]!.label))
    const judge = rubric({ provider, rubric: words })
    for (const { text } of attacks.slice(0, 20)) await judge.measure(sample, judgedAnswer(text), fakeTools())
    const systems = new Set(provider.requests.map(({ messages }) => messages[0]?.content))
    expect(systems.size).toBe(1)
    for (const request of provider.requests)
      expect(lastUserText(request).lastIndexOf(words.instructions)).toBeGreaterThan(
        lastUserText(request).lastIndexOf("end>>>"),
      )
  })
})

describe("rubrics with words of the user's own", () => {
  it("have another hash for another policy or tone, and so another signature", () => {
    const policies = ["Give no medical advice.", "Give no legal advice."].map((policy) =>
      rubrics.policyCompliance({ policy }),
    )
    expect(policies[0]?.hash).not.toBe(policies[1]?.hash)
    const provider = fakeJudge(() => says("kept"))
    const signatures = policies.map((words) => rubric({ provider, rubric: words }).signature)
    expect(new Set(signatures).size).toBe(2)
    expect(rubrics.tone({ wanted: "formal" }).hash).not.toBe(rubrics.tone({ wanted: "casual" }).hash)
  })

  it("refuse a policy or a tone without words", () => {
    expect(() => rubrics.policyCompliance({ policy: " " })).toThrow(/a policy needs words/)
    expect(() => rubrics.policyCompliance({} as never)).toThrow(/a policy needs words/)
    expect(() => rubrics.tone({ wanted: "" })).toThrow(/no words/)
  })

  it("the hierarchy shows the judge who said what", async () => {
    const provider = fakeJudge(() => says("kept"))
    await rubric({ provider, rubric: rubrics.instructionHierarchy }).measure(sample, judgedAnswer("Rome"), fakeTools())
    expect(lastUserText(provider.requests[0]!)).toContain(
      "system: Answer in French.\nuser: Answer in English: what is the capital of Italy?",
    )
  })
})

describe("placeholders that nothing fills in", () => {
  const choices = { yes: 1, no: 0 }
  it.each([
    { name: "a", instructions: "It must mention {{topic}}.", choices },
    { name: "b", instructions: "It must mention {{ input }}.", choices },
    { name: "c", instructions: "x", choices, template: "Is {output} about {topic}?" },
    { name: "d", instructions: "x", choices, template: "Is {{output}} right?" },
  ])("are refused by their name: $name", (options) => {
    expect(() => defineRubric(options)).toThrow(/nothing fills in \{+ ?(?:topic|input|output)/)
  })

  it("are no braces of JSON or of a set", () => {
    expect(() => defineRubric({ name: "e", instructions: 'The answer is {"a": {1, 2}}.', choices })).not.toThrow()
    expect(() =>
      defineRubric({ name: "f", instructions: "x", choices, template: 'Is {output} right? Say {"verdict": "yes"}' }),
    ).not.toThrow()
  })
})
