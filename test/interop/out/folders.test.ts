import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import type { RunReport } from "../../../src/core/report/report.ts"
import { pathPart } from "../../../src/interop/exported-file.ts"
import { folderExports } from "../../../src/interop/exports.ts"
import { yamlText } from "../../../src/interop/yaml-text.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { evalkit, recordedRun } from "./recorded-run.ts"

const made = recordedRun({
  samples: 20,
  ids: (i) => `../s${i}\n\u001b[31m: "`,
  metrics:
    'exactMatch({ name: "no: #1/../x" }), bleu(), custom({ name: "never", direction: "lower", range: [0, 1], measure: () => unscored("no_number", "never: \\n a number") })',
  imports: "bleu, custom, exactMatch, unscored",
  wrong: (variant, i) => i % (4 + variant) === 0,
  failed: (variant, i) => variant === 1 && i === 3,
}).then(async ({ cwd, run }) => {
  const report = JSON.parse((await evalkit(cwd, "report", run, "--format", "json")).out) as RunReport
  return { cwd, run, report }
})

/** Every file below a folder, by its path there. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
}

/** Names that would leave the folder, break a line, or mean something to YAML. */
const evil = "../../evil\n- x: &a !!python/object 1\\b\u0001\u202e\u2028: yes #\u007f'\""

/** A run whose names are somebody else's: the log of another tool, imported. */
const foreign = (async () => {
  const cwd = scratchDirectory()
  const log = {
    ...{ version: 2, status: "success" },
    eval: { task: evil, run_id: evil, created: "2026-01-01T00:00:00Z", model: evil, dataset: { name: evil } },
    samples: [0, 1, 2].map((i) => ({
      ...{ id: `${evil}${i}`, epoch: 1, input: "a?", target: "a", messages: [] },
      output: { completion: evil, choices: [{ message: { role: "assistant", content: evil }, stop_reason: "stop" }] },
      scores: { [evil]: { value: i / 2 }, ok: { value: i === 1 ? null : 1 } },
    })),
  }
  writeFileSync(join(cwd, "evil.json"), JSON.stringify(log))
  const { out, err } = await evalkit(cwd, "import", "evil.json", "--json")
  const [imported] = JSON.parse(out === "" ? JSON.stringify(err) : out)
  const report = JSON.parse((await evalkit(cwd, "report", imported.run, "--format", "json")).out) as RunReport
  return { cwd, run: imported.run as string, report }
})()

async function exported(format: string, from: typeof made = made) {
  const { cwd, run, report } = await from
  const before = filesIn(cwd).filter((name) => !name.startsWith(".evalkit/"))
  const out = `out-${format}-${Math.random()}`
  const { code, err } = await evalkit(cwd, "export", run, "--format", format, "--out", out)
  expect(code, err).toBe(0)
  const folder = join(cwd, out)
  const outside = filesIn(cwd).filter((name) => !name.startsWith(".evalkit/") && !name.startsWith(`${out}/`))
  expect(outside).toEqual(before)
  expect(existsSync(join(cwd, "..", "evil"))).toBe(false)
  return { folder, report, files: filesIn(folder), read: (name: string) => readFileSync(join(folder, name), "utf8") }
}

describe("formats of several files", { timeout: 120_000 }, () => {
  it.each(folderExports.map(({ name }) => name))(
    "write %s into its folder only, and say that it needs one",
    async (format) => {
      const { cwd, run } = await made
      const { files } = await exported(format)
      expect(files.length).toBeGreaterThan(1)
      expect(files.filter((name) => name.includes(".part"))).toEqual([])
      for (const name of files) expect(name).toMatch(/^[A-Za-z0-9._/-]+$/)
      expect(await evalkit(cwd, "export", run, "--format", format)).toMatchObject({
        code: 2,
        err: expect.stringMatching(/is a folder of files.*--out FOLDER/),
      })
    },
  )

  it.each(folderExports.map(({ name }) => name))(
    "write %s of a log with hostile names into its folder only",
    async (format) => {
      const { files, read, report } = await exported(format, foreign)
      expect(report.variants[0]?.name).toContain("evil")
      for (const name of files) {
        expect(name).toMatch(/^[A-Za-z0-9._/-]+$/)
        if (name.endsWith(".json")) expect(() => JSON.parse(read(name))).not.toThrow()
        if (name.endsWith(".yaml")) expect(parse(read(name), { version: "1.1" })).toEqual(parse(read(name)))
      }
    },
  )

  it("leave what was there where a link or a folder is in the way of one file", async () => {
    const { cwd, run } = await made
    mkdirSync(join(cwd, "elsewhere"))
    mkdirSync(join(cwd, "linked"))
    symlinkSync(join(cwd, "elsewhere"), join(cwd, "linked", ".eval_results"))
    const { code, err } = await evalkit(cwd, "export", run, "--format", "hugging-face", "--out", "linked")
    expect([code, err]).toEqual([2, expect.stringMatching(/a link is in the way/)])
    expect([readdirSync(join(cwd, "elsewhere")), readdirSync(join(cwd, "linked"))]).toEqual([[], [".eval_results"]])
    writeFileSync(join(cwd, "a-file"), "mine")
    expect((await evalkit(cwd, "export", run, "--format", "mlflow", "--out", "a-file")).code).toBe(2)
    expect(readFileSync(join(cwd, "a-file"), "utf8")).toBe("mine")
  })

  it("mlflow: a file store with the figures of the report to the digit, and unknown ones as tags", async () => {
    const { read, files, report } = await exported("mlflow")
    const [experiment] = files.filter((name) => /^mlruns\/\d+\/meta\.yaml$/.test(name))
    const meta = parse(read(experiment as string), { version: "1.1" })
    expect(meta).toMatchObject({ lifecycle_stage: "active", experiment_id: expect.stringMatching(/^\d+$/) })
    const runs = files.filter((name) => /^mlruns\/\d+\/[0-9a-f]{32}\/meta\.yaml$/.test(name))
    expect(runs.length).toBe(2)
    for (const path of runs) {
      const folder = path.replace("/meta.yaml", "")
      const run = parse(read(path), { version: "1.1" })
      expect(run).toMatchObject({
        status: 3,
        source_type: 4,
        lifecycle_stage: "active",
        artifact_uri: `${folder}/artifacts`,
      })
      expect(run.run_id).toBe(folder.split("/").at(-1))
      const variant = report.variants.find(({ name }) => name === run.run_name)
      // As MLflow's file store reads a metric: time stamp, value, step.
      const metric = (name: string) => /^(\d+) (\S+) 0\n$/.exec(read(`${folder}/metrics/${name}`))?.[2]
      for (const [metricName, file] of [
        ["no: #1/../x", "no-1-..-x"],
        ["bleu", "bleu"],
      ] as const) {
        const figure = variant?.quality.find((entry) => entry.metric === metricName)?.figure
        if (figure?.status !== "known") throw new Error("the figure is known")
        expect(Number(metric(file))).toBe(figure.value)
        expect(Number(metric(`${file}.low`))).toBe(figure.low)
      }
      expect(files.filter((name) => name.startsWith(`${folder}/metrics/never`))).toEqual([])
      expect(read(`${folder}/tags/unknown.never`)).toMatch(/no_number/)
      expect(read(`${folder}/tags/mlflow.runName`)).not.toMatch(/[\n\u2028\0]/)
      expect(JSON.parse(read(`${folder}/artifacts/variant.json`)).name).toBe(run.run_name)
    }
  })

  it("hugging-face: results that YAML 1.1 and 1.2 read alike, with unknown figures left out", async () => {
    const { read, files, report } = await exported("hugging-face")
    expect(files.every((name) => /^\.eval_results\/[^/]+\.yaml$/.test(name))).toBe(true)
    for (const name of files) {
      const results = parse(read(name))
      expect(parse(read(name), { version: "1.1" })).toEqual(results)
      expect(results.map((result: { dataset: { task_id: string } }) => result.dataset.task_id)).toEqual([
        "no: #1/../x",
        "bleu",
      ])
      const variant = report.variants.find((entry) => results[0].notes.includes(`variant ${entry.name}:`))
      for (const [i, { value, date, dataset }] of results.entries()) {
        const figure = variant?.quality[i]?.figure
        expect(value).toBe(figure?.status === "known" ? figure.value : null)
        expect([date, dataset.id]).toEqual([report.run.finishedAt?.slice(0, 10), report.dataset.name])
      }
      expect(read(name)).toMatch(/^# left out: "never: .*no_number/)
    }
  })

  it("inspect: what Inspect's own reader needs in every sample, and the corpus metric in the results alone", async () => {
    const { read, files, report } = await exported("inspect")
    expect(new Set(files.map((name) => JSON.parse(read(name)).eval.task_id)).size).toBe(files.length)
    for (const name of files) {
      const log = JSON.parse(read(name))
      // Inspect lists no JSON file of another name.
      expect(name).toMatch(new RegExp(`^\\d{4}(-\\d{2}){2}T\\d{2}(-\\d{2}){2}_[^_]+_[^_]+_${log.eval.task_id}\\.json$`))
      expect(log).toMatchObject({ version: 2, status: "success", plan: { steps: [] }, eval: { config: { epochs: 1 } } })
      expect(Object.keys(log.eval)).toEqual(
        expect.arrayContaining(["run_id", "created", "task", "task_id", "task_version", "dataset", "model", "config"]),
      )
      const variant = report.variants.find((entry) => entry.name === log.eval.model)
      for (const score of log.results.scores) {
        const figure = variant?.quality.find(({ metric }) => metric === score.name)?.figure
        if (figure?.status === "known") expect(score.metrics.value.value).toBe(figure.value)
        else expect(score).toMatchObject({ metrics: {}, metadata: { evalkit_unknown: expect.stringMatching(/./) } })
      }
      expect(log.samples.length).toBe(20)
      for (const sample of log.samples) {
        expect(sample).toMatchObject({
          epoch: 1,
          messages: [{ role: "user" }, { role: "assistant", source: "generate" }],
        })
        expect(Object.keys(sample.scores).every((metric) => metric === "no: #1/../x")).toBe(true)
        expect(sample.output.completion).toBe(sample.output.choices[0].message.content)
        expect([sample.total_time, sample.output.usage?.total_cost]).toEqual([
          sample.output.time,
          sample.metadata.evalkit_cost_usd || undefined,
        ])
      }
      const used = log.samples.flatMap(({ output }: { output: { usage?: object } }) => output.usage ?? [])
      const sum = (field: string) =>
        expect.closeTo(
          used.reduce((total: number, entry: Record<string, number>) => total + (entry[field] as number), 0),
          12,
        )
      const fields = ["input_tokens", "output_tokens", "total_tokens", "total_cost"]
      expect(used.length).toBeGreaterThan(15)
      expect(log.stats.model_usage).toEqual({
        [log.eval.model_args.model]: Object.fromEntries(fields.map((field) => [field, sum(field)])),
      })
    }
  })
})

describe("yamlText", () => {
  it("is read alike by YAML 1.1 and 1.2, whatever the texts and numbers are", () => {
    const value = {
      ...{ yes: "no", on: "2026-01-01", "a: b": "~", list: ["- x", "", "0x1f", "1e3", "&a", "*b", "!!str", "| "] },
      ...{
        numbers: [1e-7, 1.5e300, -2e21, 0, -0.1, 12345678901234, 1e21],
        empty: [],
        none: {},
        nested: [{ a: [1, ["b"]] }],
      },
      text: "a\nb\r\t\u0000\u0085\u2028\ufeff\u007f\ud83d\ude00\\\"'#",
    }
    for (const version of ["1.1", "1.2"] as const) expect(parse(yamlText(value), { version })).toEqual(value)
    expect(parse(yamlText({ lone: "\ud800" }))).toEqual({ lone: "\ufffd" })
    expect(yamlText({ a: undefined, b: true })).toBe("b: true\n")
  })
})

describe("pathPart", () => {
  it("makes names that stay in their folder and differ", () => {
    const taken = new Set<string>()
    expect(
      ["..", "../..", "a/b", "A-B", "", ".git", "con\u0000", "x".repeat(300)].map((text) => pathPart(text, taken)),
    ).toEqual([...["unnamed", "unnamed-2", "a-b", "A-B-2", "unnamed-3", "git", "con", "x".repeat(80)]])
  })
})
