import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { RunReport } from "../../src/core/report/report.ts"
import type { Mock } from "../support/mocks/frame.ts"
import { type CliProcess, startCliProcess } from "../support/one-process/cli-process.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { type Block, blocksOf, commandsOf, documents, isRun, root } from "./blocks.ts"
import { faultsOf, optionsOf } from "./known-command.ts"
import { atEndpoint, makeWorld, startEndpoint } from "./world.ts"

const folder = scratchDirectory()
const blocks = documents.flatMap(blocksOf)
const location = ({ document, line }: Block) => `${document}:${line}`
/** Exit codes of commands that did what they were asked: fine, a gate or verdict against, inconclusive. */
const done = [0, 3, 4]
let endpoint: Mock
/** Every command of the documentation, in the folder that they are in. */
let evalkit: CliProcess

beforeAll(async () => {
  makeWorld(folder)
  endpoint = await startEndpoint()
  writeFileSync(join(folder, "at-endpoint.ts"), atEndpoint(endpoint.baseUrl))
  evalkit = startCliProcess({ cwd: folder })
  const { code, stderr } = await evalkit.run(["run", "eval.config.ts", "--json"])
  expect(done, stderr).toContain(code)
}, 120_000)
afterAll(async () => {
  await evalkit.end()
  await endpoint.close()
})

const configs = blocks.filter(({ language, code }) => language === "ts" && /^\/\/ eval\.config\.ts$/m.test(code))

describe("configs of the documentation", () => {
  it("are there", () => expect(configs.length).toBeGreaterThan(8))

  it.each(configs.map((block) => [location(block), block] as const))(
    "%s runs, every call answered",
    async (_, block) => {
      const name = `snippet-${block.document.replaceAll(/\W/g, "-")}-${block.line}`
      const isHosted = /\b(?:openai|groq|vllm)\(/.test(block.code)
      const code = isHosted ? block.code.replace('from "evalkit"', 'from "./at-endpoint.ts"') : block.code
      writeFileSync(join(folder, `${name}.config.ts`), code)
      const options = ["--limit", "4", "--no-html", "--json", "--directory", join(folder, "stores", name)]
      const run = await evalkit.run(["run", `${name}.config.ts`, ...options])
      expect(done, run.stderr).toContain(run.code)
      const report = JSON.parse(run.stdout) as RunReport
      for (const variant of report.variants) expect(variant.finished).toBe(variant.planned)
    },
    180_000,
  )
})

describe("commands of the documentation", () => {
  const shell = blocks.filter(({ language }) => language === "sh")
  const tried = shell.filter(({ document, notRun }) => isRun(document) && notRun === null)

  it("name commands and options that exist, in blocks as in sentences", { timeout: 180_000 }, async () => {
    const faults: string[] = []
    for (const block of shell)
      for (const { words } of commandsOf(block.code))
        for (const fault of words === null ? [] : await faultsOf(words)) faults.push(`${location(block)}: ${fault}`)
    for (const document of documents)
      for (const { line, words } of sentencesOf(document))
        if ((await optionsOf(words[0] ?? "")) === null) faults.push(`${document}: ${line}`)
        else for (const fault of await faultsOf(words)) faults.push(`${document}: ${fault}`)
    expect(faults).toEqual([])
  })

  it.each(tried.map((block) => [location(block), block] as const))(
    "%s runs",
    async (_, block) => {
      for (const file of blocks.filter(({ document }) => document === block.document)) {
        const name = /^\/\/ (\w+\.config\.ts)$/m.exec(file.code)?.[1]
        if (name !== undefined && name !== "eval.config.ts") writeFileSync(join(folder, name), file.code)
      }
      for (const { line, words } of commandsOf(block.code)) {
        expect(words, `${location(block)}: "${line}" is not run; say why: <!-- not run: REASON -->`).not.toBeNull()
        const { code, stdout, stderr } = await evalkit.run(words ?? [])
        expect(done, `${line}\n${stderr}`).toContain(code)
        expect(`${stdout}${stderr}`, line).not.toBe("")
      }
    },
    180_000,
  )

  it("say why where they are not run", () => {
    for (const { notRun } of blocks) expect(notRun?.length ?? 99).toBeGreaterThan(10)
    expect(tried.length).toBeGreaterThan(10)
  })
})

describe("other blocks of the documentation", () => {
  it("of JSON lines are JSON", () => {
    for (const { code } of blocks.filter(({ language }) => language === "jsonl"))
      for (const line of code.split("\n")) expect(JSON.parse(line)).toBeTypeOf("object")
  })
})

/** Commands in the sentences of a document: `evalkit show RUN SAMPLE`. */
function sentencesOf(document: string): { readonly line: string; readonly words: readonly string[] }[] {
  const text = readFileSync(join(root, document), "utf8").replaceAll(/^```[\s\S]*?^```$/gm, "")
  return [...text.matchAll(/`(?:npx )?evalkit ([a-z][^`|]*)`/g)].map(([line, rest = ""]) => ({
    line,
    words: rest.replaceAll(/[",]/g, " ").split(/\s+/),
  }))
}
