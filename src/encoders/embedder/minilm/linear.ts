import type { OnnxGraph } from "./onnx-graph.ts"
import type { Weights } from "./safetensors.ts"

/** How weights are kept: all as they are, or those of the linear layers and the word table in fewer bits. */
export type WeightType = "fp32" | "int8" | "int4"

/** x · Wᵀ, with W of outputs × inputs in the given type. Returns the name of the product. */
export function addLinear(graph: OnnxGraph, x: string, weights: Weights, type: WeightType): string {
  if (type === "int8") return addInt8(graph, x, weights)
  if (type === "int4") return addInt4(graph, x, weights)
  const [outputs, inputs] = weights.shape as readonly [number, number]
  const transposed = new Float32Array(inputs * outputs)
  for (let o = 0; o < outputs; o++)
    for (let k = 0; k < inputs; k++) transposed[k * outputs + o] = weights.data[o * inputs + k] as number
  return graph.op("MatMul", [x, graph.constant({ type: "float32", shape: [inputs, outputs], data: transposed })])
}

/** Rows of a table that are looked up by number; int8 with one scale per row unless fp32. */
export function addLookup(graph: OnnxGraph, table: Weights, rows: string, type: WeightType): string {
  const { shape, data } = table
  if (type === "fp32") return graph.op("Gather", [graph.constant({ type: "float32", shape, data }), rows], { axis: 0 })
  const { quantized, scales } = quantizeRows(table)
  const values = graph.op("Gather", [graph.constant({ type: "int8", shape, data: quantized }), rows], { axis: 0 })
  const scaleTable = graph.constant({ type: "float32", shape: [shape[0] as number, 1], data: scales })
  return graph.op("Mul", [castToFloat(graph, values), graph.op("Gather", [scaleTable, rows], { axis: 0 })])
}

/**
 * Weights with one scale per output, activations with one scale per token. The scale per token (instead of per batch, as
 * ONNX's own dynamic quantization has it) makes a text's vector independent of the texts beside it.
 */
function addInt8(graph: OnnxGraph, x: string, weights: Weights): string {
  const [outputs, inputs] = weights.shape as readonly [number, number]
  const { quantized, scales } = quantizeRows(weights)
  const transposed = new Int8Array(inputs * outputs)
  for (let o = 0; o < outputs; o++)
    for (let k = 0; k < inputs; k++) transposed[k * outputs + o] = quantized[o * inputs + k] as number
  const largest = graph.op("ReduceMax", [graph.op("Abs", [x])], { axes: [-1], keepdims: 1 })
  const tokenScale = graph.op("Div", [graph.op("Max", [largest, graph.scalar(1e-12)]), graph.scalar(127)])
  const shifted = graph.op("Add", [graph.op("Round", [graph.op("Div", [x, tokenScale])]), graph.scalar(128)])
  const product = graph.op("MatMulInteger", [
    graph.op("Cast", [shifted], { to: 2 }),
    graph.constant({ type: "int8", shape: [inputs, outputs], data: transposed }),
    graph.constant({ type: "uint8", shape: [], data: Uint8Array.of(128) }),
  ])
  const outputScales = graph.constant({ type: "float32", shape: [outputs], data: scales })
  return graph.op("Mul", [graph.op("Mul", [castToFloat(graph, product), tokenScale]), outputScales])
}

/** Blocks of 32 weights with one scale each and 4 bits a weight: the layout of Microsoft's MatMulNBits. */
function addInt4(graph: OnnxGraph, x: string, weights: Weights): string {
  const [outputs, inputs] = weights.shape as readonly [number, number]
  const block = 32
  const blocks = inputs / block
  const packed = new Uint8Array((outputs * inputs) / 2)
  const scales = new Float32Array(outputs * blocks)
  for (let b = 0; b < outputs * blocks; b++) {
    const values = weights.data.subarray(b * block, (b + 1) * block)
    const extreme = extremeOf(values)
    const scale = extreme / -8 || 1e-12
    scales[b] = scale
    for (let k = 0; k < block; k++) {
      const level = Math.max(0, Math.min(15, Math.round((values[k] as number) / scale) + 8))
      const index = (b * block + k) >> 1
      packed[index] = (packed[index] as number) | (k & 1 ? level << 4 : level)
    }
  }
  const inputNames = [
    x,
    graph.constant({ type: "uint8", shape: [outputs, blocks, block / 2], data: packed }),
    graph.constant({ type: "float32", shape: [outputs * blocks], data: scales }),
  ]
  const attributes = { K: inputs, N: outputs, bits: 4, block_size: block, accuracy_level: 4 }
  return graph.op("MatMulNBits", inputNames, attributes, "com.microsoft")
}

function quantizeRows({ shape, data }: Weights): { quantized: Int8Array; scales: Float32Array } {
  const [rows, columns] = shape as readonly [number, number]
  const quantized = new Int8Array(data.length)
  const scales = new Float32Array(rows)
  for (let r = 0; r < rows; r++) {
    const row = data.subarray(r * columns, (r + 1) * columns)
    const scale = Math.max(Math.abs(extremeOf(row)), 1e-12) / 127
    scales[r] = scale
    for (let k = 0; k < columns; k++) quantized[r * columns + k] = Math.round((row[k] as number) / scale)
  }
  return { quantized, scales }
}

/** The value that is farthest from 0. */
function extremeOf(values: Float32Array): number {
  let extreme = 0
  for (let i = 0; i < values.length; i++)
    if (Math.abs(values[i] as number) > Math.abs(extreme)) extreme = values[i] as number
  return extreme
}

function castToFloat(graph: OnnxGraph, value: string): string {
  return graph.op("Cast", [value], { to: 1 })
}
