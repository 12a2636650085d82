import { spawnSync } from "node:child_process"
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readSync } from "node:fs"
import { join } from "node:path"
import { peersFolder } from "../../peers/environment.ts"

/** llama.cpp at commit 0c1e570, whole, in the source of this package of PyPI: 61 MB to download, 217 MB unpacked, 60 MB built. */
const source = "llama_cpp_python==0.3.36"
const programs = ["llama-perplexity", "llama-quantize", "llama-bench"] as const

/** llama.cpp's own programs, compiled here on first use: 9 minutes of one processor; needs pip, cmake, a C++ compiler. */
export function llamaCpp(): Readonly<Record<(typeof programs)[number], string>> {
  const folder = join(peersFolder, "llama.cpp")
  const build = join(folder, "build")
  const paths = programs.map((name) => [name, join(build, "bin", name)] as const)
  if (!paths.every(([, path]) => existsSync(path))) {
    mkdirSync(folder, { recursive: true })
    const run = (command: string, ...args: string[]) => {
      if (spawnSync(command, args, { cwd: folder, stdio: "inherit" }).status !== 0) process.exit(1)
    }
    run("python3", "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "--no-build-isolation", source)
    run("tar", "xzf", readdirSync(folder).find((name) => name.endsWith(".tar.gz")) as string)
    const tree = `${source.replace("==", "-")}/vendor/llama.cpp`
    const off = ["CURL", "OPENSSL", "BUILD_TESTS", "BUILD_EXAMPLES", "BUILD_SERVER"].map(
      (part) => `-DLLAMA_${part}=OFF`,
    )
    run("cmake", "-S", tree, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_SHARED_LIBS=OFF", ...off)
    run("cmake", "--build", build, "--target", ...programs)
  }
  return Object.fromEntries(paths) as Record<(typeof programs)[number], string>
}

/** Tokens of a text and their distributions, as `llama-perplexity --save-all-logits` writes them; logarithms in steps of a 65,535th of their range. */
export interface SavedLogits {
  readonly contextSize: number
  readonly vocabulary: number
  readonly chunks: number
  readonly tokens: Int32Array
  /** Positions with a distribution, of all chunks: those of the second half of each, but its last. */
  readonly positions: number
  /** The token behind a position. */
  next(position: number): number
  /** Log-probabilities of the whole vocabulary for that token. */
  logprobs(position: number): Float64Array
  close(): void
}

/** Opens such a file. */
export function openLogits(path: string): SavedLogits {
  const file = openSync(path, "r")
  const read = (bytes: number, at: number) => {
    const buffer = Buffer.alloc(bytes)
    readSync(file, buffer, 0, bytes, at)
    return buffer
  }
  const head = read(20, 0)
  const [contextSize, vocabulary, chunks] = [head.readInt32LE(8), head.readInt32LE(12), head.readInt32LE(16)]
  const listed = read(4 * contextSize * chunks, 20)
  const rowBytes = 2 * (2 * Math.ceil(vocabulary / 2) + 4)
  const tokens = Int32Array.from({ length: contextSize * chunks }, (_, i) => listed.readInt32LE(4 * i))
  const first = Math.floor(contextSize / 2)
  const counted = contextSize - 1 - first
  return {
    ...{ contextSize, vocabulary, chunks, tokens },
    positions: chunks * counted,
    next: (position) => tokens[Math.floor(position / counted) * contextSize + first + 1 + (position % counted)] ?? 0,
    logprobs(position) {
      const row = read(rowBytes, 20 + listed.length + position * rowBytes)
      const [scale, least] = [row.readFloatLE(0), row.readFloatLE(4)]
      return Float64Array.from({ length: vocabulary }, (_, i) => scale * row.readUInt16LE(8 + 2 * i) + least)
    },
    close: () => closeSync(file),
  }
}
