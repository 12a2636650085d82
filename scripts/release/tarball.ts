import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** What a tarball is and what it becomes where it is installed. */
export interface TarballFacts {
  readonly file: string
  readonly packedBytes: number
  readonly files: number
  readonly installSeconds: number
}

interface Packed {
  readonly filename: string
  readonly size: number
  readonly entryCount: number
}

/** Builds the package and packs it into a folder. */
export function pack(root: string, folder: string): Packed {
  npm(["run", "-s", "build"], root)
  const output = npm(["pack", "--json", "--pack-destination", folder], root)
  const [packed] = JSON.parse(output) as Packed[]
  return packed as Packed
}

/**
 * Installs a tarball into an empty folder and uses it as a stranger would: version, help, import, metrics over a file.
 *
 * @throws Error when a step fails or answers something else
 */
export function smokeTest(root: string, version: string): TarballFacts {
  const folder = mkdtempSync(join(tmpdir(), "evalkit-release-"))
  try {
    const { filename, size, entryCount } = pack(root, folder)
    writeFileSync(join(folder, "package.json"), '{ "name": "smoke", "private": true, "type": "module" }\n')
    const started = performance.now()
    npm(["install", "--no-audit", "--no-fund", `./${filename}`], folder)
    const installSeconds = (performance.now() - started) / 1000
    expectText("evalkit --version", evalkit(folder, "--version"), version)
    expectText("evalkit --help", evalkit(folder, "--help"), "usage: evalkit")
    const code =
      'import { defineConfig, exactMatch } from "evalkit"; console.log(typeof defineConfig, exactMatch().name)'
    expectText('import "evalkit"', run("node", ["--input-type=module", "-e", code], folder), "function exactMatch")
    expectText("evalkit score", scoreFile(folder), "0.5")
    return { file: filename, packedBytes: size, files: entryCount, installSeconds }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function scoreFile(folder: string): string {
  const rows = [
    { id: "a", output: "Paris", references: ["Paris"] },
    { id: "b", output: "Rome", references: ["Bonn"] },
  ]
  writeFileSync(join(folder, "rows.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
  writeFileSync(
    join(folder, "score.config.ts"),
    'import { defineConfig, exactMatch } from "evalkit"\nexport default defineConfig({ metrics: [exactMatch()] })\n',
  )
  return evalkit(folder, "score", "rows.jsonl", "--config", "score.config.ts", "--json")
}

function evalkit(folder: string, ...args: string[]): string {
  const { bin } = JSON.parse(readFileSync(join(folder, "node_modules/evalkit/package.json"), "utf8"))
  return run("node", [join(folder, "node_modules/evalkit", bin.evalkit), ...args], folder)
}

function expectText(what: string, actual: string, expected: string): void {
  if (!actual.includes(expected)) throw new Error(`${what}: expected ${expected}, got ${actual.slice(0, 400)}`)
}

function npm(args: readonly string[], cwd: string): string {
  return run("npm", args, cwd)
}

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, {
    cwd,
    encoding: "utf8",
    timeout: 600_000,
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 64 * 1024 * 1024,
    // npm hands its own settings to what it starts; the folder of the test is a project of its own.
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(?!config_)/i.test(name))),
  })
}
