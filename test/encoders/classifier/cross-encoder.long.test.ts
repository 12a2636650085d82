import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { semanticEntropy } from "../../../metrics/consistency/semantic-entropy.ts"
import { unentailedSentences } from "../../../metrics/hallucination/entailment.ts"
import { toxicity } from "../../../metrics/safety/toxicity.ts"
import { learnedScore } from "../../../metrics/semantic/learned-score.ts"
import { semanticAnswerSimilarity } from "../../../metrics/semantic/semantic-answer-similarity.ts"
import type { CrossEncoder } from "../../../src/core/metric/cross-encoder.ts"
import { classifier } from "../../../src/encoders/classifier/classifier.ts"
import { crossEncoder } from "../../../src/encoders/classifier/cross-encoder.ts"
import { entailmentModel } from "../../../src/encoders/classifier/entailment-model.ts"
import { answerOf, noTools, sampleOf, scoreOf } from "../../metrics/lexical-fixtures.ts"
import { tinyModel } from "../../support/onnx/tiny-model.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const root = scratchDirectory()
const signal = new AbortController().signal
const sigmoid = (x: number) => 1 / (1 + Math.exp(-x))
const opened: { close(): Promise<void> }[] = []
const opening = <Model extends { close(): Promise<void> }>(model: Model): Model => {
  opened.push(model)
  return model
}
const pair = async (model: CrossEncoder, text: string, second: string) =>
  (await model.score([{ text, pair: second }], signal))[0] as number

afterAll(() => Promise.all(opened.map((model) => model.close())))

describe("crossEncoder", () => {
  it("reads a model with one logit through a sigmoid, from a folder, from its file, and from a file without config", async () => {
    const folder = await tinyModel(join(root, "one"), { weights: { yes: [1], no: [-1] }, labels: ["LABEL_0"] })
    const bare = await tinyModel(join(root, "bare"), { weights: { yes: [1], no: [-1] }, file: "scorer_int8.onnx" })
    for (const model of [folder, join(folder, "onnx", "model.onnx"), join(bare, "scorer_int8.onnx")])
      expect(await pair(opening(crossEncoder({ model })), "yes yes", "yes no"), model).toBeCloseTo(sigmoid(2), 6)
  })

  it("takes the output that means support, and says which there are where none does", async () => {
    const weights = { yes: [0, 2], no: [2, 0] }
    const named = await tinyModel(join(root, "named"), { weights, labels: ["unsupported", "supported"] })
    expect(await pair(opening(crossEncoder({ model: named })), "yes", "")).toBeCloseTo(sigmoid(2), 6)
    const unnamed = await tinyModel(join(root, "unnamed"), { weights, labels: ["LABEL_0", "LABEL_1"] })
    const model = opening(crossEncoder({ model: unnamed }))
    await expect(pair(model, "yes", "")).rejects.toThrow(/2 outputs \(LABEL_0, LABEL_1\): name one by label/)
    expect(await pair(opening(crossEncoder({ model: unnamed, label: 0 })), "yes", "")).toBeCloseTo(sigmoid(-2), 6)
    expect(await pair(opening(crossEncoder({ model: unnamed, label: "LABEL_1" })), "no", "")).toBeCloseTo(
      sigmoid(-2),
      6,
    )
  })

  it("asks HHEM-2.1 by its prompt, and reads the first token's second class", async () => {
    // Only [CLS] and the word "premise" weigh: the text was put into the prompt, and the other tokens do not count.
    const model = await tinyModel(join(root, "hhem"), {
      weights: { "[CLS]": [0, 3], premise: [9, 0], yes: [7, 0] },
      output: "tokens",
      labels: ["hallucinated", "consistent"],
    })
    expect(await pair(opening(crossEncoder({ model, as: "hhem" })), "yes", "yes")).toBeCloseTo(sigmoid(3), 6)
    const summed = await tinyModel(join(root, "hhem-sum"), {
      weights: { premise: [0, 1], hypothesis: [0, 10], yes: [0, 100], no: [0, 0] },
    })
    // "hypothesis" stands twice in the prompt, "premise" twice as well.
    const raw = opening(crossEncoder({ model: summed, as: "hhem", activation: "none" }))
    expect(await pair(raw, "yes", "no")).toBe(2 + 20 + 100)
  })

  it("asks MiniCheck by one text, joined by the token that ends texts", async () => {
    const model = await tinyModel(join(root, "minicheck"), {
      weights: { "</s>": [0, 1], yes: [0, 2], no: [2, 0] },
      endOfText: "</s>",
      labels: ["LABEL_0", "LABEL_1"],
    })
    // Two of them: between the texts, and at the end.
    expect(await pair(opening(crossEncoder({ model, as: "minicheck" })), "yes", "yes")).toBeCloseTo(sigmoid(6), 6)
  })

  it("takes an answer to be as sound as its worst token in TinyLettuce's form, and looks at the answer alone", async () => {
    const model = await tinyModel(join(root, "lettuce"), {
      weights: { fine: [2, 0], invented: [0, 3], context: [0, 9] },
      output: "tokens",
      labels: ["supported", "hallucinated"],
    })
    const lettuce = opening(crossEncoder({ model, as: "tinylettuce" }))
    expect(await pair(lettuce, "context context", "fine fine")).toBeCloseTo(sigmoid(2), 6)
    expect(await pair(lettuce, "context", "fine invented fine")).toBeCloseTo(1 - sigmoid(3), 6)
  })

  it("gives BLEURT's number as it is, and the better of two references", async () => {
    const model = await tinyModel(join(root, "bleurt"), { weights: { good: [0.25], bad: [-1.5] } })
    const metric = learnedScore({ by: opening(crossEncoder({ model, as: "bleurt" })) })
    expect(metric.range).toEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY])
    expect(await scoreOf(metric, "good", ["bad", "good good"])).toBeCloseTo(0.75, 6)
    expect(await metric.measure(sampleOf([]), answerOf("good"), noTools)).toMatchObject({ code: "no_reference" })
    expect(await metric.measure(sampleOf(["good"]), answerOf(" "), noTools)).toMatchObject({ code: "empty_output" })
  })

  it("gives COMET source, translation and reference in inputs of their own", async () => {
    const model = await tinyModel(join(root, "comet"), {
      weights: { eins: [1], one: [2], two: [4] },
      output: "separate",
    })
    const by = opening(crossEncoder({ model, as: "comet" }))
    const sample = { ...sampleOf(["two"]), input: "eins eins" }
    expect(await learnedScore({ by }).measure(sample, answerOf("one"), noTools)).toEqual({ status: "scored", row: 422 })
    const noText = { ...sample, input: [{ role: "user" as const, content: "eins" }] }
    expect(await learnedScore({ by }).measure(noText, answerOf("one"), noTools)).toMatchObject({ code: "no_input" })
    await expect(pair(by, "one", "two")).rejects.toThrow(/inputs that are not given: src_input_ids/)
  })

  it("reads a long passage in overlapping windows, each with the whole statement, and takes the best by default", async () => {
    const model = await tinyModel(join(root, "long"), { weights: { yes: [1], no: [-1] }, maxTokens: 16 })
    const long = `${"no ".repeat(30)}yes yes yes yes yes yes yes yes yes yes${" no".repeat(30)}`
    const of = (windows: "max" | "mean" | "first") => pair(opening(crossEncoder({ model, windows })), long, "yes")
    const [max, mean, first] = [await of("max"), await of("mean"), await of("first")]
    expect(max).toBeGreaterThan(0.5)
    expect(mean).toBeGreaterThan(first)
    expect(mean).toBeLessThan(max)
    expect(first).toBeLessThan(0.01)
    // In one window of 16 tokens: three special ones, the statement, and 12 of the passage.
    expect(await pair(opening(crossEncoder({ model })), "yes ".repeat(12), "yes")).toBeCloseTo(sigmoid(13), 4)
  })

  it("signs how windows are combined, the form, the output and the precision", () => {
    expect(crossEncoder({ model: "a/b" }).identity).toBe("a/b|fp32|pair|softmax|windows:max")
    expect(crossEncoder({ model: "a/b", as: "hhem", maxTokens: 512 }).identity).toBe(
      "a/b|fp32|hhem|label:1|softmax|windows:max/512",
    )
    expect(classifier({ model: "a/b", windows: "mean", labels: ["x"] }).identity).toBe(
      "a/b|fp32|softmax|windows:mean|labels:x",
    )
    expect(() => crossEncoder({ model: "a/b", as: "hhem2" as never })).toThrow(
      /as does not know "hhem2".*did you mean "hhem"/,
    )
  })

  it("gives a text the same score whatever stands beside it", async () => {
    const model = await tinyModel(join(root, "beside"), { weights: { yes: [1], no: [-1] } })
    const encoder = opening(crossEncoder({ model, batchSize: 2 }))
    const texts = ["yes", "yes no yes", "no", "yes yes yes yes yes"]
    const together = await encoder.score(
      texts.map((text) => ({ text, pair: "no" })),
      signal,
    )
    for (const [i, text] of texts.entries()) expect(await pair(encoder, text, "no")).toBe(together[i])
  })

  it("is what detectors, semantic entropy and answer similarity run on", async () => {
    const model = await tinyModel(join(root, "detector"), { weights: { yes: [2], no: [-2] } })
    const encoder = opening(crossEncoder({ model }))
    const entails = entailmentModel(encoder)
    expect(entails).not.toHaveProperty("contradiction")
    expect(
      await unentailedSentences({ model: entails }).measure(
        sampleOf([], { context: ["Yes."] }),
        answerOf("Yes. No no."),
        noTools,
      ),
    ).toMatchObject({ status: "scored", row: { checked: 2, unsupported: 1 } })
    const entropy = semanticEntropy({ model: entails })
    expect(entropy.signature).toContain("represent:entailment-")
    const measured = (repeat: number, texts: readonly string[]) =>
      entropy.measure(
        sampleOf([]),
        { ...answerOf(texts[repeat] as string), repeat },
        {
          ...noTools,
          otherAnswers: () => ({
            awaited: 0,
            answers: texts.flatMap((text, i) => (i === repeat ? [] : [{ repeat: i, text }])),
          }),
        },
      )
    expect(await measured(1, ["yes", "yes yes", "no"])).toEqual({ status: "scored", row: 0 })
    expect(await measured(2, ["yes", "yes yes", "no no no no"])).toEqual({ status: "scored", row: 2 })
    const similarity = semanticAnswerSimilarity({ crossEncoder: encoder })
    expect(await scoreOf(similarity, "yes", ["yes yes", "no"])).toBeCloseTo(sigmoid(6), 6)
    expect(similarity.uses).toMatchObject([{ kind: "cross-encoder", identity: encoder.identity }])
  })

  it("finds the harsh end of a long text with a classifier of several labels", async () => {
    const model = await tinyModel(join(root, "toxic"), {
      weights: { foul: [8, 0], fine: [-1, 0] },
      labels: ["toxic", "threat"],
      maxTokens: 16,
    })
    const metric = toxicity({ model: opening(classifier({ model, activation: "sigmoid" })) })
    expect(await scoreOf(metric, `${"fine ".repeat(60)}foul`)).toBeGreaterThan(0.4)
    expect(await scoreOf(metric, "fine ".repeat(60))).toBeLessThan(0.01)
  })

  it("says which files are missing, where it looked, and what to do", async () => {
    await tinyModel(join(root, "whole"), { weights: { yes: [1] } })
    const open = (model: string, dtype: "fp32" | "q8" = "fp32") =>
      opening(crossEncoder({ model, dtype })).open?.(signal)
    await expect(open(join(root, "whole"), "q8")).rejects.toThrow(
      /weights of the cross-encoder are missing: .*no model_quantized\.onnx: .*looked at .*onnx\/model_quantized\.onnx, .*whole\/model_quantized\.onnx/,
    )
    await expect(open(join(root, "nothing.onnx"))).rejects.toThrow(
      /there is nothing: give the folder or the \.onnx file/,
    )
    const lone = await tinyModel(join(root, "lone", "deep"), { weights: { yes: [1] }, file: "a/b/c.onnx" })
    await expect(open(join(lone, "a", "b", "c.onnx"))).rejects.toThrow(/put the model's tokenizer\.json beside/)
    await expect(open(join(root, "whole"))).resolves.toBeUndefined()
    const broken = await tinyModel(join(root, "broken"), { weights: { yes: [1] } })
    await (await import("node:fs/promises")).writeFile(join(broken, "onnx", "model.onnx"), "no graph")
    await expect(open(broken)).rejects.toMatchObject({ code: "model_unavailable" })
  })
})

describe("docs/models.md", () => {
  it("names every form that crossEncoder knows, with its template as it is", async () => {
    const { knownForms } = await import("../../../src/encoders/classifier/known-forms.ts")
    const text = await readFile(new URL("../../../docs/models.md", import.meta.url), "utf8")
    for (const [name, { form }] of Object.entries(knownForms)) {
      expect(text).toContain(`\`${name}\``)
      if (form.kind === "template") expect(text).toContain(JSON.stringify(form.template).slice(1, -1))
    }
  })
})
