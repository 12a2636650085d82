import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { callCli } from "../../support/call-cli.ts"
import { schemaErrors } from "../../support/report-schema.ts"
import { scratchDirectory } from "../../support/scratch.ts"

/** What a config of 60 samples states; the candidate is wrong on three of them. */
interface Stated {
  readonly margin?: number
  readonly samples?: number
  readonly metrics?: number
  readonly prompt?: string
}

/** A config is code, and Node reads a module once: what it states stands in a file beside it. */
const config = `import { readFileSync } from "node:fs"
import { contains, defineConfig, exactMatch, recorded, variant } from "evalkit"
export default () => {
  const { margin, samples, prompt, metrics } = JSON.parse(readFileSync(new URL("stated.json", import.meta.url), "utf8"))
  const ids = Array.from({ length: samples }, (_, i) => "s" + i)
  const side = (name, wrong) => variant({ name, prompt,
    provider: recorded(ids.map((id, i) => ({ id, text: i < wrong ? "b" : "a" }))) })
  return defineConfig({
    dataset: ids.map((id, i) => ({ id, input: "q" + i, references: ["a"] })),
    variants: [side("f16", 0), side("q4", 3)],
    metrics: [exactMatch(), contains()].slice(0, metrics), primary: "exactMatch", margin,
  })
}`

function project() {
  const cwd = scratchDirectory()
  const state = (stated: Stated) => {
    const all = { margin: 0.2, samples: 60, metrics: 1, prompt: "{{input}}", ...stated }
    writeFileSync(join(cwd, "stated.json"), JSON.stringify(all))
  }
  const evalkit = (...words: string[]) => callCli(words, { cwd })
  const report = async () => JSON.parse((await evalkit("report", "--json")).stdout)
  writeFileSync(join(cwd, "eval.config.ts"), config)
  state({})
  return { cwd, state, evalkit, report }
}

const flat = (text: string) => text.replace(/<[^>]*>/g, "").replace(/\s+/g, " ")

const written = (evalkit: ReturnType<typeof project>["evalkit"]) =>
  Promise.all(
    [
      ["-f", "html"],
      ["-f", "markdown"],
      ["-f", "markdown", "--for", "boss"],
    ].map(async (options) => (await evalkit("report", ...options)).stdout),
  )

describe("a frozen plan", () => {
  it("decides a run that follows it, and every output says so by its day", async () => {
    const { cwd, evalkit, report } = project()
    const frozen = await evalkit("plan", "--freeze")
    expect([frozen.code, frozen.stderr.includes("commit it before the first run")]).toEqual([0, true])
    const plan = JSON.parse(readFileSync(join(cwd, "evalkit.plan.json"), "utf8"))
    expect(plan).toMatchObject({ config: "eval.config.ts", decides: { margin: 0.2, dataset: { samples: 60 } } })
    const { stdout, code } = await evalkit("run")
    expect(code).toBe(0)
    const result = await report()
    expect(result.plan).toMatchObject({ sha256: plan.sha256, differences: [] })
    expect(schemaErrors(result)).toEqual([])
    const day = new Date(plan.frozenAt).toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" })
    const sentence = `Decided by the plan of ${day}.`
    const texts = [stdout, ...(await written(evalkit))]
    expect(texts.map((text) => flat(text).includes(sentence))).toEqual([true, true, true, true])
  })
  it("names exactly what was changed after it, in every output", async () => {
    const { state, evalkit, report } = project()
    await evalkit("plan", "--freeze")
    state({ margin: 0.25, samples: 40, metrics: 2, prompt: "Say: {{input}}" })
    const { stdout } = await evalkit("run")
    const { differences } = (await report()).plan
    expect(differences.map((difference: { path: string }) => difference.path)).toEqual([
      ...["margin", "metrics.contains", "dataset.fingerprint", "dataset.samples"],
      ...["variants.f16.prompt.sha256", "variants.q4.prompt.sha256"],
    ])
    for (const text of [stdout, ...(await written(evalkit))]) {
      const named = ["metric contains added", "data set samples 40 instead of 60", "margin 0.25 instead of 0.2"]
      expect(named.filter((words) => !flat(text).includes(words))).toEqual([])
      expect(flat(text).includes(`Decided by the plan of ${new Date().getUTCDate()}`)).toBe(false)
    }
  })
  it("holds for a report that is derived anew: a margin that was changed after the run is named", async () => {
    const { state, evalkit, report } = project()
    await evalkit("plan", "--freeze")
    await evalkit("run", "--no-html")
    state({ margin: 0.01 })
    const [{ id }] = JSON.parse((await evalkit("runs", "--json")).stdout)
    await evalkit("score", id)
    expect((await report()).plan.differences).toMatchObject([{ path: "margin", before: "0.2", after: "0.01" }])
  })
  it("that was frozen after the first call decides nothing, and says so", async () => {
    const { evalkit } = project()
    await evalkit("run", "--no-html")
    const [{ id }] = JSON.parse((await evalkit("runs", "--json")).stdout)
    await evalkit("plan", "--freeze")
    const { stdout } = await evalkit("score", id)
    expect(flat(stdout)).toMatch(
      /Not decided by the plan of .*: it was frozen at .* UTC, after the run began at .* UTC\./,
    )
  })
  it("that was frozen before an extension, and after the answers that it keeps, decides nothing", async () => {
    const { evalkit, report } = project()
    await evalkit("run", "--no-html", "--limit", "40")
    await evalkit("plan", "--freeze")
    const { code, stderr } = await evalkit("run", "--no-html", "--extend", "--limit", "60")
    expect(code, stderr).toBe(0)
    const { run, plan } = await report()
    expect(Date.parse(run.startedAt)).toBeGreaterThan(Date.parse(plan.frozenAt))
    expect(Date.parse(plan.startedAt)).toBeLessThan(Date.parse(plan.frozenAt))
  })
  it("is not overwritten, not changed by hand, and is of the config that it names", async () => {
    const { cwd, evalkit, report } = project()
    await evalkit("plan", "--freeze")
    const second = await evalkit("plan", "--freeze", "second.plan.json")
    expect([second.code, second.stderr.includes("a plan is frozen for this config already")]).toEqual([2, true])
    const path = join(cwd, "evalkit.plan.json")
    const text = readFileSync(path, "utf8")
    writeFileSync(path, text.replace('"margin": 0.2', '"margin": 0.3'))
    const changed = await evalkit("run", "--no-html")
    expect([changed.code, changed.stderr.includes("the plan is not as it was when it was frozen")]).toEqual([2, true])
    rmSync(path)
    const elsewhere = await evalkit("plan", "--freeze", "../evalkit.plan.json")
    expect([elsewhere.code, elsewhere.stderr.includes("a plan lies beside its config")]).toEqual([2, true])
    writeFileSync(join(cwd, "other.config.ts"), config)
    await evalkit("plan", "--freeze", "other.plan.json", "--config", "other.config.ts", "--limit", "30")
    expect(JSON.parse(readFileSync(join(cwd, "other.plan.json"), "utf8")).decides.dataset.samples).toBe(30)
    await evalkit("run", "--no-html")
    expect(await report()).not.toHaveProperty("plan")
  })
})
