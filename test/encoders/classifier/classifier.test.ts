import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { unentailedSentences } from "../../../metrics/hallucination/entailment.ts"
import { selfConsistency } from "../../../metrics/hallucination/self-consistency.ts"
import { classifier, entailmentModel } from "../../../src/encoders/classifier/classifier.ts"
import { OnnxGraph } from "../../../src/encoders/embedder/minilm/onnx-graph.ts"
import { answerOf, noTools, sampleOf } from "../../metrics/lexical-fixtures.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const folder = join(scratchDirectory(), "small-nli")
const words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "yes", "no", "maybe"]
const signal = new AbortController().signal

/** Logits are sums over the tokens: "yes" adds 2 to entailment, "no" 2 to contradiction, "maybe" 1 to neutral. */
async function buildModel(): Promise<void> {
  const graph = new OnnxGraph()
  const table = new Float32Array(words.length * 3)
  table[words.indexOf("yes") * 3] = 2
  table[words.indexOf("maybe") * 3 + 1] = 1
  table[words.indexOf("no") * 3 + 2] = 2
  const rows = graph.op("Gather", [
    graph.constant({ type: "float32", shape: [words.length, 3], data: table }),
    "input_ids",
  ])
  graph.output(graph.op("ReduceSum", [rows, graph.integers([1])], { keepdims: 0 }), "logits")
  const file = graph.file(
    "nli",
    [{ name: "input_ids", type: "int64", shape: ["batch", "length"] }],
    [{ name: "logits", type: "float32", shape: ["batch", 3] }],
  )
  const special = (content: string, id: number) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  })
  const tokenizer = {
    version: "1.0",
    added_tokens: words.slice(0, 4).map(special),
    normalizer: {
      type: "BertNormalizer",
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: {
      type: "TemplateProcessing",
      single: [
        { SpecialToken: { id: "[CLS]", type_id: 0 } },
        { Sequence: { id: "A", type_id: 0 } },
        { SpecialToken: { id: "[SEP]", type_id: 0 } },
      ],
      pair: [
        { SpecialToken: { id: "[CLS]", type_id: 0 } },
        { Sequence: { id: "A", type_id: 0 } },
        { SpecialToken: { id: "[SEP]", type_id: 0 } },
        { Sequence: { id: "B", type_id: 1 } },
        { SpecialToken: { id: "[SEP]", type_id: 1 } },
      ],
      special_tokens: {
        "[CLS]": { id: "[CLS]", ids: [2], tokens: ["[CLS]"] },
        "[SEP]": { id: "[SEP]", ids: [3], tokens: ["[SEP]"] },
      },
    },
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(words.map((word, i) => [word, i])),
    },
  }
  await mkdir(join(folder, "onnx"), { recursive: true })
  const json = (name: string, value: object) => writeFile(join(folder, name), JSON.stringify(value))
  await writeFile(join(folder, "onnx", "model.onnx"), file)
  await json("tokenizer.json", tokenizer)
  await json("tokenizer_config.json", {
    tokenizer_class: "BertTokenizer",
    unk_token: "[UNK]",
    sep_token: "[SEP]",
    pad_token: "[PAD]",
    cls_token: "[CLS]",
    model_max_length: 64,
  })
  await json("config.json", {
    model_type: "bert",
    architectures: ["BertForSequenceClassification"],
    id2label: { 0: "entailment", 1: "neutral", 2: "contradiction" },
  })
}

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

  it("is what the lenses of entailment and self-consistency run on", async () => {
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
      /cannot be loaded/,
    )
  })
})
