import { execFile } from "node:child_process"
import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { build as esbuild } from "esbuild"
import { createLogger, build as vite } from "vite"
import { beforeAll, describe, expect, it } from "vitest"
import { type InstalledPackage, installTarball } from "../support/package/installed-package.ts"
import { scratchDirectory } from "../support/scratch.ts"

const scratch = scratchDirectory()
const run = promisify(execFile)
let installed: InstalledPackage | string

/** A program of a user: answers scored, a run, its report. METEOR reads a file beside evalkit's code, the page is another. */
const program = `import { evaluate, exactMatch, fromFunction, inline, meteor, score, variant } from "evalkit"
const { figures } = await score([{ answer: "the car", reference: "the auto" }], [meteor()])
const result = await evaluate({
  dataset: inline(Array.from({ length: 6 }, (_, i) => ({ input: String(i), reference: String(i) }))),
  variants: [
    variant({ name: "now", provider: fromFunction((input) => String(input), { version: "1" }) }),
    variant({ name: "next", provider: fromFunction(() => "4", { version: "1" }) }),
  ],
  metrics: [exactMatch()],
})
const page: string = await result.render("html")
const meteorFigure = figures["meteor"]
export const found = {
  meteor: meteorFigure?.status === "known" ? meteorFigure.value : null,
  status: result.status,
  page: page.length > 10_000,
}
;(globalThis as { found?: unknown }).found = found
`

beforeAll(async () => {
  installed = await installTarball(scratch)
  if (typeof installed === "string") return console.warn(`the registry does not answer: NOT tested: ${installed}`)
  writeFileSync(join(installed.folder, "program.ts"), program)
}, 120_000)

function bundlerTest(name: string, test: (app: InstalledPackage) => Promise<void>): void {
  it(name, { timeout: 240_000 }, async (context) => {
    if (typeof installed === "string") return context.skip(installed)
    await test(installed)
  })
}

async function expectRuns(app: InstalledPackage, folder: string): Promise<void> {
  const file = readdirSync(join(app.folder, folder)).find((name) => name.startsWith("program"))
  const code = `await import("./${file}"); console.log(JSON.stringify(globalThis.found))`
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", code], { cwd: join(app.folder, folder) })
  expect(JSON.parse(stdout)).toEqual({ meteor: 0.9375, status: "finished", page: true })
}

describe("a program that is bundled with evalkit and none of its optional packages", () => {
  bundlerTest(
    "has declarations that a strict compiler accepts, libraries checked, without @types/node",
    async (app) => {
      const tsc = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url))
      const flags = "--noEmit --strict --skipLibCheck false --exactOptionalPropertyTypes --noUncheckedIndexedAccess"
      const target = "--target es2023 --module nodenext --lib es2023,dom"
      const { stdout } = await run(process.execPath, [tsc, ...`${flags} ${target}`.split(" "), "program.ts"], {
        cwd: app.folder,
      }).catch((error: { stdout: string }) => error)
      expect(stdout).toBe("")
    },
  )

  bundlerTest("is built by esbuild without a warning, and runs", async (app) => {
    const { warnings } = await esbuild({
      absWorkingDir: app.folder,
      entryPoints: ["program.ts"],
      bundle: true,
      platform: "node",
      format: "esm",
      outfile: "esbuild/program.mjs",
      logLevel: "silent",
    })
    expect(warnings).toEqual([])
    await expectRuns(app, "esbuild")
  })

  bundlerTest("is built by Vite with Rollup without a warning of a package, and runs", async (app) => {
    const warnings: string[] = []
    const logger = createLogger("silent")
    await vite({
      root: app.folder,
      configFile: false,
      customLogger: { ...logger, warn: (text) => warnings.push(text) },
      ssr: { noExternal: true },
      build: { ssr: "program.ts", outDir: "vite", minify: false, target: "node20", chunkSizeWarningLimit: 1e6 },
    })
    expect(warnings.filter((text) => /resolve|external|import/i.test(text))).toEqual([])
    await expectRuns(app, "vite")
  })

  bundlerTest("says what to do where evalkit's files are nowhere", async (app) => {
    const alone = join(scratch, "alone")
    mkdirSync(alone)
    await esbuild({
      absWorkingDir: app.folder,
      entryPoints: ["program.ts"],
      bundle: true,
      platform: "node",
      format: "esm",
      outfile: join(alone, "program.mjs"),
      logLevel: "silent",
    })
    const failed = await run(process.execPath, ["program.mjs"], { cwd: alone }).catch((error: unknown) => error)
    expect(String((failed as { stderr?: string }).stderr)).toContain('keep evalkit out of it (external: ["evalkit"])')
  })
})
