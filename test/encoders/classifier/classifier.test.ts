import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { unentailedSentences } from "../../../metrics/hallucination/entailment.ts"
import { selfConsistency } from "../../../metrics/hallucination/self-consistency.ts"
import { classifier } from "../../../src/encoders/classifier/classifier.ts"
import { entailmentModel } from "../../../src/encoders/classifier/entailment-model.ts"
import { answerOf, noTools, sampleOf } from "../../metrics/lexical-fixtures.ts"
import { tinyModel } from "../../support/onnx/tiny-model.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const folder = join(scratchDirectory(), "small-nli")
const signal = new AbortController().signal

/** Logits are sums over the tokens: "yes" adds 2 to entailment, "no" 2 to contradiction, "maybe" 1 to neutral. */
const buildModel = () =>
  tinyModel(folder, {
    weights: { yes: [2, 0, 0], maybe: [0, 1, 0], no: [0, 0, 2] },
    labels: ["entailment", "neutral", "contradiction"],
  })

const small = classifier({ model: folder })
beforeAll(buildModel)
afterAll(() => small.close())

describe("classifier", () => {
  it("loads an ONNX model from a folder and gives softmax probabilities by label", async () => {
    const [first, second] = await small.classify(["yes yes", "no"], signal)
    const [e, sum] = [Math.exp(4), Math.exp(4) + 2]
    expect(first?.get("entailment")).toBeCloseTo(e / sum, 5)
    expect(second?.get("contradiction")).toBeCloseTo(Math.exp(2) / (Math.exp(2) + 2), 5)
  })

  it("reads pairs as natural language inference does", async () => {
    const [agrees, denies] = await entailmentModel(small).entailment(
      [
        { premise: "yes", hypothesis: "yes" },
        { premise: "no", hypothesis: "no maybe" },
      ],
      signal,
    )
    expect(agrees).toBeCloseTo(Math.exp(4) / (Math.exp(4) + 2), 5)
    expect(denies).toBeLessThan(0.05)
  })

  it("gives contradiction against entailment, with neutral left out, for SelfCheckGPT's NLI form", async () => {
    const nli = entailmentModel(small)
    const [agrees, denies] = await nli.contradiction(
      [
        { premise: "yes", hypothesis: "yes maybe" },
        { premise: "no", hypothesis: "no maybe" },
      ],
      signal,
    )
    expect(agrees).toBeCloseTo(1 / (1 + Math.exp(4)), 5)
    expect(denies).toBeCloseTo(1 / (1 + Math.exp(-4)), 5)
  })

  it("works in a thread of its own: the main thread goes on while it loads and runs", async () => {
    const own = classifier({ model: folder, batchSize: 1 })
    let turns = 0
    const ticking = setInterval(() => turns++, 1)
    const texts = Array.from({ length: 300 }, () => "yes no maybe")
    const before = performance.eventLoopUtilization()
    expect(await own.classify(texts, signal)).toHaveLength(300)
    const { utilization } = performance.eventLoopUtilization(before)
    clearInterval(ticking)
    expect(turns).toBeGreaterThan(0)
    expect(utilization).toBeLessThan(0.9)
    await own.close()
    await own.close()
  })

  it("lets go of a caller that aborts, and opens again after it was closed", async () => {
    const own = classifier({ model: folder })
    const abort = new AbortController()
    const asked = own.classify(["yes"], abort.signal)
    abort.abort(new Error("enough"))
    await expect(asked).rejects.toThrow("enough")
    await own.close()
    expect(await own.classify(["yes"], signal)).toHaveLength(1)
    expect(await own.classify([], signal)).toEqual([])
    await expect(own.classify(["a", { text: "a", pair: "b" }], signal)).rejects.toThrow(/together/)
    await own.close()
    expect(() => classifier({ model: folder, threads: 0 })).toThrow(/threads/)
  })

  it("reads a megabyte of anything up to its limit", async () => {
    for (const text of ["a".repeat(1e6), "\0".repeat(1e6), "yes ".repeat(2.5e5), '{"a":['.repeat(1e5)])
      expect((await small.classify([text], signal))[0]?.size).toBe(3)
  })

  it("is what the detectors of entailment and self-consistency run on", async () => {
    const model = entailmentModel(small)
    const entailed = await unentailedSentences({ model }).measure(
      sampleOf([], { context: ["Yes."] }),
      answerOf("Yes. No no."),
      noTools,
    )
    expect(entailed).toMatchObject({
      status: "scored",
      row: { checked: 2, unsupported: 1, offences: [{ text: "No no." }] },
    })
    const sample = sampleOf([], { metadata: { otherAnswers: ["yes yes"] } })
    const consistent = await selfConsistency({ form: "nli", model }).measure(
      sample,
      answerOf("Yes. Maybe no no no."),
      noTools,
    )
    expect(consistent).toMatchObject({ status: "scored", row: { checked: 2, unsupported: 1 } })
  })

  it("says what is wrong with a folder that holds no model", async () => {
    await expect(classifier({ model: "/nonexistent/model" }).classify(["a"], signal)).rejects.toThrow(
      /weights of the classifier are missing: \/nonexistent\/model; .*looked at \/nonexistent\/model/,
    )
  })
})
