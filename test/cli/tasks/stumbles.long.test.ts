import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { callCli } from "../../support/call-cli.ts"
import { type PickyService, startPickyService } from "../../support/picky-service.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const index = new URL("../../../dist/src/index.js", import.meta.url).href
let service: PickyService
let isRefusing = true
const cwd = scratchDirectory()

beforeAll(async () => {
  service = await startPickyService({
    refuse: () => (isRefusing ? { status: 401, message: "Incorrect API key provided" } : null),
    answer: () => "right",
  })
  writeFileSync(
    join(cwd, "eval.config.ts"),
    `import { defineConfig, exactMatch, openai } from ${JSON.stringify(index)}
const one = (name: string) => ({ name, provider: openai({ model: name, baseUrl: "${service.url}", apiKeyVariable: null }) })
export default defineConfig({
  dataset: Array.from({ length: 12 }, (_, i) => ({ id: "s" + i, input: "item " + i, reference: "right" })),
  variants: [one("a"), one("b")],
  metrics: [exactMatch()],
})
`,
  )
})
afterAll(() => service.close())

const run = (...args: readonly string[]) => callCli(args, { cwd })

describe("where people stumbled once", { timeout: 120_000 }, () => {
  it("a refusal says its status once, in the summary, in show and in the report", async () => {
    const { code, stdout, stderr } = await run("run")
    expect(code).toBe(5)
    const shown = await run("show")
    const markdown = await run("report", "--format", "md")
    for (const text of [stdout, stderr, shown.stdout, markdown.stdout]) {
      expect(text).not.toMatch(/HTTP 401[:,;. ]*HTTP 401/)
      expect(text).not.toMatch(/Incorrect API key provided[^\n]{0,20}Incorrect API key provided/)
    }
    expect(shown.stdout.replace(/\s+/g, " ")).toContain("Incorrect API key provided")
  })

  it("what to do next works where it is said: the resumed run asks again what failed", async () => {
    const { stdout } = await run("show")
    const words = stdout.replace(/ \\\n +/g, " ").replace(/\s+/g, " ")
    const [, resume = ""] = /evalkit (run --resume [0-9a-f]{8} --retry-failed)/.exec(words) ?? []
    expect(resume).not.toBe("")
    isRefusing = false
    const resumed = await run(...resume.split(" "))
    expect(resumed.code, resumed.stderr).toBe(0)
    const [, compare = ""] = /evalkit (compare a b)/.exec(resumed.stdout) ?? []
    expect((await run(...compare.split(" "))).code).toBeLessThan(5)
  })

  it("md and markdown are one format", async () => {
    const [short, long] = [await run("report", "--format", "md"), await run("report", "--format", "markdown")]
    expect(short).toEqual(long)
    expect(short.stdout).toMatch(/^## /)
  })

  it("a name that evalkit does not export, or another part does, is named as the config has it", async () => {
    const wrong = join(cwd, "wrong.config.ts")
    writeFileSync(
      wrong,
      `import * as evalkit from ${JSON.stringify(index)}\nexport default { metrics: [(evalkit as any).correctness()] }\n`,
    )
    const named = join(cwd, "named.config.ts")
    writeFileSync(
      named,
      `import { correctness } from ${JSON.stringify(index)}\nexport default { metrics: [(correctness as any)()] }\n`,
    )
    const inside = join(cwd, "inside.config.ts")
    writeFileSync(
      inside,
      `import { rubrics } from ${JSON.stringify(index)}\nexport default { metrics: [(rubrics as any).correctness()] }\n`,
    )
    for (const path of [wrong, named, inside]) {
      const { code, stderr } = await run("run", path)
      expect(code).toBe(2)
      expect(stderr).toContain("correctness")
      expect(stderr).not.toMatch(/\(0 ?, |_evalkit|_index/)
    }
  })
})
