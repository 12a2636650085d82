import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { loadConfig } from "../../src/config/load.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> }
const runs = [...(scripts.start ?? "").matchAll(/bin\.js run (\S+)/g)].map(([, path]) => path ?? "")

describe("npm start", () => {
  it("runs a small conversation and a small task with tools first, and ends with the quantizations", () => {
    expect(runs).toEqual(["examples/tiny-agent/eval.config.ts", "eval.config.ts"])
    for (const path of runs) expect(existsSync(join(root, path))).toBe(true)
    // Both runs are in the folder from which `next` says how to look at them.
    expect(scripts.start).toContain("examples/tiny-agent/eval.config.ts --directory .evalkit &&")
  })

  it("builds what it runs, and no declarations", () => {
    expect(scripts.start).toMatch(/^node scripts\/build\/run\.mjs && /)
    expect(scripts["build:run"]).toBe("node scripts/build/run.mjs")
    expect(readFileSync(join(root, "scripts/build/run.mjs"), "utf8")).not.toContain("tsc")
    expect(scripts.build).toContain("npm run -s build:run")
  })

  it("asks questions over several turns, and tasks whose tools change a state", async () => {
    const { evaluation } = await loadConfig(join(root, runs[0] as string))
    const { dataset, variants } = evaluation
    const samples = []
    for await (const sample of dataset?.samples() ?? []) samples.push(sample)
    expect(samples.filter(({ turns }) => (turns?.length ?? 0) > 1).length).toBeGreaterThan(0)
    expect(samples.filter(({ expectedTools }) => expectedTools.length > 0).length).toBeGreaterThan(0)
    for (const { episode } of variants) {
      expect(episode?.tools.length).toBeGreaterThan(0)
      expect(episode?.state).toBeTypeOf("function")
    }
  })
})
