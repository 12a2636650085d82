import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { DoctorCheck } from "../../src/cli/doctor/check.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import { runCli } from "../support/cli.ts"
import { tinyModel } from "../support/onnx/tiny-model.ts"
import { type PickyService, startPickyService } from "../support/picky-service.ts"

let folder: string
let service: PickyService
/** What happened, in order. */
let events: string[]
beforeEach(async () => {
  events = []
  folder = await mkdtemp(join(tmpdir(), "evalkit-weights-"))
  service = await startPickyService({
    refuse() {
      events.push("request")
      return null
    },
  })
  await writeFile(
    join(folder, "eval.config.ts"),
    `import { classifier, crossEncoder, defineConfig, entailmentModel, exactMatch, hallucination, inline, openai, toxicity, unentailedSentences, ungroundedFacts } from "evalkit"
     const nli = () => entailmentModel(crossEncoder({ model: "./weights/nli" }))
     export default defineConfig({
       dataset: inline(["a", "b", "c"].map((id) => ({ id, input: "say hello", reference: "hello", context: ["Hello."] }))),
       metrics: [exactMatch(), unentailedSentences({ model: nli() }),
         toxicity({ model: classifier({ model: "./weights/toxic.onnx" }) }),
         hallucination({ detectors: [ungroundedFacts({ name: "facts" }), unentailedSentences({ name: "entailed", model: nli() })] })],
       reports: [], variants: [{ name: "a", provider: openai({ model: "m", baseUrl: ${JSON.stringify(service.url)}, apiKeyVariable: null }) }] })`,
  )
})
afterEach(async () => {
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

const evalkit = (...args: string[]) =>
  runCli(args, {
    cwd: folder,
    started: (child) => child.stderr?.on("data", (text) => String(text).includes("missing") && events.push("warning")),
  })

const metricOf = (report: RunReport, name: string) =>
  report.variants[0]?.quality.find(({ metric }) => metric === name) ?? { metric: "none" }

describe("weights that are missing", () => {
  it("are said before the first request, cost their metrics alone, and are looked for again on resume", async () => {
    const { code, stdout, stderr } = await evalkit("run", "--json")
    expect(code, stderr).toBe(0)
    expect(events[0]).toBe("warning")
    expect(events.filter((event) => event === "request").length).toBeGreaterThanOrEqual(3)
    expect(stderr).toMatch(
      /evalkit: unentailedSentences, hallucination will be unscored: the weights of the cross-encoder are missing: .*nli; .*looked at .*weights.nli/,
    )
    expect(stderr).toMatch(/evalkit: toxicity will be unscored: the weights of the classifier are missing/)
    const report = JSON.parse(stdout) as RunReport
    expect(metricOf(report, "exactMatch")).toMatchObject({ scored: 3 })
    expect(metricOf(report, "unentailedSentences")).toMatchObject({
      scored: 0,
      unscoredCodes: { model_unavailable: 3 },
    })
    expect(JSON.stringify(metricOf(report, "toxicity"))).toContain("weights of the classifier are missing")
    // The detector that needs no weights is heard.
    expect(metricOf(report, "hallucination")).toMatchObject({ scored: 3 })
    const check = report.checks.find(({ name }) => name === "models that metrics need are there")
    expect(check).toMatchObject({ status: "failed", message: expect.stringContaining("toxicity will be unscored") })

    const asked = events.filter((event) => event === "request").length
    await tinyModel(join(folder, "weights", "nli"), { weights: { hello: [2] } })
    await tinyModel(join(folder, "weights"), {
      weights: { hello: [0, 1] },
      file: "toxic.onnx",
      labels: ["nontoxic", "toxic"],
    })
    const second = await evalkit("run", "--resume", "--json")
    expect(second.stderr).not.toContain("missing")
    const repaired = JSON.parse(second.stdout) as RunReport
    for (const name of ["unentailedSentences", "toxicity"])
      expect(metricOf(repaired, name), name).toMatchObject({ scored: 3 })
    expect(repaired.checks.map(({ name }) => name)).not.toContain("models that metrics need are there")
    expect(events.filter((event) => event === "request").length).toBe(asked)
  })

  it("are said by the doctor, with and without calls, and by a dry run", async () => {
    const { code, stdout } = await evalkit("doctor", "--no-call", "--json")
    expect(code).toBe(2)
    const { checks } = JSON.parse(stdout) as { checks: DoctorCheck[] }
    const failed = checks.filter(({ status }) => status === "failed")
    expect(failed.map(({ name }) => name.replace(/, .*/, ""))).toEqual([
      "metric unentailedSentences",
      "metric toxicity",
    ])
    expect(failed[0]?.message).toMatch(/weights of the cross-encoder are missing.*docs\/models\.md/)
    expect(events).not.toContain("request")

    const dry = await evalkit("run", "--dry-run")
    expect(dry.stdout).toContain("toxicity will be unscored: the weights of the classifier are missing")
    const json = JSON.parse((await evalkit("run", "--dry-run", "--json")).stdout) as { missing: string[] }
    expect(json.missing).toHaveLength(2)
    expect(events).not.toContain("request")
  })
})
