import { addLinear, addLookup, type WeightType } from "./linear.ts"
import { OnnxGraph } from "./onnx-graph.ts"
import type { Weights } from "./safetensors.ts"

/** The sizes of a BERT encoder, as its config.json names them. */
export interface BertSizes {
  readonly hidden_size: number
  readonly num_hidden_layers: number
  readonly num_attention_heads: number
  readonly layer_norm_eps: number
}

/** The file of the graph, and the pieces of the file of weights beside it. */
export interface BertGraph {
  readonly file: Uint8Array
  readonly weights: readonly Uint8Array[]
}

/**
 * Writes a BERT encoder (Devlin et al. 2019; post-layer-norm, GELU by the error function) as an ONNX file. Outputs: `hidden_0`
 * (the embedding layer) to `hidden_{n−1}`, and `last_hidden_state`; each batch × tokens × hidden size.
 *
 * @param weightsFile name of the file of weights, in the graph's folder
 */
export function bertGraph(
  weights: (name: string) => Weights,
  sizes: BertSizes,
  type: WeightType,
  weightsFile: string,
): BertGraph {
  const graph = new OnnxGraph(weightsFile)
  const { hidden_size: width, num_hidden_layers: layers, num_attention_heads: heads } = sizes
  const vector = (name: string) => {
    const { shape, data } = weights(name)
    return graph.constant({ type: "float32", shape, data })
  }
  const linear = (x: string, name: string) =>
    graph.op("Add", [addLinear(graph, x, weights(`${name}.weight`), type), vector(`${name}.bias`)])
  const normalize = (x: string, name: string) =>
    graph.op("LayerNormalization", [x, vector(`${name}.weight`), vector(`${name}.bias`)], {
      axis: -1,
      epsilon: { float: sizes.layer_norm_eps },
    })

  const split = graph.integers([0, 0, heads, width / heads])
  const joined = graph.integers([0, 0, width])
  const scale = graph.scalar(1 / Math.sqrt(width / heads))
  const padding = paddingBias(graph)
  const toHeads = (x: string, perm: readonly number[]) =>
    graph.op("Transpose", [graph.op("Reshape", [x, split])], { perm })

  const attention = (x: string, name: string) => {
    const query = toHeads(linear(x, `${name}.self.query`), [0, 2, 1, 3])
    const key = toHeads(linear(x, `${name}.self.key`), [0, 2, 3, 1])
    const value = toHeads(linear(x, `${name}.self.value`), [0, 2, 1, 3])
    const scores = graph.op("Mul", [graph.op("MatMul", [query, key]), scale])
    const shares = graph.op("Softmax", [graph.op("Add", [scores, padding])], { axis: -1 })
    const mixed = graph.op("Transpose", [graph.op("MatMul", [shares, value])], { perm: [0, 2, 1, 3] })
    return linear(graph.op("Reshape", [mixed, joined]), `${name}.output.dense`)
  }

  let x = normalize(embeddings(graph, weights, type), "embeddings.LayerNorm")
  graph.output(x, "hidden_0")
  for (let layer = 0; layer < layers; layer++) {
    const name = `encoder.layer.${layer}`
    x = normalize(graph.op("Add", [attention(x, `${name}.attention`), x]), `${name}.attention.output.LayerNorm`)
    const inner = gelu(graph, linear(x, `${name}.intermediate.dense`))
    x = normalize(graph.op("Add", [linear(inner, `${name}.output.dense`), x]), `${name}.output.LayerNorm`)
    graph.output(x, layer + 1 < layers ? `hidden_${layer + 1}` : "last_hidden_state")
  }
  const tokens = ["batch", "tokens"]
  const hidden = Array.from({ length: layers }, (_, layer) => `hidden_${layer}`)
  const file = graph.file(
    "bert",
    ["input_ids", "attention_mask", "token_type_ids"].map((name) => ({ name, type: "int64", shape: tokens })),
    [...hidden, "last_hidden_state"].map((name) => ({ name, type: "float32", shape: [...tokens, width] })),
  )
  return { file, weights: graph.weights }
}

/** Word + type + position. */
function embeddings(graph: OnnxGraph, weights: (name: string) => Weights, type: WeightType): string {
  const length = graph.op("Gather", [graph.op("Shape", ["input_ids"]), graph.integers([1], [])], { axis: 0 })
  const positions = graph.op("Range", [graph.integers([0], []), length, graph.integers([1], [])])
  const words = addLookup(graph, weights("embeddings.word_embeddings.weight"), "input_ids", type)
  const types = addLookup(graph, weights("embeddings.token_type_embeddings.weight"), "token_type_ids", "fp32")
  const places = addLookup(graph, weights("embeddings.position_embeddings.weight"), positions, "fp32")
  return graph.op("Add", [graph.op("Add", [words, types]), places])
}

/** 0 where a token is, −10,000 where padding is: added to the attention scores. */
function paddingBias(graph: OnnxGraph): string {
  const mask = graph.op("Cast", [graph.op("Unsqueeze", ["attention_mask", graph.integers([1, 2])])], { to: 1 })
  return graph.op("Mul", [graph.op("Sub", [graph.scalar(1), mask]), graph.scalar(-10_000)])
}

function gelu(graph: OnnxGraph, x: string): string {
  const bell = graph.op("Add", [graph.op("Erf", [graph.op("Mul", [x, graph.scalar(Math.SQRT1_2)])]), graph.scalar(1)])
  return graph.op("Mul", [graph.op("Mul", [x, graph.scalar(0.5)]), bell])
}
