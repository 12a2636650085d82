import { describe, expect, it } from "vitest"
import { attacks } from "../../../judges/attacks.ts"
import { unsupportedClaims } from "../../../metrics/hallucination/claims.ts"
import { judgedAnswerRelevancy } from "../../../metrics/judged/answer-relevancy.ts"
import { judgedContextPrecision } from "../../../metrics/judged/context-precision.ts"
import { judgedContextRecall } from "../../../metrics/judged/context-recall.ts"
import { judgedContextRelevancy } from "../../../metrics/judged/context-relevancy.ts"
import { judgedFaithfulness } from "../../../metrics/judged/faithfulness.ts"
import type { JudgedMetricOptions, JudgedRow } from "../../../metrics/judged/judged-metric.ts"
import { judgedNoiseSensitivity } from "../../../metrics/judged/noise-sensitivity.ts"
import { answerRelevancy } from "../../../metrics/retrieval/answer-relevancy.ts"
import type { Answer } from "../../../src/core/generation.ts"
import type { AnyMetric, Measured } from "../../../src/core/metric/metric.ts"
import type { Sample } from "../../../src/core/sample.ts"
import { fakeJudge, fakeTools, lastUserText } from "../../judges/support.ts"
import { fakeAnswer } from "../../support/fake-provider.ts"
import { answerOf, sampleOf } from "../lexical-fixtures.ts"
import { stubEmbedder } from "../semantic/stub-embedder.ts"

const context = ["Ada was born in London. She was a poet's daughter.", "London lies on the Thames."]
const full = sampleOf(["Ada was born in London in 1815."], { input: "Where was Ada born?", context })
const embedder = stubEmbedder({ "Where was Ada born?": [1, 0], "Where?": [0.6, 0.8], "Ada was born.": [1, 0] })

const makers: Readonly<Record<string, (options: JudgedMetricOptions) => AnyMetric>> = {
  judgedAnswerRelevancy: (options) => judgedAnswerRelevancy({ ...options, embedder }) as AnyMetric,
  judgedContextPrecision: (options) => judgedContextPrecision(options) as AnyMetric,
  judgedContextRecall: (options) => judgedContextRecall(options) as AnyMetric,
  judgedContextRelevancy: (options) => judgedContextRelevancy(options) as AnyMetric,
  judgedFaithfulness: (options) => judgedFaithfulness(options) as AnyMetric,
  judgedNoiseSensitivity: (options) => judgedNoiseSensitivity(options) as AnyMetric,
}
const names = Object.keys(makers)

/** A reply that every one of them can read, so that no kind of question is left without an answer. */
const goodReply = JSON.stringify({
  verdicts: [
    { passage: 1, useful: true },
    { passage: 2, useful: false },
  ],
  claims: [{ claim: "Ada was born in London", sentence: 1, supported: true, sources: [1] }],
  needed: [1],
  questions: [{ question: "Where?", noncommittal: false }],
})

const measure = (
  name: string,
  reply: string | Answer | ((prompt: string) => string),
  { sample = full, answer = "Ada was born in London." }: { sample?: Sample; answer?: string } = {},
) => {
  const provider = fakeJudge((request) => (typeof reply === "function" ? reply(lastUserText(request)) : reply))
  const measured = makers[name]!({ provider }).measure(sample, answerOf(answer), fakeTools())
  return Promise.resolve(measured).then((result) => ({ result, provider }))
}
const reasonOf = (measured: Measured<unknown>) => (measured.status === "unscored" ? measured.reason : "scored")

describe.each(names)("%s", (name) => {
  it("scores a good reply, and says what it asks whom with", async () => {
    const { result, provider } = await measure(name, goodReply)
    const { checks } = (result as { row: JudgedRow }).row
    expect(checks.length).toBeGreaterThan(0)
    for (const { said, of } of checks) expect(`${said}: ${of}`).toMatch(/^\S.*: \S/)
    const metric = makers[name]!({ provider })
    expect(metric.asks).toHaveLength(provider.requests.length)
    expect(metric.asksWith?.[0]).toMatchObject({ temperature: 0, jsonSchema: { schema: { type: "object" } } })
  })

  it.each([
    ["words", "I would say yes."],
    ["nothing", ""],
    ["another form", '{"result": [1, 2]}'],
    ["half a reply", '{"claims": [{"claim": "x"}], "verdicts": [{"passage": 1}], "needed": [99], "questions": [{}]}'],
    ["null", "null"],
  ])("is unscored, never 0, for a reply of %s", async (_kind, reply) => {
    const { result } = await measure(name, reply)
    expect(reasonOf(result)).toMatch(/^(judge|claims)_unparseable/)
  })

  it("is unscored with the class of the failure where no reply came", async () => {
    const { result } = await measure(name, fakeAnswer("", "timeout_total"))
    expect(reasonOf(result)).toMatch(/^(judge|claims)_failed: timeout_total/)
  })

  it("takes hostile answers, passages and references as material", async () => {
    for (const { text } of attacks.filter((_, i) => i % 6 === 0)) {
      const sample = { ...full, context: [text, ...context.slice(1)], references: [text] }
      const { provider } = await measure(name, goodReply, { sample, answer: text })
      for (const { messages } of provider.requests) {
        expect(messages[0]?.content).not.toContain(text)
        const user = messages[1]?.content ?? ""
        expect(user.lastIndexOf("was an instruction")).toBeGreaterThan(user.lastIndexOf(text.slice(0, 10)))
      }
    }
  })

  it("has another signature for another model, and refuses options that it does not have", () => {
    const signatures = ["judge-a", "judge-b"].map((model) => makers[name]!({ provider: fakeJudge(() => "", model) }))
    expect(new Set(signatures.map(({ signature }) => signature)).size).toBe(2)
    expect(() => makers[name]!({ provider: fakeJudge(() => ""), model: "x" } as never)).toThrow(/model/)
  })
})

describe("what a judged metric needs", () => {
  it.each([
    ["judgedContextPrecision", { context: [] }, /^no_context/],
    ["judgedContextPrecision", { references: [] }, /^no_reference/],
    ["judgedContextRecall", { references: [] }, /^no_reference/],
    ["judgedContextRecall", { context: [] }, /^no_context/],
    ["judgedContextRelevancy", { input: null }, /^no_input/],
    ["judgedContextRelevancy", { context: [" "] }, /^no_context/],
    ["judgedFaithfulness", { context: [] }, /^no_context/],
    ["judgedNoiseSensitivity", { references: [] }, /^no_reference/],
    ["judgedAnswerRelevancy", { input: null }, /^no_input/],
  ] as const)("%s without it asks nobody: %j", async (name, lacks, reason) => {
    const { result, provider } = await measure(name, goodReply, { sample: { ...full, ...lacks } })
    expect(reasonOf(result)).toMatch(reason)
    expect(provider.requests).toHaveLength(0)
  })

  it.each(["judgedContextRecall", "judgedFaithfulness", "judgedNoiseSensitivity"])(
    "%s is unscored where the judge finds no claim",
    async (name) => {
      expect(reasonOf((await measure(name, '{"claims": []}')).result)).toMatch(/^no_claims/)
    },
  )

  it("an empty answer is relevant to nothing, and nobody is asked", async () => {
    const { result, provider } = await measure("judgedAnswerRelevancy", goodReply, { answer: " " })
    expect(result).toMatchObject({ row: { value: 0 } })
    expect(provider.requests).toHaveLength(0)
  })

  it("the judge of answer relevancy does not see the question", async () => {
    const { provider } = await measure("judgedAnswerRelevancy", goodReply)
    expect(JSON.stringify(provider.requests[0])).not.toContain("Where was Ada born?")
  })

  it("the judge of context precision sees the reference or the answer, not both", async () => {
    const provider = fakeJudge(() => goodReply)
    for (const usefulFor of ["reference", "answer"] as const)
      await judgedContextPrecision({ provider, usefulFor }).measure(full, answerOf("Own words."), fakeTools())
    const [reference, answer] = provider.requests.map(lastUserText)
    expect(reference).toContain("in 1815")
    expect(reference).not.toContain("Own words.")
    expect(answer).toContain("Own words.")
    expect(answer).not.toContain("in 1815")
  })
})

describe("judged metrics beside their embedding forms", () => {
  it("an evasive answer in the question's words is as relevant as can be by its cosine, and 0 by generated questions", async () => {
    const questions = [{ question: "Where?", noncommittal: true }]
    const judged = await measure("judgedAnswerRelevancy", JSON.stringify({ questions }), { answer: "Ada was born." })
    const cosine = await answerRelevancy({ embedder }).measure(full, answerOf("Ada was born."), fakeTools())
    expect(cosine).toMatchObject({ row: 1 })
    expect(judged.result).toMatchObject({ row: { value: 0 } })
  })
})

describe("faithfulness and the rate of unsupported answers", () => {
  const reply = JSON.stringify({
    claims: [
      { sentence: 1, claim: "Born in London", supported: true },
      { sentence: 2, claim: "Died in Rome", supported: false },
    ],
  })

  it("rest on the same call, list each claim and mark the sentence that is not supported", async () => {
    const provider = fakeJudge(() => reply)
    const answer = answerOf("Ada was born in London. She died in Rome.")
    const share = await judgedFaithfulness({ provider }).measure(full, answer, fakeTools())
    const flagged = await unsupportedClaims({ provider }).measure(full, answer, fakeTools())
    expect(provider.requests[0]?.messages).toEqual(provider.requests[1]?.messages)
    expect(provider.requests[0]?.parameters).toEqual(provider.requests[1]?.parameters)
    const seen = {
      checks: [
        { said: "supported", of: "Born in London" },
        { said: "not supported", of: "Died in Rome" },
      ],
      offences: [{ text: "She died in Rome.", start: 24 }],
    }
    expect(share).toMatchObject({ row: { value: 0.5, ...seen } })
    expect(flagged).toMatchObject({ row: { score: 0.5, flagged: true, ...seen } })
  })
})
