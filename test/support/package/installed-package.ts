import { execFile } from "node:child_process"
import { lstatSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const root = fileURLToPath(new URL("../../../", import.meta.url))
const run = promisify(execFile)

/** evalkit as a user has it: packed, and installed from the tarball into an empty folder. */
export interface InstalledPackage {
  /** The folder that it is installed in; its package.json asks for nothing else. */
  readonly folder: string
  /** The installed `bin.js`. */
  readonly program: string
  readonly tarballBytes: number
  readonly installedBytes: number
  readonly installSeconds: number
  /** Names of everything in node_modules. */
  readonly packages: readonly string[]
}

/**
 * Packs what is built and installs it below `scratch`, without optional packages and without install scripts.
 * @returns what was installed, or the reason why npm could not: the registry did not answer
 */
export async function installTarball(scratch: string): Promise<InstalledPackage | string> {
  const pack = await npm(root, "pack", "--ignore-scripts", "--json", "--pack-destination", scratch)
  const [{ filename, size }] = JSON.parse(pack) as [{ filename: string; size: number }]
  const folder = join(scratch, "app")
  mkdirSync(folder)
  writeFileSync(join(folder, "package.json"), '{ "name": "app", "private": true, "type": "module" }\n')
  const start = performance.now()
  try {
    const flags = ["--omit=optional", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"]
    await npm(folder, "install", ...flags, join(scratch, filename))
  } catch (error) {
    const said = String((error as { stderr?: unknown }).stderr ?? error)
    if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTCACHED|network/.test(said)) return said.slice(0, 300)
    throw error
  }
  return {
    folder,
    program: join(folder, "node_modules/evalkit/dist/src/cli/bin.js"),
    tarballBytes: size,
    installedBytes: bytesBelow(join(folder, "node_modules")),
    installSeconds: (performance.now() - start) / 1000,
    packages: packagesIn(join(folder, "node_modules")),
  }
}

/** npm as its user calls it: without the settings that an npm around the tests hands down, but for where packages come from. */
async function npm(cwd: string, ...parameters: string[]): Promise<string> {
  const kept = /^npm_config_(registry|cache|userconfig|globalconfig)$/i
  const environment = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name) || kept.test(name))
  const { stdout } = await run("npm", parameters, {
    cwd,
    env: Object.fromEntries(environment),
    timeout: 90_000,
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === "win32",
  })
  return stdout
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + lstatSync(join(entry.parentPath, entry.name)).size, 0)
}

function packagesIn(modules: string): string[] {
  const names = readdirSync(modules).filter((name) => !name.startsWith("."))
  return names.flatMap((name) =>
    name.startsWith("@") ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
  )
}
