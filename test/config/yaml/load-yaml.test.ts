import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { loadConfig } from "../../../src/config/load.ts"
import { UsageError } from "../../../src/core/errors.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const folder = scratchDirectory()
let count = 0

async function write(text: string, name = "eval.config.yaml"): Promise<string> {
  const path = join(folder, `case-${count++}`, name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
  return path
}

async function load(text: string, name?: string) {
  const path = await write(text, name)
  return (await loadConfig(path, { cwd: dirname(path) })).evaluation
}

async function refused(text: string, name?: string): Promise<string> {
  const error = await load(text, name).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(UsageError)
  return (error as UsageError).message
}

describe("a config in YAML", () => {
  it("makes every value by the factory that it names, with its options and parameters", async () => {
    const evaluation = await load(`
      # yaml-language-server: $schema=./node_modules/evalkit/config-schema.json
      name: swap
      dataset: questions.jsonl
      variants:
        - name: now
          provider: { openai: { model: gpt-5.4-mini, apiKeyVariable: MY_KEY } }
          prompt: "Answer: {{input}}"
          parameters: &asked { temperature: 0, maxTokens: 20 }
        - name: next
          provider: { local: model.gguf }
          prompt:
            prompt: { template: "{{input}}", system: Short. }
          parameters: *asked
      metrics:
        - exactMatch
        - rouge: { stem: true }
        - judged.faithfulness: { provider: { openai: { model: judge } } }
        - rubric: { name: clear, provider: { openai: { model: judge } }, rubric: rubrics.conciseness }
        - panel:
            name: jury
            judges:
              - rubric: { name: one, provider: { openai: { model: a } }, rubric: rubrics.tone }
              - rubric: { name: two, provider: { openai: { model: b } }, rubric: { rubrics.tone: { wanted: friendly } } }
      gate:
        - { figure: exactMatch, notWorseThanBaselineBy: 0.05 }
      reports: [renderers.html, { renderers.svg: { chart: frontier } }]
      budget: 5usd
    `)
    expect(evaluation).toMatchObject({
      name: "swap",
      baseline: "now",
      primary: ["exactMatch"],
      budget: { usd: 5 },
      variants: [
        { name: "now", provider: { kind: "openai", model: "gpt-5.4-mini" }, parameters: { temperature: 0 } },
        { name: "next", provider: { kind: "local" }, parameters: { temperature: 0 } },
      ],
    })
    expect(evaluation.variants[1]?.provider.label).toContain("model")
    expect(evaluation.variants[1]?.prompt.identity).toMatchObject({ turns: [{ role: "system" }, { role: "user" }] })
    expect(evaluation.metrics.map(({ name }) => name)).toEqual([
      "exactMatch",
      expect.stringContaining("rouge"),
      expect.stringContaining("aithfulness"),
      "clear",
      "jury",
    ])
    expect(evaluation.reports?.map(({ name }) => name)).toEqual(["html", "svg"])
  })

  it("means what the same config in TypeScript means", async () => {
    const yaml = await load(`
      dataset: [{ id: a, input: "1", reference: "1" }]
      variants: [{ name: one, provider: { openai: { model: m } }, prompt: "{{input}}" }]
      metrics: [exactMatch, { bleu: { tokenize: intl } }, { classification: { labels: [yes, "no"] } }]
    `)
    const code = await load(
      `import { bleu, classification, defineConfig, exactMatch, openai, variant } from "evalkit"
       export default defineConfig({
         dataset: [{ id: "a", input: "1", reference: "1" }],
         variants: [variant({ name: "one", provider: openai({ model: "m" }), prompt: "{{input}}" })],
         metrics: [exactMatch(), bleu({ tokenize: "intl" }), classification({ labels: ["yes", "no"] })],
       })`,
      "eval.config.ts",
    )
    const factsIn = (config: typeof yaml) => ({
      variants: config.variants.map(({ provider, prompt, ...rest }) => [provider.identity, prompt.identity, rest]),
      metrics: config.metrics.map(({ name, signature }) => [name, signature]),
      rest: [config.margin, config.alpha, config.repeats, config.primary],
    })
    expect(factsIn(yaml)).toEqual(factsIn(code))
    expect(await yaml.dataset?.fingerprint()).toEqual(await code.dataset?.fingerprint())
  })

  it("reads paths from its own folder", async () => {
    const path = await write("dataset: { dataset: { location: rows.jsonl, limit: 1 } }\nmetrics: [exactMatch]\n")
    await writeFile(join(dirname(path), "rows.jsonl"), '{"id":"a","input":"x"}\n{"id":"b","input":"y"}\n')
    const { evaluation } = await loadConfig(path, { cwd: "/" })
    const ids: string[] = []
    for await (const { id } of evaluation.dataset?.samples() ?? []) ids.push(id)
    expect(ids).toEqual(["a"])
  })

  it.each(["eval.config.yaml", "eval.config.yml", "eval.config.json"])("is found as %s", async (name) => {
    const path = await write('{ "$schema": "./config.schema.json", "seed": 7, "metrics": ["exactMatch"] }', name)
    expect((await loadConfig(undefined, { cwd: dirname(path) })).evaluation.seed).toBe(7)
  })

  it("is not chosen in silence where there are two", async () => {
    const path = await write("seed: 1\n")
    await writeFile(join(dirname(path), "eval.config.ts"), "export default {}")
    await expect(loadConfig(undefined, { cwd: dirname(path) })).rejects.toMatchObject({
      code: "config_ambiguous",
      message: expect.stringContaining("eval.config.ts and eval.config.yaml"),
    })
    expect((await loadConfig(path)).evaluation.seed).toBe(1)
  })
})

describe("a config in YAML that cannot be as it is", () => {
  it.each([
    [
      "a field that is not there",
      "metrics: [exactMatch]\nvarients: []\n",
      'eval.config.yaml:2:1: config: unknown field "varients"; did you mean "variants"?',
    ],
    [
      "a factory that is not there",
      "metrics:\n  - exactMath\n",
      'eval.config.yaml:2:5: metrics[0]: there is no Metric "exactMath"; did you mean "exactMatch"?',
    ],
    ["a member of a group without the group", "reports: [html]\n", 'did you mean "renderers.html"?'],
    [
      "an option that is not there",
      "metrics:\n  - rouge: { stm: true }\n",
      'eval.config.yaml:2:14: metrics[0].rouge: unknown field "stm"; did you mean "stem"?',
    ],
    [
      "an option of another type",
      "metrics:\n  - rouge: { stem: 3 }\n",
      "eval.config.yaml:2:20: metrics[0].rouge.stem: expected true or false, got 3",
    ],
    [
      "a number where a text belongs",
      "variants: [{ provider: { openai: { model: 4 } } }]\n",
      "got 4; write a text that looks like something else in quotes",
    ],
    ["options that are missing", "variants: [{ provider: openai }]\n", "variants[0].provider: openai needs model"],
    [
      "options that are missing in a map",
      "variants:\n  - provider:\n      openai: { label: x }\n",
      "eval.config.yaml:3:15: variants[0].provider.openai: it needs model",
    ],
    ["two factories in one place", "metrics: [{ rouge: {}, bleu: {} }]\n", "metrics[0]: expected a Metric such as"],
    [
      "a function",
      "metrics: [{ custom: { name: x } }]\n",
      "metrics[0]: custom takes a function, which only TypeScript can say; write eval.config.ts",
    ],
    [
      "an option that is a function",
      "dataset: { dataset: { location: a.jsonl, filter: x } }\n",
      "dataset.dataset.filter: only TypeScript can say this",
    ],
    ["a provider where a metric belongs", "metrics: [{ openai: { model: a } }]\n", 'there is no Metric "openai"'],
    ["nothing at all", "", "config: expected fields such as variants and metrics, got nothing"],
    ["a list", "- a\n", "config: expected fields such as variants and metrics, got a list of 1"],
  ])("says where: %s", async (_, text, message) => {
    expect(await refused(text)).toContain(message)
  })

  it("says where a factory or the whole config found a fault", async () => {
    expect(await refused("metrics:\n  - exactMatch\n  - regexMatch: { pattern: '(' }\n")).toMatch(
      /eval\.config\.yaml:3:5: /,
    )
    expect(await refused("metrics:\n  - exactMatch\n  - exactMatch\n")).toMatch(
      /eval\.config\.yaml:3:5: metrics\[1\]\.name: expected a unique name/,
    )
    expect(await refused("metrics: [exactMatch]\nalpha: 2\n")).toMatch(
      /eval\.config\.yaml:2:8: alpha: expected a number below 1/,
    )
  })

  it("lists several faults in the order of the file", async () => {
    expect(await refused("a: 1\nmetrics: [b]\nc: 2\n")).toMatch(/:1:1: .*\n.*:2:11: .*\n.*:3:1: /)
  })

  it.each([
    ["a field twice", "seed: 1\nseed: 2\n", "eval.config.yaml:2:1"],
    ["broken brackets", "metrics: [exactMatch\nseed: 1\n", "eval.config.yaml:"],
    ["a tag that would run code", "seed: !!js/function 'function () { throw 1 }'\n", "tag"],
    ["two documents", "seed: 1\n---\nseed: 2\n", "several YAML documents"],
    ["an alias of nothing", "seed: *gone\n", "eval.config.yaml:1:"],
    ["a name that changes objects", 'dataset: [{ "__proto__": { polluted: true } }]\n', "__proto__"],
    ["a map as a name", "? { a: 1 }\n: 2\n", "name is no text"],
  ])("refuses %s", async (_, text, message) => {
    expect(await refused(text)).toContain(message)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it("refuses aliases of aliases that stand for billions, an alias of itself, and brackets without end", async () => {
    const bomb = [
      "a: &a [x,x,x,x,x,x,x,x,x]",
      ..."bcdefghijk".split("").map((name, i) => `${name}: &${name} [${Array(9).fill(`*${"abcdefghij"[i]}`).join()}]`),
    ]
    expect(await refused(bomb.join("\n"))).toContain("more than a config can hold")
    expect(await refused("dataset: &a [{ b: *a }]\n")).toContain("more than a config can hold")
    expect(await refused(`dataset: ${"[".repeat(100_000)}`)).toMatch(/too many levels|syntax error/)
  })

  it("refuses YAML that is called JSON, and a field twice in JSON", async () => {
    expect(await refused("seed: 1\n", "eval.config.json")).toContain("is not JSON")
    expect(await refused('{ "seed": 1, // x\n }', "eval.config.json")).toContain("is not JSON")
    expect(await refused('{ "seed": 1, "seed": 2 }', "eval.config.json")).toContain("eval.config.json:1:14")
  })
})
