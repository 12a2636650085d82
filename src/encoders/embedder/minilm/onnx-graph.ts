/** Element types of ONNX tensors that the encoder needs, by their number in onnx.proto. */
const elementTypes = { float32: 1, uint8: 2, int8: 3, int64: 7 } as const

/** A constant tensor. */
export interface Constant {
  readonly type: keyof typeof elementTypes
  readonly shape: readonly number[]
  readonly data: Float32Array | Uint8Array | Int8Array | BigInt64Array
}

/** Attributes of an operator: an integer, a float (boxed, since JavaScript cannot tell them apart), or integers. */
export type Attributes = Readonly<Record<string, number | { readonly float: number } | readonly number[]>>

/** Input or output of a graph; dimensions are numbers or names. */
export interface Port {
  readonly name: string
  readonly type: keyof typeof elementTypes
  readonly shape: readonly (number | string)[]
}

/** Constants of at least so many bytes go to a file of their own, where a graph has one; each begins at a page of memory. */
const minOutside = 65_536
const pageBytes = 4096

/**
 * Collects operators and constants, and writes the ONNX file. Values are referred to by name.
 *
 * With the name of a file for weights, large constants go there: a runtime maps that file into memory, and reads of a table only the
 * rows that are looked up, where constants in the graph are parsed and copied several times.
 */
export class OnnxGraph {
  readonly #weightsFile: string | null
  readonly #outside: Uint8Array[] = []
  #outsideBytes = 0
  readonly #nodes: Field[] = []
  readonly #constants: Field[] = []
  #names = 0

  constructor(weightsFile: string | null = null) {
    this.#weightsFile = weightsFile
  }

  /** Adds an operator with one output, whose name is returned. */
  op(type: string, inputs: readonly string[], attributes: Attributes = {}, domain = ""): string {
    return this.ops(type, inputs, 1, attributes, domain)[0] as string
  }

  /** Adds an operator with several outputs. */
  ops(type: string, inputs: readonly string[], outputs: number, attributes: Attributes = {}, domain = ""): string[] {
    const names = Array.from({ length: outputs }, () => this.#name(type))
    this.#node(type, inputs, names, attributes, domain)
    return names
  }

  /** Adds a constant. */
  constant({ type, shape, data }: Constant): string {
    const name = this.#name("constant")
    const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    const dimensions = shape.map((size) => integerField(1, size))
    const content =
      this.#weightsFile !== null && raw.length >= minOutside
        ? this.#placeOutside(this.#weightsFile, raw)
        : [bytesField(9, raw)]
    this.#constants.push(
      bytesField(5, [...dimensions, integerField(2, elementTypes[type]), bytesField(8, name), ...content]),
    )
    return name
  }

  /** A float32 constant without dimensions. */
  scalar(value: number): string {
    return this.constant({ type: "float32", shape: [], data: Float32Array.of(value) })
  }

  /** A list of int64. */
  integers(values: readonly number[], shape: readonly number[] = [values.length]): string {
    return this.constant({ type: "int64", shape, data: BigInt64Array.from(values, BigInt) })
  }

  /** Gives a value the name of an output. */
  output(value: string, name: string): void {
    this.#node("Identity", [value], [name], {}, "")
  }

  /** The file: IR version 8, operator set 17, and Microsoft's operators (4-bit weights). */
  file(name: string, inputs: readonly Port[], outputs: readonly Port[]): Uint8Array {
    const graph = [
      ...this.#nodes,
      bytesField(2, name),
      ...this.#constants,
      ...inputs.map((port) => bytesField(11, portFields(port))),
      ...outputs.map((port) => bytesField(12, portFields(port))),
    ]
    const operatorSets = [
      [bytesField(1, ""), integerField(2, 17)],
      [bytesField(1, "com.microsoft"), integerField(2, 1)],
    ]
    return Buffer.concat([
      integerField(1, 8),
      bytesField(2, "evalkit"),
      bytesField(7, graph),
      ...operatorSets.map((set) => bytesField(8, set)),
    ])
  }

  /** What stands in the file of weights, in order. */
  get weights(): readonly Uint8Array[] {
    return this.#outside
  }

  #placeOutside(location: string, raw: Uint8Array): Field[] {
    const reference = { location, offset: String(this.#outsideBytes), length: String(raw.length) }
    const padding = (pageBytes - (raw.length % pageBytes)) % pageBytes
    this.#outside.push(raw, new Uint8Array(padding))
    this.#outsideBytes += raw.length + padding
    const entries = Object.entries(reference).map(([key, value]) =>
      bytesField(13, [bytesField(1, key), bytesField(2, value)]),
    )
    return [...entries, integerField(14, 1)]
  }

  #name(prefix: string): string {
    this.#names++
    return `${prefix}_${this.#names}`
  }

  #node(type: string, inputs: readonly string[], outputs: readonly string[], attributes: Attributes, domain: string) {
    const [first] = outputs
    this.#nodes.push(
      bytesField(1, [
        ...inputs.map((input) => bytesField(1, input)),
        ...outputs.map((output) => bytesField(2, output)),
        bytesField(3, `${first}_node`),
        bytesField(4, type),
        ...Object.entries(attributes).map(([name, value]) => bytesField(5, attributeFields(name, value))),
        ...(domain === "" ? [] : [bytesField(7, domain)]),
      ]),
    )
  }
}

function attributeFields(name: string, value: Attributes[string]): Field[] {
  const label = bytesField(1, name)
  if (typeof value === "number") return [label, integerField(3, value), integerField(20, 2)]
  if ("float" in value) return [label, floatField(2, value.float), integerField(20, 1)]
  return [label, ...value.map((item) => integerField(8, item)), integerField(20, 7)]
}

function portFields({ name, type, shape }: Port): Field[] {
  const dimensions = shape.map((size) =>
    bytesField(1, [typeof size === "number" ? integerField(1, size) : bytesField(2, size)]),
  )
  const tensor = [integerField(1, elementTypes[type]), bytesField(2, dimensions)]
  return [bytesField(1, name), bytesField(2, [bytesField(1, tensor)])]
}

/** A field of a protocol buffer message, encoded. */
type Field = Uint8Array

/** An integer field. Source of the encoding: protobuf.dev/programming-guides/encoding. */
function integerField(number: number, value: number | bigint): Field {
  return Buffer.concat([varint(number << 3), varint(value)])
}

/** A field of 32-bit floating point. */
function floatField(number: number, value: number): Field {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return Buffer.concat([varint((number << 3) | 5), bytes])
}

/** A field of bytes: a text, a nested message or raw data. */
function bytesField(number: number, content: string | Uint8Array | readonly Field[]): Field {
  const parts =
    typeof content === "string" ? [Buffer.from(content)] : content instanceof Uint8Array ? [content] : [...content]
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([varint((number << 3) | 2), varint(length), ...parts])
}

function varint(value: number | bigint): Uint8Array {
  let rest = BigInt.asUintN(64, BigInt(value))
  const bytes: number[] = []
  do {
    const low = Number(rest & 127n)
    rest >>= 7n
    bytes.push(rest > 0n ? low | 128 : low)
  } while (rest > 0n)
  return Uint8Array.from(bytes)
}
