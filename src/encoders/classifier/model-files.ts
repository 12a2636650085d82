import { existsSync, statSync } from "node:fs"
import { basename, dirname, isAbsolute, join, resolve } from "node:path"
import { EvalkitError } from "../../core/errors.ts"
import type { ClassifierSettings } from "./settings.ts"

/** Where a model's files are; `folder` is null for a hub id. */
export interface ModelFiles {
  readonly folder: string | null
  /** What transformers.js is asked for: the folder's name, or the hub id. */
  readonly name: string
  /** Folder of the ONNX file within it, `""` for the folder itself. */
  readonly subfolder: string
  /** ONNX file without ending and without the suffix of its precision; null: `model`. */
  readonly fileName: string | null
  /** The whole file's path; null for a hub id. */
  readonly path: string | null
}

/** How transformers.js ends the names of files in each precision. */
const suffixes = { fp32: "", fp16: "_fp16", q8: "_quantized" } as const

/**
 * Finds the files of a model that was named by a local folder (`model.onnx` in it or in its folder `onnx`) or a local ONNX file
 * (tokenizer.json beside it or one folder up). Looks at no network: a hub id has no files yet.
 *
 * @throws {EvalkitError} `model_unavailable` where a local file is missing, with every place that was looked at
 */
export function modelFiles({ model, dtype, feature }: ClassifierSettings): ModelFiles {
  if (!isLocal(model)) return { folder: null, name: model, subfolder: "onnx", fileName: null, path: null }
  const path = resolve(model)
  if (!existsSync(path))
    throw missing(feature, model, [path], "there is nothing: give the folder or the .onnx file of a model")
  return statSync(path).isDirectory() ? inFolder(path, dtype, feature) : ofFile(path, feature)
}

function isLocal(model: string): boolean {
  return isAbsolute(model) || model.startsWith(".") || model.endsWith(".onnx") || existsSync(model)
}

function inFolder(folder: string, dtype: ClassifierSettings["dtype"], feature: string): ModelFiles {
  const file = `model${suffixes[dtype]}.onnx`
  const subfolder = ["onnx", ""].find((name) => existsSync(join(folder, name, file)))
  const looked = [join(folder, "onnx", file), join(folder, file)]
  if (subfolder === undefined)
    throw missing(feature, folder, looked, `there is no ${file}: name the .onnx file itself, or another dtype`)
  needsTokenizer(folder, feature, [folder])
  return { folder, name: basename(folder), subfolder, fileName: null, path: join(folder, subfolder, file) }
}

function ofFile(path: string, feature: string): ModelFiles {
  const beside = dirname(path)
  const folder = [beside, dirname(beside)].find((parent) => existsSync(join(parent, "tokenizer.json"))) ?? beside
  needsTokenizer(folder, feature, [beside, dirname(beside)])
  return {
    folder,
    name: basename(folder),
    subfolder: folder === beside ? "" : basename(beside),
    fileName: basename(path, ".onnx"),
    path,
  }
}

function needsTokenizer(folder: string, feature: string, looked: readonly string[]): void {
  for (const file of ["tokenizer.json", "tokenizer_config.json"])
    if (!existsSync(join(folder, file)))
      throw missing(
        feature,
        folder,
        looked.map((path) => join(path, file)),
        `put the model's ${file} beside its ONNX file, as its makers publish it`,
      )
}

function missing(feature: string, model: string, looked: readonly string[], what: string): EvalkitError {
  return new EvalkitError(`the weights of the ${feature} are missing`, {
    code: "model_unavailable",
    where: model,
    hint: `${what} (looked at ${looked.join(", ")}); docs/models.md says which files`,
  })
}
