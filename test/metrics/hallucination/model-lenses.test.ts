import { describe, expect, it } from "vitest"
import { unsupportedClaims } from "../../../metrics/hallucination/claims.ts"
import { type EntailmentModel, unentailedSentences } from "../../../metrics/hallucination/entailment.ts"
import type { Outcome } from "../../../src/core/outcome.ts"
import type { ModelRequest } from "../../../src/core/provider.ts"
import { fakeAnswer, fakeProvider } from "../../support/fake-provider.ts"
import { answerOf, noTools, sampleOf } from "../lexical-fixtures.ts"

const sample = sampleOf([], { context: ["Ada was born in London.", "She wrote notes."], input: "Who was Ada?" })
const answer = answerOf("Ada was born in London. She died in Rome.")

function claimsOf(reply: string, outcome: Outcome = "ok") {
  const requests: ModelRequest[] = []
  const provider = fakeProvider("checker", () => fakeAnswer(reply, outcome))
  const models = {
    async call(_provider: typeof provider, request: ModelRequest) {
      requests.push(request)
      return { ...fakeAnswer(reply, outcome), replayed: false, costUsd: null }
    },
  }
  const metric = unsupportedClaims({ provider })
  return {
    requests,
    measured: Promise.resolve(metric.measure(sample, answer, { ...noTools, models: models as never })),
  }
}

const claims = [
  { sentence: 1, claim: "Ada was born in London", supported: true },
  { sentence: 2, claim: "Ada died in Rome", supported: false },
]

describe("unsupportedClaims", () => {
  const good = JSON.stringify({ claims })
  it.each([
    ["bare JSON", good],
    ["a code fence", `\`\`\`json\n${good}\n\`\`\``],
    ["text around it", `Sure! ${good} Done.`],
    ["a bare list", JSON.stringify(claims)],
    [
      "yes and no",
      JSON.stringify({
        claims: [
          { ...claims[0], supported: "yes" },
          { ...claims[1], supported: "no" },
        ],
      }),
    ],
  ])("reads %s and keeps the unsupported sentence's place", async (_what, reply) => {
    expect(await claimsOf(reply).measured).toMatchObject({
      status: "scored",
      row: {
        score: 0.5,
        checked: 2,
        unsupported: 1,
        flagged: true,
        offences: [{ text: "She died in Rome.", start: 24 }],
      },
    })
  })

  it.each<[string, string, Outcome, RegExp]>([
    ["no JSON", "I think it is fine.", "ok", /^claims_unparseable/],
    ["a cut reply", good.slice(0, 40), "length", /^claims_unparseable/],
    ["a claim without its verdict", '{"claims": [{"claim": "x"}]}', "ok", /^claims_unparseable/],
    ["nested JSON", `{"claims": ${"[".repeat(1e5)}`, "ok", /^claims_unparseable/],
    ["a timeout", "", "timeout_total", /^claims_failed: timeout_total/],
    ["a refusal", "", "refused", /^claims_failed: refused/],
  ])("leaves the answer unscored after %s", async (_what, reply, outcome, reason) => {
    expect(await claimsOf(reply, outcome).measured).toMatchObject({
      status: "unscored",
      reason: expect.stringMatching(reason),
    })
  })

  it("does not flag an answer without claims, and fences what it shows", async () => {
    const { measured, requests } = claimsOf('{"claims": []}')
    expect(await measured).toMatchObject({ status: "scored", row: { score: 0, flagged: false } })
    const content = requests[0]?.messages[1]?.content ?? ""
    const [, mark] = /carry the mark ([0-9a-f]{32})/.exec(content) ?? []
    expect(content).toContain(
      `<<<${mark} begin>>>\n1. Ada was born in London.\n2. She died in Rome.\n<<<${mark} end>>>`,
    )
  })
})

describe("unentailedSentences", () => {
  it("asks the model for statements alone: no mark of a passage, no sentence that says that nothing is known", async () => {
    const asked: string[] = []
    const model: EntailmentModel = {
      identity: "all",
      entailment: async (pairs) => pairs.map(({ hypothesis }) => Number(asked.push(hypothesis) > 0)),
    }
    const metric = unentailedSentences({ model })
    const sample = sampleOf([], { context: ["Ada was born."] })
    await metric.measure(sample, answerOf("Ada was born [1]. The text does not say when."), noTools)
    expect(asked).toEqual(["Ada was born."])
    expect(await metric.measure(sample, answerOf("I do not know."), noTools)).toMatchObject({ code: "abstained" })
  })

  const asked: string[] = []
  const model = {
    identity: "known",
    async entailment(pairs: readonly { premise: string; hypothesis: string }[]) {
      asked.push(...pairs.map(({ premise }) => premise))
      return pairs.map(({ premise, hypothesis }) => (premise.includes(hypothesis) ? 0.9 : 0.2))
    },
  }

  it("takes the best window per sentence and averages over sentences", async () => {
    const measured = await unentailedSentences({ model }).measure(sample, answer, noTools)
    expect(measured).toMatchObject({
      status: "scored",
      row: { score: expect.closeTo(0.45, 12), unsupported: 1, flagged: false, offences: [{ start: 24 }] },
    })
  })

  it("reads a long passage in windows that overlap", async () => {
    asked.length = 0
    const long = sampleOf([], { context: ["A one. B two. C three."] })
    await unentailedSentences({ model, window: 2 }).measure(long, answerOf("X."), noTools)
    expect(asked).toEqual(["A one. B two.", "B two. C three."])
  })
})
