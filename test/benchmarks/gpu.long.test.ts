import { spawn } from "node:child_process"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it, vi } from "vitest"
import { scratchDirectory } from "../support/scratch.ts"
import { freePort } from "../support/servers/free-port.ts"

vi.setConfig({ testTimeout: 120_000 })

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Adds up, five tokens an answer in 200 ms; every other sum is wrong. */
const program = `import { createServer } from "node:http"
import { writeFileSync } from "node:fs"
const [port, pidFile] = process.argv.slice(2)
writeFileSync(pidFile, String(process.pid))
createServer((request, response) => {
  let body = ""
  request.on("data", (part) => (body += part))
  request.on("end", async () => {
    if (request.method === "GET") return response.writeHead(request.url === "/health" ? 200 : 404).end("{}")
    const [, a, b] = /What is (\\d+) \\+ (\\d+)/.exec(JSON.parse(body).messages.at(-1).content) ?? [0, 0, 0]
    const sum = Number(a) + Number(b)
    response.writeHead(200, { "content-type": "text/event-stream" })
    const event = (fields) => response.write("data: " + JSON.stringify({ id: "1", object: "chat.completion.chunk", model: "m", ...fields }) + "\\n\\n")
    await new Promise((resolve) => setTimeout(resolve, 100))
    event({ choices: [{ index: 0, delta: { content: String(Number(a) % 2 === 0 ? sum : sum + 1) }, finish_reason: null }] })
    await new Promise((resolve) => setTimeout(resolve, 100))
    event({ choices: [{ index: 0, delta: { content: " " }, finish_reason: "stop" }] })
    event({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 } })
    response.end("data: [DONE]\\n\\n")
  })
}).listen(Number(port), "127.0.0.1")
`

function benchmark(path: string, args: readonly string[]) {
  return new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    const child = spawn(process.execPath, ["--import", "jiti/register", "benchmarks/gpu/main.ts", ...args], {
      cwd: root,
      env: { ...process.env, PATH: path },
      timeout: 110_000,
    })
    let [out, err] = ["", ""]
    child.stdout.on("data", (text) => (out += text))
    child.stderr.on("data", (text) => (err += text))
    child.on("close", (code) => resolve({ code, out, err }))
  })
}

describe.skipIf(process.platform === "win32")("the benchmark of a GPU", () => {
  it("prints watts, tokens a second and joules per correct answer of a served model", async () => {
    const folder = scratchDirectory()
    mkdirSync(folder, { recursive: true })
    const [script, pidFile, smi] = ["server.mjs", "pid", "nvidia-smi"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    writeFileSync(script, program)
    writeFileSync(
      smi,
      `#!/bin/sh
case "$*" in
  -L) echo "GPU 0: Fake H100";;
  *query-gpu*) while :; do echo "GPU-a, Fake H100, 550.54, 80, 300"; sleep 0.05; done;;
  *) while :; do echo "GPU-a, $(cat ${pidFile}), 2048"; sleep 0.05; done;;
esac
`,
    )
    chmodSync(smi, 0o755)
    const port = String(await freePort())
    const asked = ["--port", port, "--model", "m", "--samples", "16", "--requests", "8", "--concurrency", "2"]
    const { code, out, err } = await benchmark(`${folder}${delimiter}${process.env.PATH}`, [
      ...asked,
      ...["--", process.execPath, script, port, pidFile],
    ])
    expect({ code, err }).toMatchObject({ code: 0 })
    const row = (name: string) => Number(new RegExp(`\\| ${name} \\| ([\\d.]+) \\|`).exec(out)?.[1])
    expect(out).toContain("Fake H100, driver 550.54")
    expect(row("right")).toBe(0.5)
    expect(row("power while serving, W")).toBeCloseTo(300, 0)
    // Per answer of five tokens; half of the answers are right.
    expect(row("joules per answer") / row("joules per token")).toBeCloseTo(5, 1)
    expect(row("joules per correct answer") / row("joules per answer")).toBeCloseTo(2, 1)
    expect(out).toMatch(/\| 2 \| 1\d\d(\.\d)? \| \d+(\.\d+)? \| [\d.]+ \| [\d.]+ \| [\d.]+ \|/)
  })

  it("says that nothing was measured where there is no GPU", async () => {
    const asked = ["--port", "1", "--model", "m", "--", "true"]
    const { code, out } = await benchmark("/nowhere", asked)
    expect(code).toBe(4)
    expect(out).toContain("Not measured: this machine has no nvidia-smi that answers")
  })
})
