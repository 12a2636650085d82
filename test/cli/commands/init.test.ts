import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { parse } from "yaml"
import { services } from "../../../src/cli/init/choices.ts"
import { command, createInitCommand } from "../../../src/cli/init/init.ts"
import { loadConfig } from "../../../src/config/load.ts"
import { findPrice } from "../../../src/cost/price-book.ts"
import { fakeIo } from "../../support/fake-io.ts"

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "evalkit-init-"))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe("evalkit init", () => {
  it.each([...services])("writes a config for %s that loads and validates", async (provider, { factory }) => {
    const io = fakeIo({ cwd: folder })
    expect(await command.run({ dir: ".", provider }, io)).toBe(0)
    const { evaluation } = await loadConfig(undefined, { cwd: folder })
    expect(evaluation.variants.map((variant) => variant.name)).toEqual(["baseline", "candidate"])
    expect(evaluation.baseline).toBe("baseline")
    expect(evaluation.variants.map((variant) => variant.provider.kind)).toEqual([factory, factory])
    expect(evaluation.gate[0]?.figure).toBe(evaluation.metrics[0]?.name)
    const messages: string[] = []
    for await (const sample of evaluation.dataset?.samples() ?? [])
      messages.push(evaluation.variants[0]?.prompt.render(sample)[1]?.content ?? "")
    expect(messages.length).toBe(10)
    expect(messages[0]).toBe("What is the capital of France?")
  })

  it.each([...services])("writes a config in YAML for %s that means the same", async (provider) => {
    const outputOf = async (yaml: boolean) => {
      const dir = yaml ? "yaml" : "code"
      expect(await command.run({ dir, provider, yaml }, fakeIo({ cwd: folder }))).toBe(0)
      const { evaluation, path } = await loadConfig(undefined, { cwd: join(folder, dir) })
      expect(path).toBe(join(folder, dir, yaml ? "eval.config.yaml" : "eval.config.ts"))
      const { variants, metrics, margin, budget, gate } = evaluation
      return {
        variants: variants.map(({ name, provider: { kind, model }, parameters }) => ({
          name,
          kind,
          model,
          parameters,
        })),
        prompts: variants.map(({ prompt }) => prompt.identity).map((identity) => JSON.stringify(identity).length > 20),
        metrics: metrics.map(({ signature }) => signature),
        ...{ margin, budget, gate },
        samples: (await evaluation.dataset?.fingerprint())?.valueOf(),
      }
    }
    expect(await outputOf(true)).toEqual(await outputOf(false))
  })

  it("names the config in YAML in what comes next, points editors at the schema, and writes no second config beside one", async () => {
    const io = fakeIo({ cwd: folder })
    await command.run({ dir: "eval", provider: "openai", yaml: true }, io)
    // As it can be typed here: no shell finds evalkit by itself.
    for (const next of ["doctor", "run"])
      expect(io.stdout()).toContain(`  npx evalkit ${next} ${join("eval", "eval.config.yaml")}`)
    const text = await readFile(join(folder, "eval/eval.config.yaml"), "utf8")
    expect(text).toMatch(
      /^# yaml-language-server: \$schema=\.\.\/node_modules\/evalkit\/reports\/schema\/config-1\.schema\.json\n/,
    )
    expect(await readFile(join(folder, "eval/.github/workflows/evalkit.yml"), "utf8")).toContain("eval.config.yaml")
    await rm(join(folder, "eval/questions.jsonl"))
    await rm(join(folder, "eval/.github"), { recursive: true })
    await expect(command.run({ dir: "eval", provider: "openai" }, io)).rejects.toMatchObject({ code: "file_exists" })
  })

  it.each([...services])("writes no parameter for %s that its suggested models refuse", async (provider, service) => {
    const io = fakeIo({ cwd: folder })
    await command.run({ dir: ".", provider }, io)
    const { evaluation } = await loadConfig(undefined, { cwd: folder })
    // Read in the services' references on 2026-11-22; `maxTokens` goes by the name that each endpoint takes.
    const refusing: readonly (readonly [models: RegExp, parameter: string])[] = [
      [/^(openai\/)?(gpt-[5-9]|o\d)/, "temperature"],
      [/^claude-(fable|opus-4-[7-9]|(opus|sonnet|haiku)-[5-9])/, "temperature"],
      [/^gemini-3\.[6-9]/, "temperature"],
    ]
    for (const variant of evaluation.variants) {
      const refused = refusing.flatMap(([models, parameter]) =>
        models.test(variant.provider.model) ? [parameter] : [],
      )
      expect(
        Object.keys(variant.parameters).filter((name) => refused.includes(name)),
        variant.provider.model,
      ).toEqual([])
      expect(variant.parameters.maxTokens).toBe(service.maxTokens)
    }
  })

  it("writes into a new folder, names what it wrote and what comes next", async () => {
    const io = fakeIo({ cwd: folder })
    await command.run({ dir: "eval", provider: "openai", baseline: 'mo"del', candidate: "b" }, io)
    expect((await readdir(join(folder, "eval"))).sort()).toEqual([".github", "eval.config.ts", "questions.jsonl"])
    expect(io.stdout()).toContain(`wrote ${join("eval", "eval.config.ts")}`)
    expect(io.stdout()).toContain("export OPENAI_API_KEY=...")
    const { evaluation } = await loadConfig("eval/eval.config.ts", { cwd: folder })
    expect(evaluation.variants.map((variant) => variant.provider.model)).toEqual(['mo"del', "b"])
    const workflow = await readFile(join(folder, "eval/.github/workflows/evalkit.yml"), "utf8")
    expect(workflow).toMatch(/OPENAI_API_KEY: \$\{\{ secrets\.OPENAI_API_KEY \}\}/)
  })

  it("writes the workflow where GitHub reads it: in the root of the repository, pointing to the folder", async () => {
    await mkdir(join(folder, ".git"))
    const cwd = join(folder, "packages")
    await mkdir(cwd)
    const io = fakeIo({ cwd })
    await command.run({ dir: "my eval", provider: "openai" }, io)
    expect((await readdir(join(cwd, "my eval"))).sort()).toEqual(["eval.config.ts", "questions.jsonl"])
    expect(io.stdout()).toContain(`wrote ${join("..", ".github", "workflows", "evalkit.yml")}\n`)
    const path = join(folder, ".github/workflows/evalkit.yml")
    const text = await readFile(path, "utf8")
    const { jobs } = parse(text)
    expect(jobs.evaluate.defaults.run["working-directory"]).toBe("packages/my eval")
    expect(jobs.evaluate.steps.at(-1).with.path).toBe("packages/my eval/.evalkit")

    // A second evaluation has a workflow of its own; what is there is never overwritten, not by --force either.
    await command.run({ dir: "other", provider: "openai" }, fakeIo({ cwd }))
    expect(await readFile(path, "utf8")).toBe(text)
    expect(await readFile(join(folder, ".github/workflows/evalkit-packages-other.yml"), "utf8")).toContain(
      'working-directory: "packages/other"',
    )
    await writeFile(path, `${text}# mine\n`)
    const second = fakeIo({ cwd })
    await command.run({ dir: "my eval", provider: "anthropic", force: true }, second)
    expect(second.stdout()).toContain(
      `kept ${join("..", ".github", "workflows", "evalkit.yml")}, which is there already`,
    )
    expect(await readFile(path, "utf8")).toBe(`${text}# mine\n`)
    expect((await readdir(join(folder, ".github/workflows"))).sort()).toEqual([
      "evalkit-packages-other.yml",
      "evalkit.yml",
    ])
  })

  it("writes a workflow without a working directory into a folder that is the root of its repository", async () => {
    await writeFile(join(folder, ".git"), "gitdir: elsewhere")
    const io = fakeIo({ cwd: folder })
    await command.run({ provider: "openai" }, io)
    expect(io.stdout()).not.toContain("git repository")
    const { jobs } = parse(await readFile(join(folder, ".github/workflows/evalkit.yml"), "utf8"))
    expect(jobs.evaluate.defaults).toBeUndefined()
    expect(jobs.evaluate.steps.at(-1).with.path).toBe(".evalkit")
  })

  it("says where there is no repository where the workflow must lie", async () => {
    const io = fakeIo({ cwd: folder })
    await command.run({ dir: "eval", provider: "openai" }, io)
    expect(io.stdout()).toContain(
      "There is no git repository here. GitHub runs a workflow only from .github/workflows/",
    )
    expect(io.stdout()).toContain(`move ${join("eval", ".github", "workflows", "evalkit.yml")} there`)
  })

  it("writes nothing when a file is there, unless it is forced", async () => {
    await writeFile(join(folder, "questions.jsonl"), "mine")
    const run = (force: boolean) => command.run({ dir: ".", provider: "openai", force }, fakeIo({ cwd: folder }))
    await expect(run(false)).rejects.toThrow(/questions\.jsonl; .*--force/)
    expect(await readdir(folder)).toEqual(["questions.jsonl"])
    expect(await readFile(join(folder, "questions.jsonl"), "utf8")).toBe("mine")
    expect(await run(true)).toBe(0)
    expect(await readFile(join(folder, "questions.jsonl"), "utf8")).toContain("Paris")
  })

  it("asks for what the flags left open, and an answer decides", async () => {
    const asked: string[] = []
    let closed = 0
    const asking = createInitCommand(() => ({
      ask: async (question, fallback) => {
        asked.push(question)
        return question.startsWith("Provider") ? "mistral" : fallback
      },
      close: () => {
        closed++
      },
    }))
    const io = fakeIo({ cwd: folder })
    await asking.run({ dir: ".", candidate: "tiny", json: true }, io)
    expect(asked.map((question) => question.split(" ")[0])).toEqual(["Provider", "Model"])
    expect(closed).toBe(1)
    expect(JSON.parse(io.stdout())).toEqual({
      written: ["eval.config.ts", "questions.jsonl", join(".github", "workflows", "evalkit.yml")],
      provider: "mistral",
      baseline: "mistral-medium-latest",
      candidate: "tiny",
    })
  })

  it("suggests models that the price book knows, wherever the service has list prices", () => {
    for (const { factory, baseline, candidate, keyVariable, options } of services.values()) {
      // OpenRouter states what it charges; a deployment of Azure has any name.
      if (["openrouter", "azureOpenai"].includes(factory) || keyVariable === null) continue
      const service = options?.baseUrl ? new URL(options.baseUrl).host : factory
      for (const model of [baseline, candidate]) expect(findPrice(service, model), `${service} ${model}`).not.toBeNull()
    }
  })

  it("suggests the provider that was probably meant", async () => {
    const run = command.run({ dir: ".", provider: "opnai" }, fakeIo({ cwd: folder }))
    await expect(run).rejects.toThrow('did you mean "openai"?')
  })
})

describe("evalkit init --example", () => {
  it("lists the examples with their questions", async () => {
    const io = fakeIo({ cwd: folder })
    expect(await command.run({ example: "" }, io)).toBe(0)
    expect(io.stdout()).toContain("may int4 replace int8?")
    const json = fakeIo({ cwd: folder })
    await command.run({ example: "", json: true }, json)
    const names = (JSON.parse(json.stdout()) as { name: string }[]).map(({ name }) => name)
    const folders = await readdir(new URL("../../../examples/", import.meta.url), { withFileTypes: true })
    expect(names.sort()).toEqual(
      folders
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .sort(),
    )
    expect(await readdir(folder)).toEqual([])
  })

  it("copies one with what its config reads, so that it loads where it is, and says what to run", async () => {
    for (const name of ["rag", "capacity", "hosted-a-or-b", "pictures"]) {
      const io = fakeIo({ cwd: folder })
      expect(await command.run({ example: name }, io)).toBe(0)
      expect(io.stdout()).toContain(`npx evalkit run ${join(name, "eval.config.ts")}`)
      const { evaluation } = await loadConfig("eval.config.ts", { cwd: join(folder, name) })
      let samples = 0
      for await (const _ of evaluation.dataset?.samples() ?? []) samples++
      expect(samples, name).toBeGreaterThan(3)
      expect(await readFile(join(folder, name, "eval.config.ts"), "utf8")).not.toContain("../..")
    }
    expect(await readdir(join(folder, "capacity"))).toEqual(
      expect.arrayContaining(["tiny-m-f16.gguf", "tiny-s-f16.gguf", "tiny-tasks.jsonl"]),
    )
  })

  it("refuses to overwrite, and a name that is none", async () => {
    await command.run({ example: "ci-gate", dir: "gate" }, fakeIo({ cwd: folder }))
    await expect(command.run({ example: "ci-gate", dir: "gate" }, fakeIo({ cwd: folder }))).rejects.toThrow(
      "exist already",
    )
    expect(await command.run({ example: "ci-gate", dir: "gate", force: true }, fakeIo({ cwd: folder }))).toBe(0)
    await expect(command.run({ example: "ragg" }, fakeIo({ cwd: folder }))).rejects.toThrow('did you mean "rag"')
    await expect(command.run({ example: "../../etc" }, fakeIo({ cwd: folder }))).rejects.toThrow("no example")
  })
})
