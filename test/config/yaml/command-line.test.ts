import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import type { RunReport } from "../../../src/core/report/report.ts"
import { callCli } from "../../support/call-cli.ts"
import { startPickyService } from "../../support/picky-service.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("")

/** A folder with a config in YAML whose variants answer from records, or the second from a service. */
function project(next = "{ recorded: bad.jsonl }"): string {
  const folder = scratchDirectory()
  const ids = Array.from({ length: 12 }, (_, i) => `s${i}`)
  writeFileSync(join(folder, "questions.jsonl"), lines(ids.map((id) => ({ id, input: id, reference: id }))))
  for (const name of ["good", "bad"])
    writeFileSync(join(folder, `${name}.jsonl`), lines(ids.map((id) => ({ id, text: name === "good" ? id : "no" }))))
  writeFileSync(
    join(folder, "eval.config.yaml"),
    `dataset: questions.jsonl
variants:
  - { name: now, provider: { recorded: good.jsonl } }
  - { name: next, provider: ${next} }
metrics: [exactMatch, { rouge: { stem: true } }]
gate:
  - { figure: exactMatch, notWorseThanBaselineBy: 0.1, variants: [next] }
reports: [renderers.markdown, renderers.junit]
`,
  )
  return folder
}

describe("a config in YAML on the command line", () => {
  it("is planned, run, gated, resumed and checked as one in TypeScript is", { timeout: 120_000 }, async () => {
    // A recorded answer is no request: the budget stops what is asked of a service.
    const service = await startPickyService({ answer: () => "no" })
    onTestFinished(() => service.close())
    const cwd = project(`{ openai: { model: m, baseUrl: "${service.url}", apiKeyVariable: null } }`)
    expect(await callCli(["run", "--dry-run"], { cwd })).toMatchObject({ code: 0 })
    const stopped = await callCli(["run", "--json", "--budget", "5 requests"], { cwd })
    expect(stopped.code).toBe(5)
    const resumed = await callCli(["run", "--json", "--resume", "--budget", "100 requests"], { cwd })
    expect(resumed).toMatchObject({ code: 3 })
    const report = JSON.parse(resumed.stdout) as RunReport
    expect(report.run.id).toBe((JSON.parse(stopped.stdout) as RunReport).run.id)
    expect(report.variants.map(({ quality }) => quality[0]?.figure)).toMatchObject([{ value: 1 }, { value: 0 }])
    expect(await callCli(["gate"], { cwd })).toMatchObject({ code: 3 })
    expect(await callCli(["gate", "--config", "eval.config.yaml"], { cwd })).toMatchObject({ code: 3 })
    const doctor = await callCli(["doctor"], { cwd })
    expect(doctor).toMatchObject({ code: 0, stdout: expect.stringContaining("2 variants, 2 metrics") })
    expect(await callCli(["report", "--format", "markdown"], { cwd })).toMatchObject({ code: 0 })
    const scored = await callCli(["score", "good.jsonl", "--workers", "1", "--json"], { cwd })
    expect(scored.stderr + scored.stdout).not.toMatch(/no config/)
  })

  it("ends with code 2 and file:line:column where it cannot be read", async () => {
    const cwd = project()
    writeFileSync(join(cwd, "eval.config.yaml"), "metrics:\n  - exactMath\n")
    const { code, stderr } = await callCli(["run"], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain(
      'eval.config.yaml:2:5: metrics[0]: there is no Metric "exactMath"; did you mean "exactMatch"?',
    )
    expect(stderr).not.toMatch(/\n\s+at /)
  })
})
