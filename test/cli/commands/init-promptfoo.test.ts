import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { command } from "../../../src/cli/init/init.ts"
import { command as runCommand } from "../../../src/cli/run/run.ts"
import type { RunReport } from "../../../src/core/report/report.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { serveLoopback, streamChat } from "../../support/loopback.ts"
import { scratchDirectory } from "../../support/scratch.ts"

/** An endpoint that answers by what it is asked, on the loopback interface. */
async function withEndpoint<Result>(use: (url: string) => Promise<Result>): Promise<Result> {
  const server = await serveLoopback((request, response, body) => {
    if (request.method !== "POST") return response.writeHead(404).end()
    const { messages, stream } = JSON.parse(body)
    const asked = String(messages.at(-1).content)
    const text = /France/.test(asked) ? "Paris is the capital." : /json/.test(asked) ? '{"n": 1}' : "I do not know."
    const usage = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 }
    const choice = { index: 0, finish_reason: "stop" }
    const facts = { id: "x", created: 1, model: "m" }
    if (!stream) {
      response.setHeader("content-type", "application/json")
      const choices = [{ ...choice, message: { role: "assistant", content: text } }]
      return response.end(JSON.stringify({ ...facts, object: "chat.completion", usage, choices }))
    }
    streamChat(response, text, 5, 5)
  })
  try {
    return await use(server.url)
  } finally {
    await server.close()
  }
}

const configOf = (url: string) => `
description: Capitals
prompts:
  - "What is the capital of {{country}}? {{ style }}"
  - id: file://short.txt
    label: short
  - file://prompt.js
providers:
  - id: openai:chat:m
    label: mine
    config: { apiBaseUrl: "${url}", cost: 0.000002, temperature: 0, apiKey: secret-value, apiKeyEnvar: MY_KEY }
  - python:mine.py
defaultTest:
  vars: { style: plain }
  assert:
    - type: not-contains
      value: sorry
tests:
  - description: France
    vars: { country: France }
    assert:
      - { type: icontains, value: "PARIS" }
      - { type: contains-any, value: [Paris, Lyon], metric: place, weight: 2 }
      - { type: regex, value: "^Paris" }
      - { type: latency, threshold: 60000 }
      - { type: levenshtein, value: "Paris is the capital!", threshold: 2 }
      - { type: rouge-n, value: "Paris is the capital.", threshold: 0.9 }
      - { type: javascript, value: "output.length < 3" }
      - { type: javascript, metric: from-file, value: "file://check.cjs:isParis" }
      - { type: equals, metric: changed, transform: "output.toUpperCase()", value: "PARIS IS THE CAPITAL." }
      - { type: python, value: "True" }
  - vars: { country: [Atlantis, json] }
    threshold: 0.4
    assert:
      - { type: equals, value: "I do not know." }
      - { type: is-json, value: { type: object, required: [n] } }
  - file://more.csv
scenarios: []
`

describe("evalkit init --from promptfooconfig.yaml", () => {
  it("writes a config that runs, with every assertion that evalkit has, and says what it has not", async () => {
    const folder = scratchDirectory()
    writeFileSync(
      join(folder, "check.cjs"),
      "exports.isParis = (output, { vars }) => ({ pass: vars.country === 'France' && output.includes('Paris'), score: 1 })\n",
    )
    writeFileSync(join(folder, "short.txt"), "Capital of {{country}}\n---\nSay the capital of {{country}}\n")
    writeFileSync(
      join(folder, "more.csv"),
      'country,__expected1,__expected2,__provider\nFrance,contains:Paris,"similar(0.8):Paris",x\n',
    )
    await withEndpoint(async (url) => {
      writeFileSync(join(folder, "promptfooconfig.yaml"), configOf(url))
      const io = fakeIo({ cwd: folder })
      expect(await command.run({ dir: "eval", from: "promptfooconfig.yaml", json: true }, io)).toBe(0)
      const json = JSON.parse(io.stdout())
      expect(json).toMatchObject({ prompts: 3, providers: 1, tests: 4 })
      expect(json.not_converted.map(({ where }: { where: string }) => where).sort()).toEqual([
        "more.csv#3.__provider",
        "prompts[2]",
        "providers[0].config.apiKey",
        "providers[1]",
        "scenarios",
        "tests[0].assert[9]",
      ])
      const config = readFileSync(join(folder, "eval/eval.config.ts"), "utf8")
      expect(config).not.toContain("secret-value")
      expect(config).toContain("// - tests[0].assert[9] (France): there is no counterpart of python")
      expect(config).toContain('"inputPerMillion":2,"outputPerMillion":2')

      // What is similar needs an embedder: it is put aside here, as somebody without one would.
      const rows = readFileSync(join(folder, "eval/tests.jsonl"), "utf8")
        .trim()
        .split("\n")
        .map((row) => JSON.parse(row))
      for (const row of rows) row.assert = row.assert.filter(({ type }: { type: string }) => type !== "similar")
      writeFileSync(join(folder, "eval/tests.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"))
      const run = fakeIo({ cwd: join(folder, "eval"), environment: { MY_KEY: "k" } })
      const code = await runCommand.run({ json: true, html: false, directory: join(folder, "store") }, run)
      expect([0, 4], run.stderr()).toContain(code)
      const report = JSON.parse(run.stdout()) as RunReport
      expect(report.variants.map(({ name }) => name)).toEqual(["mine-prompt-1", "mine-short", "mine-short-2"])
      const figures = Object.fromEntries(
        report.variants[0]?.quality.map(({ metric: name, figure }) => [
          name,
          figure.status === "known" ? figure.value : null,
        ]) ?? [],
      )
      expect(figures).toMatchObject({
        ...{
          icontains: 1,
          place: 1,
          regex: 1,
          latency: 1,
          levenshtein: 1,
          "rouge-n": 1,
          contains: 1,
          "not-contains": 1,
          ...{ javascript: 0, "from-file": 1, changed: 1 },
        },
        // "I do not know." of Atlantis, JSON of json: each holds one of the two.
        ...{ equals: 0.5, "is-json": 0.5, similar: null, pass: 0.75 },
      })
    })
  }, 120_000)

  it("refuses what is no promptfoo config, what names files outside, bombs of aliases, and files that exist, with the place", async () => {
    const folder = scratchDirectory()
    mkdirSync(join(folder, "in"))
    writeFileSync(join(folder, "outside.txt"), "secret")
    symlinkSync(join(folder, "outside.txt"), join(folder, "in/link.txt"))
    const bomb = [
      "a: &a0 [x, x]",
      ...Array.from({ length: 30 }, (_, i) => `b${i}: &a${i + 1} [*a${i}, *a${i}, *a${i}]`),
    ].join("\n")
    const cases: [string, RegExp][] = [
      ["just: a map", /no promptfoo config/],
      ["prompts: [x\nproviders: [y", /the YAML cannot be read/],
      [bomb, /the YAML cannot be read/],
      [
        "prompts: [file://../outside.txt]\nproviders: [openai:m]\ntests: [{vars: {a: b}}]",
        /no prompt of the config can be converted/,
      ],
      [
        "prompts: [file://link.txt]\nproviders: [openai:m]\ntests: [{vars: {a: b}}]",
        /no prompt of the config can be converted/,
      ],
      ["prompts: [hi]\nproviders: [nobody:m]\ntests: [{}]", /no provider of the config can be converted/],
      [
        `prompts: [hi]\nproviders: [openai:m]\ntests: [{vars: {${"abcdefgh"
          .split("")
          .map((name) => `${name}: [1,2,3,4,5]`)
          .join(", ")}}}]`,
        /more than 10000 tests/,
      ],
    ]
    for (const [yaml, message] of cases) {
      writeFileSync(join(folder, "in/p.yaml"), yaml)
      await expect(
        command.run({ dir: "out", from: "in/p.yaml" }, fakeIo({ cwd: folder })),
        yaml.slice(0, 60),
      ).rejects.toThrow(message)
      expect(existsSync(join(folder, "out"))).toBe(false)
    }
    writeFileSync(
      join(folder, "in/p.yaml"),
      'prompts: ["{{__proto__}} {{a}}"]\nproviders: [openai:m]\ntests: [{vars: {__proto__: {x: 1}, a: "*/ ` \\u2028 // x"}, description: "*/"}]',
    )
    const io = fakeIo({ cwd: folder })
    expect(await command.run({ dir: "out", from: "in/p.yaml" }, io)).toBe(0)
    expect(io.stdout()).toContain("1 prompt × 1 provider, 1 test, 0 assertions")
    await expect(command.run({ dir: "out", from: "in/p.yaml" }, io)).rejects.toThrow(/exist already/)
  })

  it("keeps code as it was, and code that is none of a function's body is not written", async () => {
    const folder = scratchDirectory()
    writeFileSync(
      join(folder, "p.yaml"),
      `prompts: ["{{q}}"]
providers: [openai:m]
defaultTest: { options: { transform: "output.trim()" } }
tests:
  - description: lines
    vars: { q: a }
    assert:
      - { type: javascript, value: "const n = output.length\\nreturn n < 3 // short" }
      - { type: javascript, value: "}; process.exit(1); {" }
      - { type: javascript, value: "file://../outside.js" }
      - { type: answer-relevance, threshold: 0.5 }
`,
    )
    const io = fakeIo({ cwd: folder })
    expect(await command.run({ dir: "out", from: "p.yaml", json: true }, io)).toBe(0)
    expect(JSON.parse(io.stdout()).not_converted).toMatchObject([
      { where: "tests[0].assert[1]", description: "lines", reason: expect.stringContaining("no JavaScript") },
      { where: "tests[0].assert[2]", description: "lines", reason: expect.stringContaining("no such file") },
      { where: "tests[0].assert[2]", description: "lines", reason: expect.stringContaining("no JavaScript") },
    ])
    const config = readFileSync(join(folder, "out/eval.config.ts"), "utf8")
    expect(config).toContain("return n < 3 // short")
    expect(config).toContain("return output.trim()\n")
    expect(config).toContain('"answer-relevance": ["answer-relevance"]')
    expect(config).not.toContain("process.exit")
  })

  it("takes the provider that assertions name as the judge, and says of another one that it is not asked", async () => {
    const folder = scratchDirectory()
    const rubric = (value: string, provider: string) => `{ type: llm-rubric, value: ${value}, provider: ${provider} }`
    writeFileSync(
      join(folder, "p.yaml"),
      `prompts: ["{{q}}"]
providers: [openai:m]
defaultTest: { assert: [${rubric("polite", "{ id: 'openai:chat:judge', config: { apiBaseUrl: 'http://127.0.0.1:1/v1' } }")}] }
tests:
  - { vars: { q: a } }
  - { vars: { q: b }, assert: [${rubric("short", "groq:other")}] }
`,
    )
    const io = fakeIo({ cwd: folder })
    expect(await command.run({ dir: "out", from: "p.yaml", json: true }, io)).toBe(0)
    expect(JSON.parse(io.stdout()).not_converted).toEqual([
      { where: "tests[1].assert[0].provider", reason: expect.stringContaining("one model judges all") },
    ])
    expect(readFileSync(join(folder, "out/eval.config.ts"), "utf8")).toContain(
      '// The model that judges.\nconst grader = openai({ model: "judge", baseUrl: "http://127.0.0.1:1/v1" })',
    )
  })

  it("keeps each type that evalkit has a metric for, in a short config, and names each other one by its test", async () => {
    const folder = scratchDirectory()
    const kept = [
      "{ type: contains, value: a }",
      "{ type: icontains, value: a }",
      "{ type: not-contains, value: a }",
      "{ type: contains-any, value: [a, b] }",
      "{ type: contains-all, value: [a, b] }",
      "{ type: equals, value: a }",
      "{ type: regex, value: a+ }",
      "{ type: starts-with, value: a }",
      "{ type: is-json, value: { type: object } }",
      "{ type: contains-json }",
      "{ type: is-refusal }",
      '{ type: javascript, value: "output.length > context.config.most", config: { most: 3 } }',
      "{ type: similar, value: a }",
      "{ type: llm-rubric, value: polite }",
      "{ type: model-graded-closedqa, value: names a city }",
      "{ type: factuality, value: a }",
      "{ type: answer-relevance, threshold: 0.5 }",
      "{ type: context-recall, value: a, threshold: 0.5 }",
      "{ type: context-relevance, threshold: 0.5 }",
      "{ type: context-faithfulness, threshold: 0.5 }",
      "{ type: rouge-n, value: a }",
      "{ type: bleu, value: a }",
      "{ type: levenshtein, value: a }",
      "{ type: latency, threshold: 100 }",
      "{ type: cost, threshold: 0.1 }",
      "{ type: perplexity, threshold: 2 }",
      "{ type: finish-reason, value: stop }",
      "{ type: word-count, value: { max: 5 } }",
      "{ type: g-eval, value: [polite, short] }",
      "{ type: assert-set, metric: both, assert: [{ type: contains, value: a }, { type: starts-with, value: a }] }",
    ]
    const lost = [
      "{ type: python, value: file://check.py }",
      "{ type: classifier, provider: huggingface:x, value: a }",
      "{ type: moderation }",
      "{ type: is-valid-openai-tools-call }",
      '{ type: webhook, value: "http://127.0.0.1:1/" }',
      "{ type: select-best, value: short }",
      '{ type: "trajectory:tool-used", value: find }',
      "{ type: assert-set, threshold: 0.5, assert: [{ type: contains, value: a }] }",
      "{ type: context-recall, value: a, contextTransform: output.context }",
    ]
    writeFileSync(
      join(folder, "p.yaml"),
      `prompts: ["{{query}} {{context}}"]
providers: [openai:m]
defaultTest: { assert: [{ type: python, value: "True" }] }
tests:
  - description: all of them
    vars: { query: Where?, context: Paris is in France. }
    assert:
${[...kept, ...lost].map((text) => `      - ${text}\n`).join("")}
  - { description: another, vars: { query: Who?, context: "" } }
`,
    )
    const io = fakeIo({ cwd: folder })
    expect(await command.run({ dir: "out", from: "p.yaml", json: true }, io)).toBe(0)
    const { not_converted } = JSON.parse(io.stdout())
    expect(not_converted.map(({ where, description }: Record<string, string>) => [where, description])).toEqual([
      ["defaultTest.assert[0]", undefined],
      ...lost.map((_, i) => [`tests[0].assert[${kept.length + i}]`, "all of them"]),
    ])
    const config = readFileSync(join(folder, "out/eval.config.ts"), "utf8")
    // A line for each metric and each that is lost, and few others.
    expect(config.split("\n").length).toBeLessThan(kept.length + lost.length + 45)
    const [row] = readFileSync(join(folder, "out/tests.jsonl"), "utf8").split("\n")
    expect(JSON.parse(row ?? "")).toMatchObject({ input: "Where?", context: ["Paris is in France."] })
    const dry = fakeIo({ cwd: join(folder, "out"), environment: { OPENAI_API_KEY: "k" } })
    expect(await runCommand.run({ dryRun: true, json: true, directory: join(folder, "store") }, dry)).toBe(0)
    const calls = Object.fromEntries(
      JSON.parse(dry.stdout()).metrics.map((metric: Record<string, string>) => [metric.metric, metric.maxCalls]),
    )
    expect(calls).toMatchObject({ "llm-rubric": 1, "g-eval": 2, "context-faithfulness": 1 })
    expect(calls).not.toHaveProperty("contains")
  }, 60_000)
})
