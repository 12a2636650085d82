import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { OnnxGraph } from "../../../src/encoders/embedder/minilm/onnx-graph.ts"

/** A model small enough to be reckoned by hand: the logits of a text are the sums of its words' weights. */
export interface TinyModel {
  /** What each word adds to each logit; other words add nothing. */
  readonly weights: Readonly<Record<string, readonly number[]>>
  /** `id2label` of config.json; absent: there is no config.json. */
  readonly labels?: readonly string[]
  /** `text` (default): one row of logits; `tokens`: one for each token; `separate`: source, translation and reference apart. */
  readonly output?: "text" | "tokens" | "separate"
  /** Where the ONNX file is: `onnx/model.onnx` by default. */
  readonly file?: string
  readonly maxTokens?: number
  /** The token after a text, and between two. Default `[SEP]`. */
  readonly endOfText?: string
}

/** Writes a folder that any loader of transformers.js models can read: ONNX graph, tokenizer and config. */
export async function tinyModel(folder: string, model: TinyModel): Promise<string> {
  const { weights, labels, file = "onnx/model.onnx", maxTokens = 64, endOfText = "[SEP]" } = model
  const words = ["[PAD]", "[UNK]", "[CLS]", endOfText, ...Object.keys(weights)]
  await mkdir(join(folder, file, ".."), { recursive: true })
  const json = (name: string, value: object) => writeFile(join(folder, name), JSON.stringify(value))
  await writeFile(join(folder, file), graphOf(model, words))
  await json("tokenizer.json", tokenizerOf(words, endOfText))
  await json("tokenizer_config.json", {
    tokenizer_class: "BertTokenizer",
    unk_token: "[UNK]",
    sep_token: endOfText,
    eos_token: endOfText,
    pad_token: "[PAD]",
    cls_token: "[CLS]",
    model_max_length: maxTokens,
  })
  if (labels)
    await json("config.json", {
      model_type: "bert",
      architectures: ["BertForSequenceClassification"],
      id2label: Object.fromEntries(labels.map((label, i) => [i, label])),
    })
  return folder
}

function graphOf({ weights, output = "text" }: TinyModel, words: readonly string[]): Uint8Array {
  const graph = new OnnxGraph()
  const width = Object.values(weights)[0]?.length ?? 1
  const table = new Float32Array(words.length * width)
  for (const [word, row] of Object.entries(weights)) table.set(row, words.indexOf(word) * width)
  const constant = graph.constant({ type: "float32", shape: [words.length, width], data: table })
  const look = (ids: string) => graph.op("Gather", [constant, ids])
  const sum = (rows: string) => graph.op("ReduceSum", [rows, graph.integers([1])], { keepdims: 0 })
  const input = (name: string) => ({ name, type: "int64", shape: ["batch", `${name} length`] }) as const
  if (output === "separate") {
    const names = ["src_input_ids", "mt_input_ids", "ref_input_ids"]
    const [source, translation, reference] = names.map((name) => sum(look(name))) as [string, string, string]
    // The translation counts ten times, the reference a hundred times, so that each can be told from the score.
    const parts = [
      source,
      graph.op("Mul", [translation, graph.scalar(10)]),
      graph.op("Mul", [reference, graph.scalar(100)]),
    ]
    const score = graph.op("Add", [graph.op("Add", [parts[0] as string, parts[1] as string]), parts[2] as string])
    graph.output(score, "score")
    return graph.file("tiny", names.map(input), [{ name: "score", type: "float32", shape: ["batch", width] }])
  }
  const rows = look("input_ids")
  graph.output(output === "tokens" ? rows : sum(rows), "logits")
  const shape = output === "tokens" ? ["batch", "length", width] : ["batch", width]
  return graph.file("tiny", [input("input_ids")], [{ name: "logits", type: "float32", shape }])
}

function tokenizerOf(words: readonly string[], endOfText: string): object {
  const special = (content: string, id: number) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  })
  const mark = (id: string, type_id: number) => ({ SpecialToken: { id, type_id } })
  const text = (id: "A" | "B", type_id: number) => ({ Sequence: { id, type_id } })
  return {
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
      single: [mark("[CLS]", 0), text("A", 0), mark(endOfText, 0)],
      pair: [mark("[CLS]", 0), text("A", 0), mark(endOfText, 0), text("B", 1), mark(endOfText, 1)],
      special_tokens: {
        "[CLS]": { id: "[CLS]", ids: [2], tokens: ["[CLS]"] },
        [endOfText]: { id: endOfText, ids: [3], tokens: [endOfText] },
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
}
