import { mkdir, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { loadConfig } from "../../src/config/load.ts"
import { UsageError } from "../../src/core/errors.ts"
import { scratchDirectory } from "../support/scratch.ts"

const folder = scratchDirectory()

async function write(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
  return path
}

async function collect<T>(items: AsyncIterable<T> | Iterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

async function failure(path: string | undefined, cwd = folder): Promise<UsageError> {
  const error = await loadConfig(path, { cwd }).then(
    () => undefined,
    (caught: unknown) => caught,
  )
  expect(error).toBeInstanceOf(UsageError)
  return error as UsageError
}

describe("a config that loads", () => {
  it("imports evalkit from any folder, in TypeScript", async () => {
    const path = await write(
      "far/away/eval.config.ts",
      `import { defineConfig, inline } from "evalkit"
       const repeats: number = 3
       export default defineConfig({ repeats, dataset: inline([{ input: "Hello" }]) })`,
    )
    const { evaluation } = await loadConfig(path)
    expect(evaluation.repeats).toBe(3)
    expect(evaluation.name).toBe("away")
    expect(evaluation.directory).toBe(join(folder, "far/away/.evalkit"))
  })

  it.each(["ts", "mts", "js", "mjs"])("is found as eval.config.%s", async (extension) => {
    await write(
      `by-name-${extension}/eval.config.${extension}`,
      'import { defineConfig } from "evalkit"\nexport default defineConfig({ seed: 7 })',
    )
    const loaded = await loadConfig(undefined, { cwd: join(folder, `by-name-${extension}`) })
    expect(loaded.evaluation.seed).toBe(7)
    expect(loaded.path).toBe(join(folder, `by-name-${extension}`, `eval.config.${extension}`))
  })

  it("may be an async function, and may import files beside it", async () => {
    await write("async/rows.ts", 'export const rows = [{ id: 1, input: "Hello" }]')
    const path = await write(
      "async/eval.config.ts",
      'import { rows } from "./rows.ts"\nexport default async () => ({ dataset: rows })',
    )
    const { evaluation } = await loadConfig(path)
    const samples = await collect(evaluation.dataset?.samples() ?? [])
    expect(samples.map((sample) => sample.id)).toEqual(["1"])
  })

  it("reads a data set relative to its own folder, not to the working directory", async () => {
    await write("data/rows.jsonl", '{"id": "a", "input": "Hello"}\n')
    const path = await write(
      "data/eval.config.ts",
      'import { dataset } from "evalkit"\nexport default { dataset: dataset("rows.jsonl") }',
    )
    const { evaluation } = await loadConfig(path, { cwd: tmpdir() })
    expect((await collect(evaluation.dataset?.samples() ?? [])).length).toBe(1)
  })

  it("shares its classes with the copy of evalkit that loads it", async () => {
    const path = await write(
      "shared/eval.config.ts",
      'import { UsageError } from "evalkit"\nexport default () => { throw new UsageError("my own reason", {}) }',
    )
    expect((await failure(path)).message).toBe("my own reason: shared/eval.config.ts:2")
  })
})

describe("a config that does not load", () => {
  it("says which names it looked for when there is none", async () => {
    const empty = join(folder, "empty")
    await mkdir(empty)
    const error = await failure(undefined, empty)
    expect(error.code).toBe("config_not_found")
    expect(error.message).toContain("eval.config.ts, eval.config.mts, eval.config.js, eval.config.mjs")
    expect(error.message).toContain("evalkit init")
    expect((await failure("other.ts")).message).toContain("other.ts")
  })

  it("says of a file of data in its place that it is none", async () => {
    const { message } = await failure(await write("questions.jsonl", "{}\n"))
    expect(message).toMatch(/^a config does not end in \.jsonl: .*questions\.jsonl; name a file that ends in \.ts, /)
  })

  it("names file and line of a syntax error", async () => {
    await write("syntax/eval.config.ts", "const a: number = 1\nexport default {\n  name: 'x',,\n}\n")
    const error = await failure("syntax/eval.config.ts")
    expect(error.code).toBe("config_syntax")
    expect(error.where).toMatch(/^syntax\/eval\.config\.ts:3:/)
  })

  it("names the file of a syntax error in a file that the config imports", async () => {
    await write("syntax-inside/helper.ts", "export const a = {\n  b: :\n}\n")
    await write("syntax-inside/eval.config.ts", 'import { a } from "./helper.ts"\nexport default a')
    expect((await failure("syntax-inside/eval.config.ts")).where).toMatch(/^syntax-inside\/helper\.ts:2:/)
  })

  it("names the specifier and the importing file of a broken import", async () => {
    await write("broken/inner/helper.ts", 'import { x } from "./gone.ts"\nexport const y = x')
    await write("broken/eval.config.ts", 'import { y } from "./inner/helper.ts"\nexport default y')
    const error = await failure("broken/eval.config.ts")
    expect(error.code).toBe("config_import")
    expect(error.message).toContain('"./gone.ts"')
    expect(error.where).toBe("imported by broken/inner/helper.ts")
  })

  it("gives the install line for a package that is missing", async () => {
    const path = await write("package/eval.config.ts", 'import x from "@no-such/package/deep"\nexport default x')
    expect((await failure(path)).hint).toBe("install it with: npm i @no-such/package")
  })

  it("suggests the name when evalkit exports something near", async () => {
    const path = await write(
      "misspelt/eval.config.ts",
      'import { defineConfg } from "evalkit"\nexport default defineConfg({})',
    )
    const error = await failure(path)
    expect(error.message).toContain('evalkit has no "defineConfg"')
    expect(error.hint).toBe('did you mean "defineConfig"?')
  })

  it("says which entry has the name", async () => {
    const path = await write(
      "moved/eval.config.ts",
      'import { createRandom } from "evalkit"\nexport default { seed: createRandom(1) }',
    )
    const error = await failure(path)
    expect(error.message).toContain('evalkit has no "createRandom"')
    expect(error.hint).toBe('write: import { createRandom } from "evalkit/engine"')
  })

  it.each([
    ["exactMatch", 'write: import { exactMatch } from "evalkit"'],
    ["exactmatch", 'did you mean "exactMatch"?'],
    ["somethingElse", undefined],
  ])("says how %s is written where it was not imported", async (name, hint) => {
    const error = await failure(
      await write(`unimported-${String(hint).length}/eval.config.ts`, `export default { metrics: [${name}()] }`),
    )
    expect(error.message).toContain(`the config failed while it ran: ${name} is not defined`)
    expect(error.hint).toBe(hint)
  })

  it("finds the sub-paths of evalkit without an installation", async () => {
    await write(
      "sub-path/eval.config.ts",
      `import { defineConfig, inline } from "evalkit"
       import { UsageError } from "evalkit/engine"
       import { typos } from "evalkit/datasets"
       export default () => { throw new UsageError(typeof typos + typeof defineConfig + typeof inline, {}) }`,
    )
    expect((await failure("sub-path/eval.config.ts")).what).toBe("functionfunctionfunction")
  })

  it("names the line when it throws", async () => {
    await write("throws/eval.config.ts", 'const a = 1\nthrow new Error("no luck")\nexport default { a }')
    const error = await failure("throws/eval.config.ts")
    expect(error.code).toBe("config_failed")
    expect(error.message).toContain("no luck")
    expect(error.where).toBe("throws/eval.config.ts:2")
  })

  it.each([
    ["openai({ model: 'm', basUrl: 'http://127.0.0.1/v1' })", "openai({ basUrl })", "baseUrl"],
    ["ollama({ model: 'm', features: { logprob: true } })", "ollama({ features.logprob })", "logprobs"],
    ["exactMatch({ normalise: 'none' })", "exactMatch({ normalise })", "normalize"],
    ["openai({ model: 'm', price: { kind: 'tokens', inputPerMilion: 1 } })", "price.inputPerMilion", "inputPerMillion"],
  ])("names the line of the misspelt option in %s, and what was meant", async (call, where, meant) => {
    const names = "exactMatch, ollama, openai"
    for (const [name, text] of [
      [`${meant}-typo.ts`, `import { ${names} } from "evalkit"\n\nexport default { metrics: [${call}] }`],
      [
        `${meant}-typo-function.ts`,
        `import { ${names} } from "evalkit"\n\nexport default () => ({ metrics: [${call}] })`,
      ],
    ] as const) {
      const error = await failure(await write(name, text))
      expect(error.code).toBe("unknown_option")
      expect(error.where).toContain(`${name}:3`)
      expect(error.where).toContain(where)
      expect(error.hint).toBe(`did you mean "${meant}"?`)
    }
  })

  it("takes baseURL as the SDK spells it, and refuses two addresses", async () => {
    const config = (options: string) =>
      `import { openai, variant } from "evalkit"
       export default { variants: [variant({ name: "a", provider: openai({ model: "m", ${options} }) })] }`
    const { evaluation } = await loadConfig(await write("sdk.ts", config(`baseURL: "http://127.0.0.1:9/v1"`)))
    expect(evaluation.variants[0]?.provider.endpoint).toBe("127.0.0.1:9")
    const both = `baseURL: "http://127.0.0.1:9/v1", baseUrl: "http://127.0.0.1:8/v1"`
    expect((await failure(await write("both.ts", config(both)))).message).toContain("baseUrl and baseURL differ")
  })

  it("asks for a default export", async () => {
    const none = await write("none/eval.config.ts", "export const config = {}")
    expect((await failure(none)).message).toContain("no default export")
    const list = await write("list/eval.config.ts", "export default []")
    expect((await failure(list)).message).toContain("default export is a list")
    const text = await write("text/eval.config.ts", 'export default "x"')
    expect((await failure(text)).code).toBe("config_export")
  })

  it("names the config path of a value that does not fit", async () => {
    await write("invalid/eval.config.ts", 'export default { metrics: [], concurrency: "many" }')
    const error = await failure("invalid/eval.config.ts")
    expect(error.code).toBe("config_invalid")
    expect(error.message).toContain('concurrency: expected a number, got "many"')
  })
})
