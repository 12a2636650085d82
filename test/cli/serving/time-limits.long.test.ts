import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import type { RunReport } from "../../../src/core/report/report.ts"
import { clientErrorCheckName } from "../../../src/words/perf/client-error.ts"
import { runCli } from "../../support/cli.ts"
import { serveLoopback, startChat } from "../../support/loopback.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const server = await serveLoopback(async (_request, response) => {
  await pause(10)
  const chat = startChat(response)
  chat.delta({ role: "assistant", content: "yes" })
  await pause(10)
  chat.delta({ content: "." })
  chat.end(3, 2)
})
const baseUrl = server.url

/** A project whose gate holds the time to the first token to a limit; none: no gate. */
function writeConfig(folder: string, name: string, maxMs?: number): void {
  const gate = maxMs === undefined ? "" : `gate: [{ figure: "ttftMs.p50", max: ${maxMs} }],`
  writeFileSync(
    join(folder, name),
    `import { defineConfig, exactMatch, inline, openai, variant } from "evalkit"
export default defineConfig({
  name: "limits",
  dataset: inline(Array.from({ length: 20 }, (_, i) => ({ id: "s" + i, input: "question " + i, reference: "yes." }))),
  variants: [variant({ name: "one", provider: openai({ model: "m", baseUrl: "${baseUrl}", apiKeyVariable: null }) })],
  metrics: [exactMatch()],
  ${gate}
})\n`,
  )
}

it("a gate on a time fails its check where the figure is nearer to the limit than the client's own error, and there alone", async () => {
  const cwd = scratchDirectory()
  writeConfig(cwd, "eval.config.mjs")
  const ran = await runCli(["run", "eval.config.mjs", "--json", "--no-html"], { cwd })
  expect(ran.code, ran.stderr).toBe(0)
  const report = JSON.parse(ran.stdout) as RunReport
  const checkOf = ({ checks }: RunReport) => checks.find(({ name }) => name === clientErrorCheckName)
  expect(checkOf(report)).toMatchObject({ status: "passed" })
  const { ttftMs, clientErrorMs = 0 } = report.variants[0]!.speed
  if (ttftMs.p50.status === "unknown") throw new Error(ttftMs.p50.reason)
  expect(clientErrorMs).toBeGreaterThan(0)

  const withLimit = async (maxMs: number) => {
    writeConfig(cwd, "gate.config.mjs", maxMs)
    const { code, stdout, stderr } = await runCli(
      ["score", report.run.id, "--config", "gate.config.mjs", "--directory", ".evalkit", "--json"],
      { cwd },
    )
    expect([0, 3, 4], stderr).toContain(code)
    return checkOf(JSON.parse(stdout) as RunReport)
  }
  expect(await withLimit(ttftMs.p50.value + clientErrorMs / 2)).toMatchObject({
    status: "failed",
    message: expect.stringContaining("too large for the limits on ttftMs.p50 of one"),
  })
  expect(await withLimit(ttftMs.p50.value + 3 * clientErrorMs)).toMatchObject({ status: "passed" })
})
