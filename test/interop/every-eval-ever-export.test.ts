import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { Ajv } from "ajv"
import { describe, expect, it } from "vitest"
import { main } from "../../src/cli/main.ts"
import { fakeIo } from "../support/fake-io.ts"
import { scratchDirectory } from "../support/scratch.ts"

const data = process.env.EVALKIT_REFERENCE_DATA
if (!data) console.warn("skipped: the schemas of Every Eval Ever need EVALKIT_REFERENCE_DATA")

async function evalkit(cwd: string, ...argv: string[]) {
  const io = fakeIo({ cwd })
  const code = await main(argv, io)
  return { code, out: io.stdout(), err: io.stderr() }
}

/** Sixty questions, clustered, answered by two variants: right, wrong, not at all, and one of them dearer. */
async function recordedRun(): Promise<{ cwd: string; run: string; files: readonly string[] }> {
  const cwd = scratchDirectory()
  const rows = Array.from({ length: 60 }, (_, i) => ({
    ...{
      id: `s${i}`,
      input: `what is ${i}?`,
      references: [`it is ${i}`],
      cluster: `c${i % 20}`,
      group: i % 2 ? "odd" : "even",
    },
  }))
  writeFileSync(join(cwd, "data.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"))
  const answers = (name: string, wrong: (i: number) => boolean, failed: (i: number) => boolean) => {
    const lines = rows.map(({ id }, i) =>
      failed(i)
        ? { id, text: "", outcome: "http_5xx", failure: { message: "HTTP 500" } }
        : {
            id,
            // Python takes these for ends of a line.
            text: wrong(i) ? `no\u2028\u0085${i}` : `it is ${i}`,
            ttftMs: 100 + i,
            e2eMs: 300 + i,
            usage: { promptTokens: 9, completionTokens: 4 },
          },
    )
    writeFileSync(join(cwd, `${name}.jsonl`), lines.map((line) => JSON.stringify(line)).join("\n"))
  }
  answers(
    "a",
    (i) => i % 6 === 0,
    () => false,
  )
  answers(
    "b",
    (i) => i % 7 === 0,
    (i) => i % 29 === 3,
  )
  writeFileSync(
    join(cwd, "eval.config.ts"),
    `import { bleu, dataset, defineConfig, exactMatch, recorded, tokenF1, variant } from "evalkit"
const price = { kind: "tokens", inputPerMillion: 1, outputPerMillion: 2, source: "test", date: "2026-01-01" }
export default defineConfig({
  dataset: dataset("data.jsonl"),
  variants: ["a", "b"].map((name) => variant({ name, provider: recorded(new URL(name + ".jsonl", import.meta.url), { model: "maker/of:" + name }), price })),
  metrics: [exactMatch(), tokenF1(), bleu()],
  reports: [],
})`,
  )
  const { err, code } = await evalkit(cwd, "run", "--json")
  expect([0, 3, 4], err).toContain(code)
  const run = (await evalkit(cwd, "runs")).out.match(/^\s*([0-9a-f]{8})\b/m)?.[1] as string
  expect((await evalkit(cwd, "export", run, "--format", "every-eval-ever", "--out", "eee")).code).toBe(0)
  return { cwd, run, files: readdirSync(join(cwd, "eee")).map((name) => join(cwd, "eee", name)) }
}

const made = recordedRun()

describe("export --format every-eval-ever", { timeout: 60_000 }, () => {
  it("writes an aggregate and its instances for each variant, and none without a folder", async () => {
    const { cwd, run, files } = await made
    expect(files.filter((name) => name.endsWith("_samples.jsonl")).length).toBe(2)
    expect(files.length).toBe(4)
    const aggregate = JSON.parse(readFileSync(files.find((name) => name.endsWith(".json")) as string, "utf8"))
    // A corpus metric has its figure; only means have a value for each answer.
    expect(
      aggregate.evaluation_results.map(
        (result: { metric_config: { metric_name: string } }) => result.metric_config.metric_name,
      ),
    ).toEqual(expect.arrayContaining(["exactMatch", "tokenF1", "bleu"]))
    const { total_rows, file_path } = aggregate.detailed_evaluation_results
    expect(total_rows).toBe(120)
    // The format's validator (0.3.0) wants the developer and the model of the id, and splits lines as Python does.
    expect(file_path).toMatch(/^data\/evalkit\/maker\/of_[ab]\/[^/]+_samples\.jsonl$/)
    const samples = files.find((name) => name.endsWith(basename(file_path))) as string
    expect(
      readFileSync(samples, "utf8")
        .trim()
        .split(/[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/).length,
    ).toBe(120)
    expect((await evalkit(cwd, "export", run, "--format", "every-eval-ever")).err).toMatch(/name one with --out FOLDER/)
  })

  it("gives the same verdict to the digit when it is read again", async () => {
    const { cwd, run, files } = await made
    const [a, b] = files
      .filter((name) => name.endsWith(".json"))
      .sort((x, y) =>
        JSON.parse(readFileSync(x, "utf8")).model_info.name.localeCompare(
          JSON.parse(readFileSync(y, "utf8")).model_info.name,
        ),
      ) as [string, string]
    const shared = ["--margin", "0.1", "--json", "--primary", "exactMatch"]
    const stored = JSON.parse((await evalkit(cwd, "compare", `${run}:a`, `${run}:b`, ...shared)).out)
    const read = JSON.parse((await evalkit(cwd, "compare", a, b, ...shared)).out)
    // The corpus metric is not among what is read: fewer comparisons are adjusted for.
    const own = (json: { metrics: Record<string, object> }, metric: string) => ({
      ...json.metrics[metric],
      p_adjusted: null,
    })
    for (const metric of ["exactMatch", "tokenF1"]) expect(own(read, metric)).toEqual(own(stored, metric))
    expect(read.verdict).toBe(stored.verdict)
    expect(stored.metrics.exactMatch.missing.failed_b).toBe(2)
    const [first] = JSON.parse((await evalkit(cwd, "import", a, "--json")).out)
    expect(first).toMatchObject({ recognised: "every-eval-ever", samples: 60, answers: 60, skipped: [] })
  })

  it.skipIf(!data)("keeps both published schemas", async () => {
    const { files } = await made
    const schema = (name: string) => JSON.parse(readFileSync(join(data ?? "", "interop/every-eval-ever", name), "utf8"))
    const ajv = new Ajv({ strict: false })
    const aggregate = ajv.compile(schema("eval.schema.json"))
    const instance = ajv.compile(schema("instance_level_eval.schema.json"))
    for (const file of files) {
      const text = readFileSync(file, "utf8")
      if (file.endsWith(".json")) expect(aggregate(JSON.parse(text)), JSON.stringify(aggregate.errors)).toBe(true)
      else
        for (const line of text.trim().split("\n"))
          expect(instance(JSON.parse(line)), JSON.stringify(instance.errors)).toBe(true)
    }
  })
})
