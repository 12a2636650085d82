import { readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { expect, it } from "vitest"
import { figureValue } from "../../../src/core/report/figure.ts"
import type { RunReport } from "../../../src/core/report/report.ts"
import type { SlicesData } from "../../../src/core/report/section-slices.ts"
import { callCli } from "../../support/call-cli.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const source = readFileSync(new URL("../../../CONTRIBUTING.md", import.meta.url), "utf8")

/** Reads 10,000 characters in 200 ms before its first token, and forgets what is further than 2,000 from the end where the model is `short`. */
function startReader() {
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk) => (body += chunk))
    request.on("end", async () => {
      if (request.method === "GET") return response.end("{}")
      const { messages, model } = JSON.parse(body) as { messages: { content: string }[]; model: string }
      const text = messages.at(-1)?.content ?? ""
      const seen = model === "short" ? text.slice(-2000) : text
      await new Promise((resolve) => setTimeout(resolve, text.length / 50))
      const event = (fields: object) => response.write(`data: ${JSON.stringify({ id: "1", model, ...fields })}\n\n`)
      response.setHeader("content-type", "text/event-stream")
      const number = /access number of the \w+ \w+ is (\d+)/.exec(seen)?.[1] ?? "none"
      event({ choices: [{ index: 0, delta: { content: number } }] })
      event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })
      event({ choices: [], usage: { prompt_tokens: text.length, completion_tokens: 1, total_tokens: text.length + 1 } })
      response.end("data: [DONE]\n\n")
    })
  })
  return new Promise<{ url: string; close(): void }>((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      const close = () => {
        server.closeAllConnections()
        server.close()
      }
      resolve({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, close })
    }),
  )
}

it("draws the context-length curve: quality, time to the first token, time and cost at each length", async () => {
  const reader = await startReader()
  const folder = scratchDirectory()
  writeFileSync(join(folder, "padding.txt"), source)
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { readFileSync } from "node:fs"
     import { defineConfig, numericMatch, openai, renderers } from "evalkit"
     import { needles } from "evalkit/datasets"
     const price = { kind: "tokens", inputPerMillion: 1, outputPerMillion: 1, source: "list", date: "2026-11-01" } as const
     const provider = (model: string) => openai({ model, baseUrl: ${JSON.stringify(reader.url)}, apiKeyVariable: null, price })
     export default defineConfig({
       dataset: needles({ lengths: [256, 1024, 3072], padding: [readFileSync(new URL("padding.txt", import.meta.url), "utf8")], samples: 10 }),
       metrics: [numericMatch()], concurrency: 2, reports: [renderers.markdown()],
       variants: [{ name: "long", provider: provider("long") }, { name: "short", provider: provider("short") }],
       baseline: "long" })`,
  )
  try {
    const { code, stdout, stderr } = await callCli(["run", "--json"], { cwd: folder })
    expect(code, stderr).toBe(0)
    const report = JSON.parse(stdout) as RunReport
    const data = report.sections.find(({ kind }) => kind === "slices")?.data as unknown as SlicesData
    const axis = data.axes.find((entry) => entry.axis.endsWith("contextTokens"))
    expect(axis?.slices.map(({ slice, samples }) => [slice, samples])).toEqual([
      ["256", 10],
      ["1024", 10],
      ["3072", 10],
    ])
    const curve = (variant: string, figure: string) => {
      const index = data.figures.findIndex(({ name }) => name === figure)
      return (axis?.slices ?? []).map(({ levels }) =>
        figureValue(levels.find((level) => level.variant === variant)?.figures[index]),
      ) as number[]
    }
    const quality = data.figures[0]?.name ?? ""
    expect(curve("long", quality)).toEqual([1, 1, 1])
    const [near = 0, , far = 1] = curve("short", quality)
    expect(near).toBe(1)
    expect(far).toBeLessThan(0.5)
    for (const figure of ["ttftMs", "e2eMs", "costUsd"]) {
      const [a = 0, b = 0, c = 0] = curve("long", figure)
      expect([figure, a < b && b < c]).toEqual([figure, true])
    }
    expect(data.axes.some((entry) => entry.axis.endsWith("depth"))).toBe(false)
  } finally {
    reader.close()
  }
}, 120_000)
