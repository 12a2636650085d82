import { resolve } from "node:path"
import { describe, expect, it } from "vitest"
import { variant } from "../../src/config/config.ts"
import { applyOverrides } from "../../src/config/overrides.ts"
import { prompt } from "../../src/config/prompt.ts"
import { validateConfig } from "../../src/config/validate.ts"
import { UsageError } from "../../src/core/errors.ts"
import { fakeMetric, fakeProvider } from "./support.ts"

const two = {
  dataset: [
    { id: "a", input: "one" },
    { id: "b", input: "two" },
  ],
  variants: [
    variant({ name: "first", provider: fakeProvider("m1") }),
    { name: "second", provider: fakeProvider("m2"), prompt: "Say: {{input}}" },
  ],
  metrics: [fakeMetric("exact"), fakeMetric("f1")],
}

async function fault(config: unknown): Promise<string> {
  const error = await validateConfig(config).then(
    () => undefined,
    (caught: unknown) => caught,
  )
  expect(error).toBeInstanceOf(UsageError)
  return (error as UsageError).message
}

describe("validateConfig", () => {
  it("accepts a config with only metrics, and fills every default in", async () => {
    const evaluation = await validateConfig(
      { metrics: [fakeMetric("exact")] },
      { configPath: "/projects/swap/eval.config.ts" },
    )
    expect(evaluation).toMatchObject({
      name: "swap",
      dataset: null,
      variants: [],
      primary: ["exact"],
      baseline: null,
      margin: 0.02,
      alpha: 0.05,
      repeats: 1,
      seed: 1,
      concurrency: 8,
      timeouts: { connectMs: 10_000, firstTokenMs: 60_000, gapMs: 30_000, totalMs: 300_000 },
      retry: { retries: 3, baseDelayMs: 500, maxDelayMs: 60_000 },
      budget: {},
      cache: false,
      axes: ["quality", "e2eMs", "costUsd"],
      constraints: [],
      gate: [],
      reports: null,
      directory: resolve("/projects/swap/.evalkit"),
    })
  })

  it("takes reports as values, and refuses names and files that clash or lead out of the folder", async () => {
    const render = async () => {}
    const report = { name: "own", extension: "own.txt", binary: false, render }
    const { reports } = await validateConfig({ reports: [report, { ...report, name: "two", extension: "two.txt" }] })
    expect(reports?.[0]).toBe(report)
    expect(await fault({ reports: [report, { ...report, name: "two" }] })).toContain("reports[1].extension")
    expect(await fault({ reports: [report, { ...report, extension: "x" }] })).toContain("reports[1].name")
    expect(await fault({ reports: [{ ...report, extension: "../../x" }] })).toContain(
      "reports[0].extension: expected an",
    )
    expect(await fault({ reports: [{ ...report, render: 3 }] })).toContain("reports[0].render: expected a function")
    expect(await fault({ reports: [() => report] })).toContain("reports[0]: expected a report such as renderers.html()")
    expect(await fault({ reports: ["html"] })).toContain("reports[0]: expected a report such as renderers.html()")
  })

  it("turns variants into the engine's: prompt, price unknown, name from the label", async () => {
    const { variants, baseline } = await validateConfig({
      ...two,
      variants: [
        ...two.variants,
        { provider: fakeProvider("m 3/x") },
        { name: "p", provider: fakeProvider("m4"), prompt: prompt("x") },
      ],
    })
    expect(variants.map(({ name }) => name)).toEqual(["first", "second", "fake-m-3-x", "p"])
    expect(variants.map(({ price }) => price)).toEqual([null, null, null, null])
    expect(baseline).toBe("first")
    const sample = { id: "a", input: "one", references: [], context: [], choices: [], expectedTools: [], metadata: {} }
    expect(variants.map(({ prompt: made }) => made.render(sample)[0]?.content)).toEqual(["one", "Say: one", "one", "x"])
  })

  it("understands the short forms", async () => {
    const evaluation = await validateConfig({
      ...two,
      primary: "f1",
      retry: false,
      budget: "5usd, 30min",
      timeouts: { gapMs: 5 },
    })
    expect(evaluation.primary).toEqual(["f1"])
    expect(evaluation.retry.retries).toBe(0)
    expect(evaluation.budget).toEqual({ usd: 5, minutes: 30 })
    expect(evaluation.timeouts).toEqual({ connectMs: 10_000, firstTokenMs: 60_000, gapMs: 5, totalMs: 300_000 })
    expect((await validateConfig({ retry: 7 })).retry).toEqual({ retries: 7, baseDelayMs: 500, maxDelayMs: 60_000 })
    expect((await validateConfig({ dataset: "rows.csv" }, { configPath: "/x/eval.config.ts" })).dataset?.source).toBe(
      "rows.csv",
    )
  })

  it("takes constraints, axes and gate figures that exist", async () => {
    const gate = ["exact", "ttftMs", "e2eMs.p95", "costUsd", "availability"].map((figure) => ({ figure, max: 1 }))
    const evaluation = await validateConfig({
      ...two,
      gate,
      constraints: ["p95 TTFT < 800 ms", "latency.p95 < 1 s and quality > 80 %, memory < 4 GiB", "exact >= 0.5"],
      axes: ["quality", "ttftMs.p95"],
    })
    expect(evaluation.gate).toEqual(gate)
  })

  it("takes a price whose rates are left out but for two, and one of electricity", async () => {
    const provider = fakeProvider("m")
    const dated = { source: "a list", date: "2026-11-01" } as const
    const prices = [
      { kind: "tokens", inputPerMillion: 1, outputPerMillion: 2, ...dated },
      {
        kind: "tokens",
        inputPerMillion: 1,
        outputPerMillion: 2,
        cacheWrite1hPerMillion: 2,
        longPrompts: [{ aboveTokens: 200_000, inputPerMillion: 2, outputPerMillion: 3 }],
        serviceTiers: { flex: 0.5, batch: { inputPerMillion: 0.4, outputPerMillion: 1 } },
        unitFees: { webSearch: 0.01 },
        minimumUsd: 0.0001,
        ...dated,
      },
      { kind: "electricity", watts: 350, usdPerKwh: 0.3, ...dated },
    ] as const
    const { variants } = await validateConfig({
      variants: prices.map((price, i) => ({ name: `v${i}`, provider, price })),
    })
    expect(variants.map(({ price }) => price)).toEqual(prices)
    const typo = { ...prices[0], cacheWrite1hPerMilion: 2 }
    await expect(validateConfig({ variants: [{ provider, price: typo }] })).rejects.toThrow(
      /did you mean "cacheWrite1hPerMillion"/,
    )
  })

  it("prices a variant from the price book, unless the config says otherwise", async () => {
    const provider = { ...fakeProvider("gpt-4.1-mini"), endpoint: "api.openai.com" }
    const price = {
      kind: "hourly",
      usdPerHour: 2,
      instances: 1,
      utilisation: 1,
      source: "contract",
      date: "2026-01-01",
    }
    const { variants } = await validateConfig({
      variants: [
        { name: "listed", provider },
        { name: "own", provider, price },
        { name: "unknown", provider, price: null },
        { name: "by-provider", provider: { ...provider, price } },
      ],
    })
    expect(variants[0]?.price).toMatchObject({ kind: "tokens", outputPerMillion: 1.6 })
    expect(variants.slice(1).map((entry) => entry.price)).toEqual([price, null, price])
  })

  it("keeps provider and metric values as they are", async () => {
    const evaluation = await validateConfig(two)
    expect(evaluation.variants[0]?.provider).toBe(two.variants[0]?.provider)
    expect(evaluation.metrics[1]).toBe(two.metrics[1])
  })

  it.each([
    [{ varaints: [] }, 'config: unknown field "varaints", did you mean "variants"?'],
    [
      { variants: [{ provider: fakeProvider("m"), promt: "x" }] },
      'variants[0]: unknown field "promt", did you mean "prompt"?',
    ],
    [
      { variants: [{ name: "a", provider: "gpt-4o" }] },
      'variants[0].provider: expected a provider such as openai({ model: "..." }) or local("model.gguf"), got "gpt-4o"',
    ],
    [{ variants: [{ name: "a" }] }, "variants[0].provider: expected a provider"],
    [
      { variants: [{ name: "a b", provider: fakeProvider("m") }] },
      "variants[0].name: expected a name of letters, digits, '.', '_' and '-', got \"a b\"",
    ],
    [
      { variants: [{ provider: fakeProvider("m"), prompt: 3 }] },
      'variants[0].prompt: expected a text or a template such as "{{input}}", or prompt(...), got 3',
    ],
    [
      { variants: [{ provider: fakeProvider("m"), parameters: { temperature: "hot" } }] },
      'variants[0].parameters.temperature: expected a number, got "hot"',
    ],
    [
      { variants: [{ provider: fakeProvider("m"), parameters: { max_tokens: 5 } }] },
      'variants[0].parameters: unknown field "max_tokens", did you mean "maxTokens"?',
    ],
    [
      { metrics: [fakeMetric] },
      "metrics[0]: expected a metric such as exactMatch() (a call, not the function itself), got the function fakeMetric",
    ],
    [{ metrics: fakeMetric("a") }, "metrics: expected a list, got an object"],
    [
      { variants: Array.from({ length: 20_000 }, (_, i) => ({ name: `v${i}`, provider: fakeProvider("m") })) },
      "variants: expected at most 1000 entries, got a list of 20000",
    ],
    [{ repeats: 0 }, "repeats: expected a number above 0, got 0"],
    [{ repeats: 1.5 }, "repeats: expected a whole number, got 1.5"],
    [{ alpha: 1 }, "alpha: expected a number below 1, got 1"],
    [{ seed: Number.NaN }, "seed: expected a number, got NaN"],
    [{ cache: "yes" }, 'cache: expected true or false, got "yes"'],
    [{ timeouts: { firstToken: 3 } }, 'timeouts: unknown field "firstToken", did you mean "firstTokenMs"?'],
    [{ retry: { retries: -1 } }, "retry.retries: expected a number at least 0, got -1"],
    [{ budget: "five dollars" }, '"five dollars" is not a budget: budget; write amounts such as'],
    [{ budget: { usd: 0 } }, "budget.usd: expected a number above 0, got 0"],
    [{ dataset: 3 }, "dataset: expected a text or a list or a dataset, got 3"],
    [{ dataset: [1] }, "dataset[0]: expected a row (an object), got 1"],
    [{ gate: [{ figure: "exact" }] }, "gate[0]: expected a limit: min, max or notWorseThanBaselineBy, got an object"],
    [{ variants: [{ provider: fakeProvider("m"), price: { kind: "free" } }] }, "variants[0].price.kind: expected"],
    [[], "config: expected an object, got a list of 0"],
  ])("names the path and what was expected: %#", async (config, message) => {
    expect(await fault(config)).toContain(message)
  })

  it.each([
    [
      { ...two, variants: [two.variants[0], two.variants[0]] },
      'variants[1].name: expected a unique name, got "first" like variants[0]',
    ],
    [
      { ...two, metrics: [fakeMetric("a"), fakeMetric("a")] },
      'metrics[1].name: expected a unique name, got "a" like metrics[0]',
    ],
    [
      { ...two, baseline: "frist" },
      'baseline: expected a variant of (first, second), got "frist"; did you mean "first"?',
    ],
    [{ ...two, primary: ["exact", "bleu"] }, 'primary[1]: expected a metric of (exact, f1), got "bleu"'],
    [
      { metrics: [fakeMetric("ece", ["exact"])] },
      "metrics[0]: expected a config that also has the metric it depends on",
    ],
    [
      { ...two, gate: [{ figure: "exact", min: 0.5, variants: ["third"] }] },
      'gate[0].variants[0]: expected a variant of (first, second), got "third"',
    ],
    [{ ...two, constraints: ["fast"] }, 'constraints[0]: the constraint "fast" cannot be read'],
    [
      { ...two, constraints: ["latncy.p95 < 800"] },
      'constraints[0]: expected a metric\'s name or a figure of the report, got "latncy.p95"; did you mean "latency.p95"?',
    ],
    [
      { ...two, constraints: ["cost < 1", "qualty > 0.8"] },
      'constraints[1]: expected a metric\'s name or a figure of the report, got "qualty"; did you mean "quality"?',
    ],
    [{ ...two, constraints: ["p42 latency < 800"] }, "constraints[0]: expected e2eMs with mean, p50, p90, p95, p99"],
    [
      { ...two, axes: ["qualty"] },
      'axes[0]: expected a metric\'s name or a figure of the report, got "qualty"; did you mean "quality"?',
    ],
    [
      { ...two, axes: ["ttfMs.p95"] },
      'axes[0]: expected a metric\'s name or a figure of the report, got "ttfMs"; did you mean "ttftMs"?',
    ],
    [{ ...two, axes: ["quality", "ttftMs.p0"] }, 'axes[1]: "ttftMs.p0" is not a percentile'],
    [
      { ...two, gate: [{ figure: "exat", min: 1 }] },
      'gate[0].figure: expected a metric\'s name or a figure of the report, got "exat"; did you mean "exact"?',
    ],
    [
      { ...two, gate: [{ figure: "e2eMs.p42", max: 1 }] },
      "gate[0].figure: expected e2eMs with mean, p50, p90, p95, p99, max after a dot",
    ],
  ])("checks what several fields say together: %#", async (config, message) => {
    expect(await fault(config)).toContain(message)
  })

  it("refuses parameters that ask for several answers at once", async () => {
    const parameters = { extra: { n: 4 } }
    const config = { metrics: [fakeMetric("exact")], variants: [{ provider: fakeProvider("a"), parameters }] }
    const error = await validateConfig(config).catch((e: Error) => e.message)
    expect(error).toContain("no n or best_of above 1: one answer is read of each request")
  })

  it("lists every fault, and the file, in one message", async () => {
    const error = await validateConfig({ repeats: 0, seed: "x" }, { configPath: "eval.config.ts" }).catch(
      (e: Error) => e.message,
    )
    expect(error).toBe(
      'the config is not valid: eval.config.ts\n  repeats: expected a number above 0, got 0\n  seed: expected a number, got "x"',
    )
  })
})

describe("applyOverrides", () => {
  it("changes what is given and nothing else", async () => {
    const evaluation = await validateConfig(two)
    expect(applyOverrides(evaluation, {})).toEqual(evaluation)
    const changed = applyOverrides(evaluation, {
      seed: 9,
      repeats: 2,
      concurrency: 1,
      budget: "1usd",
      retries: 0,
      cache: false,
    })
    expect(changed).toMatchObject({
      seed: 9,
      repeats: 2,
      concurrency: 1,
      budget: { usd: 1 },
      cache: false,
      retry: { retries: 0 },
    })
  })

  it("limits the samples", async () => {
    const { dataset } = applyOverrides(await validateConfig(two), { limit: 1 })
    const ids: string[] = []
    for await (const sample of dataset?.samples() ?? []) ids.push(sample.id)
    expect(ids).toEqual(["a"])
  })

  it("keeps the named variants; a baseline that is left out is replaced by the first of them", async () => {
    const changed = applyOverrides(await validateConfig(two), { variants: ["second"] })
    expect(changed.variants.map((entry) => entry.name)).toEqual(["second"])
    expect(changed.baseline).toBe("second")
  })

  it("refuses what does not exist or is out of range, naming the option", async () => {
    const evaluation = await validateConfig(two)
    expect(() => applyOverrides(evaluation, { variants: ["secnd"] })).toThrow(
      'there is no variant "secnd": --variant; did you mean "second"?',
    )
    expect(() => applyOverrides(evaluation, { baseline: "x" })).toThrow("--baseline")
    expect(() => applyOverrides(evaluation, { limit: 0 })).toThrow("--limit expects a whole number at least 1, got 0")
    expect(() => applyOverrides(evaluation, { alpha: 2 })).toThrow("--alpha")
    expect(() => applyOverrides(evaluation, { budget: "x" })).toThrow("--budget")
  })
})
