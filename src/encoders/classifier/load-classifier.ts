import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { EvalkitError, messageOf } from "../../core/errors.ts"
import { importOptional } from "../../core/optional-package.ts"
import { type ModelFiles, modelFiles } from "./model-files.ts"
import type { ClassifierPass, Encoded, TextEncoder } from "./read-texts.ts"
import type { ClassifierSettings } from "./settings.ts"

/** A loaded model, as little of transformers.js as is needed. */
export interface LoadedClassifier {
  /** In the order of the outputs; empty where neither the settings nor config.json names them. */
  readonly labels: readonly string[]
  readonly encoder: TextEncoder
  /** Tokens that one pass can take. */
  readonly limit: number
  /** Logits of readings whose inputs have equal lengths: a row for each token of interest, or one row. */
  run(readings: readonly ClassifierPass[]): Promise<readonly (readonly (readonly number[])[])[]>
  dispose(): Promise<void>
}

/**
 * Loads a model from a local folder or file, or from the hub: any ONNX graph whose inputs are `input_ids` (and `attention_mask`,
 * `token_type_ids`), alone or with the prefixes that the settings name, and whose first output (or `logits`) is batch × labels, or
 * batch × tokens × labels.
 *
 * @throws {MissingPackageError} without @huggingface/transformers
 * @throws {EvalkitError} `model_unavailable` when the model cannot be loaded
 */
export async function loadClassifier(settings: ClassifierSettings): Promise<LoadedClassifier> {
  const files = modelFiles(settings)
  const library = await importOptional<typeof import("@huggingface/transformers")>(
    "@huggingface/transformers",
    `a ${settings.feature}`,
  )
  const { AutoConfig, AutoTokenizer, PreTrainedModel, Tensor, env } = library
  if (files.folder) env.localModelPath = dirname(files.folder)
  env.allowRemoteModels = files.folder === null
  env.cacheDir = join(settings.cacheDirectory, "hub")
  try {
    const tokenizer = await AutoTokenizer.from_pretrained(files.name)
    const stated = files.folder
      ? configIn(files.folder)
      : ({ ...(await AutoConfig.from_pretrained(files.name)) } as Config)
    // Whatever the architecture: one graph, run as it is.
    const config = { ...stated, model_type: "bert", architectures: ["BertModel"] }
    const network = await PreTrainedModel.from_pretrained(files.name, {
      config: config as never,
      dtype: files.fileName === null ? settings.dtype : "fp32",
      subfolder: files.subfolder,
      ...(files.fileName !== null && { model_file_name: files.fileName }),
      ...(hasDataBeside(files) && { use_external_data_format: true }),
      session_options: { intraOpNumThreads: settings.threads, interOpNumThreads: 1 },
    })
    const names = new Set<string>(network.sessions.model.inputNames)
    const encode = (text: string, special: boolean, pair: string | null): Encoded => {
      const { input_ids: ids, token_type_ids: types } = tokenizer(text, {
        add_special_tokens: special,
        return_tensor: false,
        return_token_type_ids: true,
        ...(pair !== null && { text_pair: pair }),
      }) as { input_ids: number[]; token_type_ids?: number[] }
      return { ids, types: types ?? null }
    }
    const tensorOf = (rows: readonly (readonly number[])[]) =>
      new Tensor("int64", BigInt64Array.from(rows.flat(), BigInt), [rows.length, rows[0]?.length ?? 0])
    const inputsOf = (readings: readonly ClassifierPass[]) =>
      Object.fromEntries(
        [...(readings[0]?.inputs.keys() ?? [])].flatMap((prefix) => {
          const rows = readings.map(({ inputs }) => inputs.get(prefix) as Encoded)
          const parts = {
            input_ids: rows.map(({ ids }) => ids),
            attention_mask: rows.map(({ ids }) => ids.map(() => 1)),
            token_type_ids: rows.map(({ ids, types }) => types ?? ids.map(() => 0)),
          }
          return Object.entries(parts).flatMap(([part, values]) =>
            names.has(prefix + part) ? [[prefix + part, tensorOf(values)]] : [],
          )
        }),
      )
    return {
      labels: settings.labels ?? labelsOf(stated),
      encoder: {
        encode: (text, pair) => encode(text, true, pair),
        count: (text) => encode(text, false, null).ids.length,
        endOfText: textOf(tokenizer, "eos_token") ?? textOf(tokenizer, "sep_token") ?? "",
        closing: closingTokens(encode("a", true, null).ids, encode("a", false, null).ids),
      },
      limit: settings.maxTokens === 0 ? limitOf(stated, tokenizer.model_max_length) : settings.maxTokens,
      async run(readings) {
        const tensors = inputsOf(readings)
        const unsupported = [...names].filter((name) => !(name in tensors))
        if (unsupported.length > 0)
          throw new EvalkitError(`the graph wants inputs that are not given: ${unsupported.join(", ")}`, {
            code: "model_unavailable",
            where: settings.model,
            hint: "docs/models.md says which inputs each form has",
          })
        const outputs = (await network(tensors)) as Readonly<Record<string, unknown>>
        const output = outputs.logits ?? Object.values(outputs)[0]
        if (!(output instanceof Tensor)) throw new Error("the graph gives no tensor")
        return rowsOf(output.tolist() as Nested, readings, settings.tokens)
      },
      dispose: async () => {
        await network.dispose()
      },
    }
  } catch (error) {
    if (error instanceof EvalkitError) throw error
    const hub = `it is not in ${join(settings.cacheDirectory, "hub")}, and the hub did not give it`
    throw new EvalkitError(`the ${settings.feature} cannot be loaded`, {
      code: "model_unavailable",
      where: settings.model,
      hint: `${files.path === null ? hub : `looked at ${files.path}`}: give a local folder or .onnx file, or a model id where the hub can be reached (${messageOf(error)})`,
      cause: error,
    })
  }
}

interface Config {
  readonly id2label?: Readonly<Record<string, string>>
  readonly max_position_embeddings?: number
}

function configIn(folder: string): Config {
  const path = join(folder, "config.json")
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Config) : {}
}

function labelsOf({ id2label = {} }: Config): readonly string[] {
  return Object.entries(id2label)
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([, label]) => label)
}

/** Large graphs keep their weights in a file of their own. */
function hasDataBeside({ path }: ModelFiles): boolean {
  return path !== null && existsSync(`${path}_data`)
}

/** RoBERTa's positions begin at 2: its tokenizer states the smaller number. */
function limitOf({ max_position_embeddings: positions }: Config, stated: number | undefined): number {
  const lengths = [positions, stated].filter((n): n is number => typeof n === "number" && n > 0 && n < 1e6)
  return Math.min(8192, ...(lengths.length === 0 ? [512] : lengths))
}

function textOf(tokenizer: object, key: string): string | null {
  const value: unknown = Reflect.get(tokenizer, key)
  return typeof value === "string" && value !== "" ? value : null
}

/** Special tokens after a text. */
function closingTokens(full: readonly number[], bare: readonly number[]): number {
  const start = full.findIndex((_, i) => bare.every((id, k) => full[i + k] === id))
  return start < 0 ? 0 : full.length - start - bare.length
}

type Nested = readonly (number | readonly (number | readonly number[])[])[]

/** One row of logits for each reading, or one for each token that counts. */
function rowsOf(
  output: Nested,
  readings: readonly ClassifierPass[],
  tokens: ClassifierSettings["tokens"],
): number[][][] {
  return output.map((row, i) => {
    if (typeof row === "number") return [[row]]
    if (typeof row[0] === "number") return [row as number[]]
    const { from, to } = readings[i] as ClassifierPass
    const all = row as number[][]
    return tokens === "first" ? all.slice(0, 1) : all.slice(from, Math.max(from + 1, to))
  })
}
