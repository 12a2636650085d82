import { closeSync, openSync, writeFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import type { RunReport } from "../../src/core/report/report.ts"
import { runCli } from "../support/cli.ts"
import { scratchDirectory } from "../support/scratch.ts"

const [samples, tokens, alternatives] = [28, 1200, 20]

/** Unpacked, all answers together take more than 78 MB, and as JSON 61. */
function project(): string {
  const folder = scratchDirectory()
  for (const variant of ["a", "b"]) {
    const shift = variant === "a" ? 0 : 0.01
    const logprobs = Array.from({ length: tokens }, (_, i) => {
      const top = Array.from({ length: alternatives }, (_, k) => ({
        token: ` w${((i * 7 + k) % 2000).toString(36)}`,
        logprob: -0.001 - k * 0.31 - shift - (i % 97) / 100_000,
      }))
      return { ...top[0], top }
    })
    const row = JSON.stringify({ text: "yes", usage: { completionTokens: tokens }, logprobs })
    const file = openSync(join(folder, `${variant}.jsonl`), "w")
    for (let i = 0; i < samples; i++) writeSync(file, `{"id":"s${i}",${row.slice(1)}\n`)
    closeSync(file)
  }
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { answerPerplexity, defineConfig, divergence, exactMatch, expectedCalibrationError, inline, recorded, variant } from "evalkit"
export default defineConfig({
  dataset: inline(Array.from({ length: ${samples} }, (_, i) => ({ id: "s" + i, input: "question " + i, reference: "yes" }))),
  variants: ["a", "b"].map((name) => variant({ name, provider: recorded(name + ".jsonl", { model: "m" }) })),
  metrics: [exactMatch(), expectedCalibrationError(), answerPerplexity()],
  pairMetrics: [divergence({ topLogprobs: ${alternatives} })],
})
`,
  )
  return folder
}

it("a run with many log-probabilities needs the memory of one answer, not of all, in every command", async () => {
  const folder = project()
  const within = (args: readonly string[]) =>
    runCli(args, { cwd: folder, environment: { NODE_OPTIONS: "--max-old-space-size=120" } })
  // Killed while it runs: what is stored then is read again by the process that resumes.
  const killed = await runCli(["run", "--no-html"], {
    cwd: folder,
    started: (child) =>
      child.stderr?.on("data", (text) => /\d+ of 56 \([^0]/.test(String(text)) && child.kill("SIGKILL")),
  })
  const resumed = await within(["run", ...(killed.signal === "SIGKILL" ? ["--resume"] : []), "--json"])
  expect([resumed.code, resumed.stderr.slice(-400)]).toMatchObject([0, expect.any(String)])
  const { variants, sections } = JSON.parse(resumed.stdout) as RunReport
  for (const { finished, quality } of variants) {
    expect(finished).toBe(samples)
    expect(quality.map(({ scored }) => scored)).toEqual([samples, samples, samples])
  }
  expect(sections.map(({ kind }) => kind)).toContain("divergence")
  const newest = (JSON.parse(resumed.stdout) as RunReport).run.id
  for (const args of [
    ["score", newest],
    ["report", "-f", "html", "-o", "r.html"],
    ["compare", "a", "b"],
  ])
    expect([args[0], (await within(args)).code]).toEqual([args[0], expect.toBeOneOf([0, 4])])
}, 120_000)
