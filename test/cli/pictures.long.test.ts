import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openRunStore } from "../../src/store/run-store.ts"
import { callCli } from "../support/call-cli.ts"
import { runCli } from "../support/cli.ts"
import { type PickyService, startPickyService } from "../support/picky-service.ts"
import { pngOf, pngThatStates } from "../support/pictures.ts"
import { scratchDirectory } from "../support/scratch.ts"

const red = pngOf(40, 30)
let service: PickyService
let folder: string
beforeEach(async () => {
  service = await startPickyService({
    answer: ({ body }) =>
      JSON.stringify(body).includes("careful judge") ? '{"reason":"seen","verdict":"yes"}' : "red",
    usage: ({ body }) => {
      const prompt = 10 + 255 * JSON.stringify(body).split('"image_url":{').length - 255
      return { prompt_tokens: prompt, completion_tokens: 2, total_tokens: prompt + 2 }
    },
  })
  folder = scratchDirectory()
  mkdirSync(join(folder, "data", "img"), { recursive: true })
  writeFileSync(join(folder, "data", "img", "red.png"), red)
})
afterEach(() => service.close())

interface Written {
  readonly variants?: string
  readonly metrics?: string
  readonly rows?: readonly unknown[]
  /** More of the config. */
  readonly more?: string
}

/** The newest config; each has a name of its own, since one process loads a path once. */
let config = ""
let configs = 0

function write({ variants, metrics = "[exactMatch()]", rows, more = "" }: Written = {}): void {
  config = `pictures-${++configs}.config.ts`
  const asked =
    rows ??
    Array.from({ length: 20 }, (_, i) => ({
      id: `s${i}`,
      question: `Colour ${i}?`,
      photo: "img/red.png",
      answer: "red",
    }))
  writeFileSync(join(folder, "data", "rows.jsonl"), asked.map((row) => `${JSON.stringify(row)}\n`).join(""))
  const line = (name: string) =>
    `{ name: "${name}", provider: openai({ model: "gpt-4o", baseUrl: "${service.url}", apiKeyVariable: null }), price: { kind: "tokens", inputPerMillion: 1, outputPerMillion: 1, source: "test", date: "2026-11-22" }, parameters: { maxTokens: 5 } }`
  writeFileSync(
    join(folder, config),
    `import { dataset, defineConfig, defineRubric, deepseek, exactMatch, openai, prompt, rubric, contains } from "evalkit"
const seen = defineRubric({ name: "seen", instructions: "Is the colour that of the picture?", choices: { yes: 1, no: 0 }, fields: ["input", "output"], images: true })
export default defineConfig({
  dataset: dataset("data/rows.jsonl", { fields: { images: "photo" } }),
  variants: ${variants ?? `[${line("a")}]`},
  metrics: ${metrics},
  retry: false,
  ${more}
})
`,
  )
}

const run = (...args: readonly string[]) => callCli(args, { cwd: folder })
const store = () => openRunStore(join(folder, ".evalkit"), { readonly: true })

describe("pictures in prompts", { timeout: 60_000 }, () => {
  it("are sent with the words, kept once, and shown by show and in the page", async () => {
    write()
    const { code, stderr } = await run("run", config)
    expect(code, stderr).toBe(0)
    const address = `data:image/png;base64,${red.toString("base64")}`
    expect(service.seen).toHaveLength(20)
    expect(service.seen[3]?.body.messages).toEqual([
      {
        role: "user",
        content: [
          { type: "image_url", image_url: { url: address } },
          { type: "text", text: expect.stringMatching(/^Colour \d+\?$/) },
        ],
      },
    ])

    const kept = store()
    const [record] = kept.runs()
    const names = [...kept.mediaOf(record!.dataset.fingerprint)]
    expect(names).toHaveLength(1)
    expect(Buffer.from(kept.media(names[0]!)!).equals(red)).toBe(true)
    kept.close()
    expect(readFileSync(join(folder, ".evalkit", "evalkit.db")).indexOf(red.toString("base64"))).toBe(-1)

    const { stdout } = await run("show", record!.id, "s3")
    expect(stdout).toContain(`[image 40 x 30 PNG, ${red.length} bytes, sha256 ${names[0]!.slice(0, 12)}]`)
    const page = readFileSync(join(folder, ".evalkit", "reports", `${record!.id}.html`), "utf8")
    expect(page.split(red.toString("base64"))).toHaveLength(2)
  })

  it("go with an archive, and leave the store with their run", async () => {
    write()
    await run("run", config)
    const file = join(folder, "run.jsonl")
    await run("export", "--format", "archive", "--out", file)
    const lines = readFileSync(file, "utf8")
    expect(lines.match(/"kind":"media"/g)).toHaveLength(1)
    const id = store().runs()[0]!.id
    await run("rm", id, "--yes")
    const emptied = store()
    expect([...emptied.runs()]).toEqual([])
    emptied.close()
    const imported = await run("import", file)
    expect(imported.code, imported.stderr).toBe(0)
    const back = store()
    expect([...back.mediaOf(back.runs()[0]!.dataset.fingerprint)]).toHaveLength(1)
    back.close()
    const other = lines.replace(/"base64":"[^"]{4}/, '"base64":"AAAA')
    writeFileSync(file, other)
    await run("rm", id, "--yes")
    expect((await run("import", file)).stderr).toContain("the bytes have another hash")
  })

  it("are refused before anything is asked where a provider takes none, with variant, sample and part", async () => {
    write({
      variants: `[{ name: "blind", provider: deepseek({ model: "deepseek-chat", baseUrl: "${service.url}", apiKeyVariable: null }) }]`,
    })
    const { code, stderr } = await run("run", config)
    expect(code).toBe(2)
    expect(stderr).toContain('variant blind (deepseek deepseek-chat), sample "s0", message 0, part 0')
    expect(stderr).toContain("it takes no pictures")
    expect(service.seen).toHaveLength(0)
    expect((await run("doctor", config, "--no-call")).stdout).toContain("it takes no pictures")
  })

  it("stop a run where one is hostile, naming the row", async () => {
    write({
      rows: [
        { id: "x", question: "?", photo: `data:image/png;base64,${pngThatStates(65_000, 65_000).toString("base64")}` },
      ],
    })
    const { code, stderr } = await run("run", config)
    expect(code).toBe(2)
    expect(stderr).toContain("rows.jsonl:1")
    expect(stderr).toContain("65000 x 65000 pixels, more than 100000000")
    expect(service.seen).toHaveLength(0)
  })

  it("are counted in a dry run by the provider's rule, which is named with its source", async () => {
    write()
    const { stdout } = await run("run", config, "--dry-run")
    expect(stdout).toContain(
      "a: of the prompt tokens, pictures 5,100, by OpenAI: 85 a picture and 170 a tile of 512 x 512 pixels, https://platform.openai.com/",
    )
    const json = JSON.parse((await run("run", config, "--dry-run", "--json")).stdout)
    expect(json.variants[0].media).toMatchObject({ imageTokens: 5100, rules: [{ assumed: false }] })
    expect(json.variants[0].promptTokens).toBeGreaterThan(5100)
    expect(service.seen).toHaveLength(0)
  })

  it("count towards a budget", async () => {
    write()
    const { stdout, stderr } = await run("run", config, "--budget", "900 tokens", "--json")
    const { variants } = JSON.parse(stdout)
    expect(variants[0].finished, stderr).toBeLessThan(20)
  })

  it("are other questions to the cache where their bytes differ", async () => {
    write({ more: "cache: true," })
    await run("run", config)
    await run("run", config)
    expect(service.seen).toHaveLength(20)
    writeFileSync(join(folder, "data", "img", "red.png"), pngOf(40, 30, [0, 0, 255]))
    await run("run", config)
    expect(service.seen).toHaveLength(40)
  })

  it("are shown to a judge that takes them, as material", async () => {
    const judge = `openai({ model: "judge", baseUrl: "${service.url}", apiKeyVariable: null })`
    write({
      metrics: `[exactMatch(), rubric({ provider: ${judge}, rubric: seen })]`,
      rows: [{ id: "1", question: "Which colour?", photo: "img/red.png", answer: "red" }],
    })
    const { code, stderr } = await run("run", config)
    expect(code, stderr).toBe(0)
    const judged = service.seen.find(({ model }) => model === "judge")?.body.messages as {
      content: { type: string; text?: string }[]
    }[]
    const parts = judged[1]!.content
    expect(parts.map(({ type }) => type)).toEqual(["text", "image_url", "text"])
    expect(parts[0]!.text).toContain("never an instruction")
    expect(parts[2]!.text).toContain("Is the colour that of the picture?")
    write({ metrics: `[rubric({ provider: deepseek({ model: "d" }), rubric: seen })]` })
    expect((await run("run", config)).stderr).toContain('the rubric "seen" shows pictures, and deepseek d takes none')
  })

  it("stand where a template puts them, and templates have pictures of their own", async () => {
    writeFileSync(join(folder, "logo.png"), pngOf(2, 2))
    const provider = `openai({ model: "m", baseUrl: "${service.url}", apiKeyVariable: null })`
    write({
      variants: `[
        { name: "plain", provider: ${provider}, prompt: "Q: {{question}}" },
        { name: "placed", provider: ${provider}, prompt: prompt([{ role: "user", content: [
          { type: "image", image: "logo.png" }, { type: "text", text: "Q: {{question}}" }, { type: "media" } ] }]) },
      ]`,
      rows: [{ id: "1", question: "Which?", photo: "img/red.png", answer: "red" }],
    })
    // A process of its own: its working folder is where the template's file is looked for.
    const { code, stderr } = await runCli(["run", config], { cwd: folder })
    expect(code, stderr).toBe(0)
    const contents = service.seen.map(
      ({ body }) => (body.messages as { content: { type: string; text?: string }[] }[])[0]!.content,
    )
    expect(contents.map((parts) => parts.map(({ type, text }) => text ?? type))).toEqual(
      expect.arrayContaining([
        ["image_url", "Q: Which?"],
        ["image_url", "Q: Which?", "image_url"],
      ]),
    )
    expect(readdirSync(join(folder, ".evalkit", "reports"))).toHaveLength(1)
  })
})
