import type { Stats } from "node:fs"
import { readdir, stat } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"

/** Endings of files that hold a model's weights. */
const weights = /\.(?:gguf|safetensors|onnx|ggml|bin|pt|pth)$/i
/** Arguments whose value is the model that is served, as llama.cpp, vLLM, SGLang and others name it. */
const modelFlags = new Set(["-m", "--model", "--model-path", "--model_path", "--model-dir"])
/** One of several parts: `model-00001-of-00003.gguf`. */
const part = /^(.*)-\d{5}-of-(\d{5})(\.[a-z]+)$/i

/**
 * The size of the model that a serving command names, in bytes: a file of weights with all its parts, or the weights in a folder. The value
 * of an argument such as `--model` counts; without one, the only argument that is a file or folder of weights. Null when none is, or
 * several are (a draft model beside the model, say), or what is named is no file of this machine.
 *
 * @param cwd folder that relative paths start from
 */
export async function modelSize(args: readonly string[], cwd: string): Promise<number | null> {
  const named = args.flatMap((argument, i) => {
    const [flag = "", value] = argument.split(/=(.*)/s)
    if (value !== undefined) return modelFlags.has(flag) ? [value] : []
    return modelFlags.has(argument) && args[i + 1] !== undefined ? [args[i + 1] as string] : []
  })
  const candidates = named.length > 0 ? named : args.filter((argument) => !argument.startsWith("-"))
  const sizes: number[] = []
  for (const candidate of new Set(candidates)) {
    const size = await weightsAt(resolve(cwd, candidate))
    if (size !== null) sizes.push(size)
  }
  return sizes.length === 1 ? (sizes[0] as number) : null
}

async function weightsAt(path: string): Promise<number | null> {
  const stats = await statOf(path)
  if (stats?.isDirectory()) return weightsIn(path)
  if (!stats?.isFile() || !weights.test(path)) return null
  const [, stem, count, ending] = part.exec(basename(path)) ?? []
  if (stem === undefined || count === undefined || ending === undefined) return stats.size
  const parts = Array.from(
    { length: Number(count) },
    (_, i) => `${stem}-${String(i + 1).padStart(5, "0")}-of-${count}${ending}`,
  )
  return sumOf(parts.map((name) => join(dirname(path), name)))
}

/** Of a folder in the form of a model hub: its safetensors, else its files of another kind of weights. */
async function weightsIn(folder: string): Promise<number | null> {
  const names = await readdir(folder).catch(() => [])
  const safe = names.filter((name) => name.toLowerCase().endsWith(".safetensors"))
  const chosen = safe.length > 0 ? safe : names.filter((name) => weights.test(name))
  return chosen.length === 0 ? null : sumOf(chosen.map((name) => join(folder, name)))
}

/** Null when one of the files is missing: a part of a model's size would be a wrong one. */
async function sumOf(paths: readonly string[]): Promise<number | null> {
  const stats = await Promise.all(paths.map(statOf))
  return stats.every((file) => file?.isFile()) ? stats.reduce((sum, file) => sum + (file as Stats).size, 0) : null
}

function statOf(path: string): Promise<Stats | null> {
  return stat(path).catch(() => null)
}
