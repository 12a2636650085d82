import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { main } from "../../../src/cli/main.ts"
import type { RunReport } from "../../../src/core/report/report.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { serveLoopback, streamChat } from "../../support/loopback.ts"
import { scratchDirectory } from "../../support/scratch.ts"

/** A judge that replies to each of the questions by its words; 100 tokens in, 50 out. */
function replyTo(prompt: string): object {
  if (prompt.includes("that the answer would be a full and direct reply to"))
    return { questions: [{ question: "Where was Ada born?", noncommittal: false }] }
  if (prompt.includes("useful for arriving"))
    return {
      verdicts: [
        { passage: 1, useful: false },
        { passage: 2, useful: true },
      ],
    }
  if (prompt.includes("sentences that are needed")) return { needed: [2] }
  if (prompt.includes("look at every source by itself"))
    return prompt.includes("Source 3")
      ? {
          claims: [
            { claim: "Ada was born in London", sources: [2, 3] },
            { claim: "London lies on the Thames", sources: [1] },
          ],
        }
      : { claims: [{ claim: "Ada was born in London", sources: [2] }] }
  return {
    claims: [
      { sentence: 1, claim: "Ada was born in London", supported: true },
      { sentence: 2, claim: "She died in Rome \u001b[31m<b>", supported: false },
    ],
  }
}

let calls = 0

const server = await serveLoopback((_request, response, body) => {
  calls++
  streamChat(response, JSON.stringify(replyTo(body)), 100, 50)
})
const baseUrl = server.url

const cwd = scratchDirectory()
const evalkit = async (...argv: string[]) => {
  const io = fakeIo({ cwd, environment: { EVALKIT_CACHE_DIR: join(cwd, "cache") } })
  const code = await main(argv, io)
  expect(code, io.stderr()).toBe(0)
  return io.stdout()
}

describe("judged metrics in a run", () => {
  it("are figures with their cost, one call of each kind; show and the page list what the judge said", async () => {
    writeFileSync(
      join(cwd, "eval.config.ts"),
      `import * as e from "evalkit"
const provider = e.openai({
  model: "judge", baseUrl: "${baseUrl}", apiKeyVariable: null,
  price: { kind: "tokens", inputPerMillion: 1, cachedInputPerMillion: null, outputPerMillion: 2, source: "test", date: "2026-01-01" },
})
const embedder = { identity: "ones", embed: async (texts) => texts.map(() => Float32Array.from([1, 0])), close: async () => {} }
export default e.defineConfig({
  dataset: e.inline([{
    id: "a", input: "Where was Ada born?", reference: "Ada was born in London.",
    context: ["London lies on the Thames.", "Ada was born in London."],
  }]),
  variants: [
    e.variant({ name: "one", provider: e.recorded([{ id: "a", text: "Ada was born in London. She died in Rome." }]) }),
    e.variant({ name: "two", provider: e.recorded([{ id: "a", text: "Ada was born in London. She lives." }]) }),
  ],
  metrics: [
    e.judged.answerRelevancy({ provider, embedder }), e.judged.contextPrecision({ provider }), e.judged.contextRecall({ provider }),
    e.judged.contextRelevancy({ provider }), e.judged.faithfulness({ provider }), e.unsupportedClaims({ provider }),
    e.judged.noiseSensitivity({ provider }), e.judged.noiseSensitivity({ provider, from: "irrelevant", name: "otherNoise" }),
  ],
  reports: [],
})
`,
    )
    const dry = JSON.parse(await evalkit("run", "--dry-run", "--json")) as Record<string, unknown>
    expect(calls).toBe(0)
    const report = JSON.parse(await evalkit("run", "--json")) as RunReport
    const [first, second] = report.variants
    const values = Object.fromEntries(
      first!.quality.map(({ metric, figure }) => [metric, figure.status === "known" ? figure.value : figure.reason]),
    )
    expect(values).toEqual({
      judgedAnswerRelevancy: 1,
      judgedContextPrecision: 0.5,
      judgedContextRecall: 1,
      judgedContextRelevancy: 0.5,
      judgedFaithfulness: 0.5,
      unsupportedClaims: 1,
      // "London lies on the Thames" is not in the reference; passage 1 supports no claim of the reference.
      judgedNoiseSensitivity: 0,
      otherNoise: 0.5,
    })
    // Questions, passages, sentences, claims of the reference, claims of the answer with and without its sources: faithfulness and
    // the rate of unsupported claims share a call, as do recall and noise. Of the second variant three are new.
    const price = 100e-6 + 2 * 50e-6
    expect(first?.cost.judgeUsd).toMatchObject({ value: expect.closeTo(6 * price, 12) })
    expect(second?.cost.judgeUsd).toMatchObject({ value: expect.closeTo(3 * price, 12) })
    expect(calls).toBe(9)
    expect(JSON.stringify(dry)).toContain("judge")
    const store = openRunStore(join(cwd, ".evalkit"), { readonly: true })
    const purposes = new Set([...store.modelCalls(report.run.id)].map(({ purpose }) => purpose))
    store.close()
    expect([...purposes].sort()).toEqual([
      "claim sources",
      "claims",
      "generated questions",
      "needed sentences",
      "useful passages",
    ])

    const shown = await evalkit("show", report.run.id, "a")
    expect(shown).toContain(
      "judged faithfulness\n    supported: Ada was born in London\n    not supported: She died in Rome",
    )
    expect(shown).toContain(
      "judged context precision\n    not useful: London lies on the Thames.\n    useful: Ada was born",
    )
    expect(shown).toContain("wrong, supported by passage 1 (irrelevant): London lies on the Thames")
    expect(shown).toContain("similarity 1.000: Where was Ada born?")
    expect(shown).not.toContain("\u001b")
    await expect(evalkit("show", report.run.id, "nope")).rejects.toThrow(
      `the run has no such sample: run ${report.run.id}, sample nope; ids are as a`,
    )
  })
})
