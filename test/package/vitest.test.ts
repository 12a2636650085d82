import { execFile } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { beforeAll, describe, expect, it } from "vitest"
import { runCli } from "../support/cli.ts"
import { type InstalledPackage, installTarball } from "../support/package/installed-package.ts"
import { scratchDirectory } from "../support/scratch.ts"

const modules = fileURLToPath(new URL("../../node_modules/", import.meta.url))
const scratch = scratchDirectory()
let installed: InstalledPackage | string

beforeAll(async () => {
  installed = await installTarball(scratch)
  if (typeof installed === "string")
    return console.warn(`the registry does not answer, evalkit/vitest is NOT tested in a project: ${installed}`)
  // The project's own vitest, as its author would have it; from the clone, so that the registry is not asked for two hundred packages.
  symlinkSync(join(modules, "vitest"), join(installed.folder, "node_modules/vitest"), "junction")
  mkdirSync(join(installed.folder, "test"))
  writeFileSync(join(installed.folder, "test/app.test.ts"), tests)
}, 400_000)

const tests = `import { contains, exactMatch, fromFunction, variant } from "evalkit"
import { evaluate } from "evalkit/vitest"
import { expect, test } from "vitest"

const capital = ({ messages }: { messages: readonly { content: string }[] }) =>
  messages.at(-1)?.content === "Capital of France?" ? "Paris" : "I do not know"
const dataset = [
  { id: "a", input: "Capital of France?", reference: "Paris" },
  { id: "b", input: "Capital of Japan?", reference: "Tokyo" },
]

test("one answer passes", async () => {
  await expect("It is Paris.").toScore(contains(), { atLeast: 1, reference: "Paris" })
})
test("one answer fails", async () => {
  await expect("Rome").toScore(exactMatch(), { atLeast: 1, reference: "Paris" })
})
evaluate("a limit that holds", {
  dataset,
  variants: [variant({ name: "app", provider: fromFunction(capital, { name: "app" }) })],
  metrics: [exactMatch()],
  gate: [{ figure: "exactMatch", max: 1 }],
}, { check: (report) => expect(report.variants).toHaveLength(1) })
evaluate("a limit that is broken", {
  dataset: Array.from({ length: 40 }, (_, i) => ({ id: String(i), input: "?", reference: "x" })),
  variants: [variant({ name: "app", provider: fromFunction(capital, { name: "app" }) })],
  metrics: [exactMatch()],
  gate: [{ figure: "exactMatch", min: 0.9 }],
})
evaluate("a limit that two samples cannot decide", {
  dataset,
  variants: [variant({ name: "app", provider: fromFunction(capital, { name: "app" }) })],
  metrics: [exactMatch()],
  gate: [{ figure: "exactMatch", min: 0.5 }],
})
evaluate("the same, left to a larger run", {
  dataset,
  variants: [variant({ name: "app", provider: fromFunction(capital, { name: "app" }) })],
  metrics: [exactMatch()],
  gate: [{ figure: "exactMatch", min: 0.5 }],
}, { inconclusive: "pass" })
evaluate("an assertion of one's own", {
  dataset,
  variants: [variant({ name: "app", provider: fromFunction(capital, { name: "app" }) })],
  metrics: [exactMatch()],
}, { check: () => { throw new Error("not as I want it") } })
`

interface Results {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly title: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

describe("evalkit/vitest in a project that has installed evalkit", () => {
  it("adds toScore, runs evaluations as tests, and keeps their runs in the store", {
    timeout: 180_000,
  }, async (context) => {
    if (typeof installed === "string") return context.skip(installed)
    const { folder, program } = installed
    const report = join(folder, "results.json")
    const vitest = join(modules, "vitest/vitest.mjs")
    await promisify(execFile)(
      process.execPath,
      [vitest, "run", "--reporter=json", `--outputFile=${report}`, "--root", folder],
      {
        cwd: folder,
        timeout: 120_000,
        env: { ...process.env, CI: "1", NO_COLOR: "1" },
      },
    ).catch((error: { stderr?: string }) => {
      if (!existsSync(report)) throw new Error(`vitest did not run: ${error.stderr}`)
    })
    const { testResults } = JSON.parse(readFileSync(report, "utf8")) as Results
    const ended = new Map(
      testResults.flatMap(({ assertionResults }) => assertionResults.map((one) => [one.title, one] as const)),
    )
    expect(Object.fromEntries([...ended].map(([title, { status }]) => [title, status]))).toEqual({
      "one answer passes": "passed",
      "one answer fails": "failed",
      "a limit that holds": "passed",
      "a limit that is broken": "failed",
      "a limit that two samples cannot decide": "failed",
      "the same, left to a larger run": "passed",
      "an assertion of one's own": "failed",
    })
    const said = (title: string) => ended.get(title)?.failureMessages.join("\n") ?? ""
    expect(said("one answer fails")).toContain("exactMatch is 0, expected at least 1 (0 to 1, higher is better)")
    expect(said("a limit that is broken")).toMatch(/failed: .*exact match[\s\S]*see it with: evalkit view [0-9a-f]{8}/)
    expect(said("a limit that two samples cannot decide")).toContain("inconclusive: ")
    expect(said("an assertion of one's own")).toContain("not as I want it")
    const runs = await runCli(["runs", "--json"], { cwd: folder, program })
    expect((JSON.parse(runs.stdout) as readonly object[]).length).toBe(5)
  })

  it("gives TypeScript the matcher", { timeout: 120_000 }, async (context) => {
    if (typeof installed === "string") return context.skip(installed)
    writeFileSync(
      join(installed.folder, "test/types.ts"),
      `import "evalkit/vitest"
import { exactMatch } from "evalkit"
import { expect } from "vitest"
export const right: Promise<void> = expect("a").toScore(exactMatch(), { atLeast: 1 })
// @ts-expect-error a limit that it does not have
export const wrong = expect("a").toScore(exactMatch(), { atLest: 1 })
`,
    )
    const tsc = join(modules, "typescript/bin/tsc")
    const flags = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2023", "--module", "nodenext"]
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, ...flags, "test/types.ts"], {
      cwd: installed.folder,
    }).catch((error: { stdout: string }) => error)
    expect(stdout).toBe("")
  })
})
