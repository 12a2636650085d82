import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeEach, describe, expect, it } from "vitest"
import { compiledFolder } from "../../src/config/compiled-folder.ts"
import { runCli } from "../support/cli.ts"
import { scratchDirectory } from "../support/scratch.ts"

const configNamed = (name: string) => `
import { defineConfig, exactMatch, inline, recorded, variant } from "evalkit"
export default defineConfig({
  dataset: inline([{ id: "1", input: "question", reference: "answer" }]),
  variants: [variant({ name: ${JSON.stringify(name)} as string, provider: recorded("answers.jsonl") })],
  metrics: [exactMatch()],
})
`

let folder: string
let environment: { EVALKIT_CACHE_DIR: string }
let kept: string
beforeEach(() => {
  folder = scratchDirectory()
  writeFileSync(join(folder, "answers.jsonl"), `${JSON.stringify({ id: "1", output: "answer" })}\n`)
  environment = { EVALKIT_CACHE_DIR: join(folder, "cache") }
  kept = join(folder, "cache", "config")
})

describe("what the transpiler made of a config", () => {
  const named = async (name: string) => {
    const { code, stdout, stderr } = await runCli(["run", "--dry-run"], { cwd: folder, environment })
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stdout + stderr).toContain(name)
  }

  it.skipIf(process.platform !== "linux")("is not kept in a folder that can never be made", async () => {
    const config = join(folder, "eval.config.ts")
    writeFileSync(config, configNamed("first"))
    environment = { EVALKIT_CACHE_DIR: "/proc/1/nothing" }
    await named("first")
  })

  it("is kept and run the next time, until the config changes", async () => {
    const config = join(folder, "eval.config.ts")
    writeFileSync(config, configNamed("first"))
    await named("first")
    const [file] = readdirSync(kept)
    const path = join(kept, file as string)
    const made = readFileSync(path, "utf8")
    expect(made).not.toContain("as string")
    // Another text with the mark of the same source: only what is kept can say so.
    writeFileSync(path, made.replace("first", "kept"))
    await named("kept")
    writeFileSync(config, configNamed("second"))
    await named("second")
  })

  it("is not kept where others may write, and the config runs all the same", async () => {
    mkdirSync(kept, { recursive: true })
    chmodSync(kept, 0o770)
    writeFileSync(join(folder, "eval.config.ts"), configNamed("first"))
    await named("first")
    expect(readdirSync(kept)).toEqual([])
  })
})

describe("its folder", () => {
  it("is the user's alone", () => {
    expect(compiledFolder(environment)).toBe(kept)
    expect(existsSync(kept)).toBe(true)
    if (process.platform === "win32") return
    chmodSync(kept, 0o707)
    expect(compiledFolder(environment)).toBe(false)
  })

  it("is none where it cannot be made", () => {
    writeFileSync(join(folder, "cache"), "a file")
    expect(compiledFolder(environment)).toBe(false)
  })

  it("forgets the oldest before it holds more than a few hundred", () => {
    mkdirSync(kept, { recursive: true, mode: 0o700 })
    for (let i = 0; i < 201; i++) {
      writeFileSync(join(kept, `${i}.mjs`), "")
      utimesSync(join(kept, `${i}.mjs`), i, i)
    }
    compiledFolder(environment)
    const left = readdirSync(kept)
    expect(left).toHaveLength(100)
    expect(left).toContain("200.mjs")
    expect(left).not.toContain("100.mjs")
  })
})
