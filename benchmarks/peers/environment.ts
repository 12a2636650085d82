import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Where environments and runs of the peers stand. */
export const peersFolder = process.env.PEERS ?? join(tmpdir(), "evalkit-peers")

/**
 * Python of a virtual environment with the packages of a requirements file, which is made where it is not there; of `--python PATH`, where
 * that is stated. Where one of the modules cannot be imported, it says SKIPPED on standard error and ends the process with 0.
 *
 * @param more further arguments of a second `pip install`
 */
export function pythonWith(
  name: string,
  requirements: string,
  modules: readonly string[],
  more: readonly string[] = [],
): string {
  const at = process.argv.indexOf("--python")
  const python = at > 0 ? (process.argv[at + 1] ?? "python3") : venv(name, requirements, more)
  if (spawnSync(python, ["-c", `import ${modules.join(", ")}`]).status === 0) return python
  console.error(`SKIPPED: ${python} has not all packages of ${requirements}`)
  process.exit(0)
}

function venv(name: string, requirements: string, more: readonly string[]): string {
  const bin = join(peersFolder, "v", name, "bin")
  const [wanted, installed] = [[readFileSync(requirements, "utf8"), ...more].join("\n"), join(bin, "../installed.txt")]
  if (existsSync(installed) && readFileSync(installed, "utf8") === wanted) return join(bin, "python")
  if (!existsSync(bin)) spawnSync("python3", ["-m", "venv", join(bin, "..")], { stdio: "inherit" })
  console.error(`Packages of ${requirements} in ${bin}`)
  const packages = [["-r", requirements], more].filter((list) => list.length > 0)
  if (
    packages.every((list) => spawnSync(join(bin, "pip"), ["install", "-q", ...list], { stdio: "inherit" }).status === 0)
  )
    writeFileSync(installed, wanted)
  return join(bin, "python")
}
