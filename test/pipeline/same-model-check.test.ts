import { describe, expect, it } from "vitest"
import { inline } from "../../datasets/inline.ts"
import { exactMatch } from "../../metrics/match/exact-match.ts"
import { validateConfig } from "../../src/config/validate.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { fakeAnswer, fakeProvider } from "../support/fake-provider.ts"
import { runEvaluation } from "../support/run-fixtures.ts"
import { scratchDirectory } from "../support/scratch.ts"

/** A host of a model that answers one of some texts, in turn. */
function host(name: string, model: string, texts: readonly string[]) {
  let asked = 0
  const answer = () => fakeAnswer(texts[asked++ % texts.length] as string)
  return { name, provider: fakeProvider(name, answer, { model, endpoint: `https://${name}.example/v1` }) }
}

describe("sameModelChecks", () => {
  it("tests the hosts of the baseline's model, and no other variant", async () => {
    const evaluation = await validateConfig({
      name: "hosts",
      dataset: inline(["a", "b"].map((id) => ({ id, input: id, reference: id }))),
      repeats: 12,
      variants: [
        host("one", "maker/Small-1", ["red", "blue", "green"]),
        host("two", "small-1", ["blue", "red", "green"]),
        host("three", "small-1", ["violet", "white"]),
        { ...host("warm", "small-1", ["grey"]), parameters: { temperature: 2 } },
        host("other", "large-1", ["black"]),
      ],
      metrics: [exactMatch()],
    })
    const { report } = await runEvaluation({ evaluation, store: openRunStore(scratchDirectory()) })
    const checks = report?.checks.filter(({ name }) => name.includes("the same model elsewhere"))
    expect(checks).toEqual([
      {
        name: "two answers as one, the same model elsewhere",
        status: "passed",
        message: expect.stringContaining("one and two cannot be told apart at 24 requests each, 2 prompts"),
      },
      {
        name: "three answers as one, the same model elsewhere",
        status: "failed",
        message: expect.stringContaining("three gives other answers than one, which chance does not explain"),
      },
    ])
  })
})
