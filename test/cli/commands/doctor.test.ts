import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { DoctorCheck } from "../../../src/cli/doctor/check.ts"
import { command } from "../../../src/cli/doctor/doctor.ts"
import { checkNode } from "../../../src/cli/doctor/machine-checks.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { serveLoopback } from "../../support/loopback.ts"

const secret = "sk-doctor-0123456789"
let requests: string[] = []
let skewMs = 0

const server = await serveLoopback((request, response) => {
  requests.push(`${request.method} ${request.url}`)
  response.setHeader("date", new Date(Date.now() + skewMs).toUTCString())
  if (request.method === "HEAD") return response.end()
  if (request.headers.authorization !== `Bearer ${secret}`)
    return response.writeHead(401, { "content-type": "application/json" }).end('{"error":{"message":"bad key"}}')
  const event = (value: unknown) => response.write(`data: ${JSON.stringify(value)}\n\n`)
  const chunk = (delta: unknown, reason: string | null) =>
    event({ id: "1", model: "served", choices: [{ index: 0, delta, finish_reason: reason }] })
  response.writeHead(200, { "content-type": "text/event-stream" })
  chunk({ role: "assistant", content: "Hello" }, null)
  chunk({}, "length")
  return response.end("data: [DONE]\n\n")
})
const baseUrl = server.url

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "evalkit-doctor-"))
  requests = []
  skewMs = 0
})
afterEach(() => rm(folder, { recursive: true, force: true }))

interface Result {
  readonly exitCode: number
  readonly printed: string
  readonly checks: ReadonlyMap<string, DoctorCheck>
}

async function doctor(environment: Record<string, string> = {}, args: Record<string, unknown> = {}): Promise<Result> {
  const io = fakeIo({ cwd: folder, environment: { EVALKIT_CACHE_DIR: join(folder, "cache"), ...environment } })
  const exitCode = await command.run({ json: true, ...args }, io)
  const { checks } = JSON.parse(io.stdout()) as { checks: DoctorCheck[] }
  return {
    exitCode,
    printed: io.stdout() + io.stderr(),
    checks: new Map(checks.map((check) => [check.name, check])),
  }
}

const config = () => `
import { defineConfig, openai } from "evalkit"
export default defineConfig({
  dataset: [{ input: "Hello" }],
  variants: [{ name: "a", provider: openai({ model: "m", baseUrl: "${baseUrl}", apiKeyVariable: "DOCTOR_KEY" }) }],
})`

describe("evalkit doctor", () => {
  it("checks the machine where there is no config, and leaves nothing behind", async () => {
    const { exitCode, checks } = await doctor()
    expect(exitCode).toBe(0)
    expect(checks.get("node")?.status).toBe("ok")
    expect(checks.get("store")?.status).toBe("ok")
    expect(checks.get("disk")?.message).toMatch(/^\d+\.\d GiB free$/)
    expect(checks.get("config")).toMatchObject({ status: "warning", message: expect.stringContaining("evalkit init") })
    expect(await readdir(folder)).toEqual([])
  })

  it("warns of a metric that cannot score the first sample, for it has no reference", async () => {
    const scored = config()
      .replace("import {", "import { exactMatch,")
      .replace("variants:", "metrics: [exactMatch()], variants:")
    await writeFile(join(folder, "eval.config.ts"), scored)
    const { exitCode, checks } = await doctor({ DOCTOR_KEY: secret })
    expect(exitCode).toBe(0)
    expect(checks.get("metric exactMatch")).toMatchObject({
      status: "warning",
      message: expect.stringMatching(/^it needs a reference, and sample ".+" has none: name its column with dataset/),
    })
  })

  it("asks as each variant asks and says how long it took", async () => {
    await writeFile(join(folder, "eval.config.ts"), config())
    const { exitCode, checks } = await doctor({ DOCTOR_KEY: secret })
    expect(exitCode).toBe(0)
    const model = checks.get("variant a")
    expect(model?.message).toMatch(/^openai m answered in \d+ ms as served$/)
    expect(model?.latencyMs).toBeGreaterThan(0)
    expect(checks.get("dataset")).toMatchObject({
      status: "ok",
      message: expect.stringMatching(/^the data in the config begins with sample "/),
    })
    expect(checks.get("clock")?.status).toBe("ok")
    expect(requests.filter((request) => request.startsWith("POST")).length).toBe(1)
  })

  it("spends no token with --no-call", async () => {
    await writeFile(join(folder, "eval.config.ts"), config())
    const { checks } = await doctor({ DOCTOR_KEY: secret }, { call: false })
    expect(checks.get("variant a")).toMatchObject({ status: "ok", message: "openai m opened; no call was made" })
    expect(requests.filter((request) => request.startsWith("POST"))).toEqual([])
  })

  it("names the variable of a missing key", async () => {
    await writeFile(join(folder, "eval.config.ts"), config())
    const { exitCode, checks } = await doctor()
    expect(exitCode).toBe(2)
    expect(checks.get("variant a")).toMatchObject({
      status: "failed",
      message: expect.stringContaining("DOCTOR_KEY is not set"),
    })
  })

  it("reports a refused key without printing it", async () => {
    await writeFile(join(folder, "eval.config.ts"), config())
    const { exitCode, checks, printed } = await doctor({ DOCTOR_KEY: "sk-wrong-987654321" })
    expect(exitCode).toBe(2)
    expect(checks.get("variant a")?.message).toMatch(/ did not answer: refused by the service: HTTP 401\b/)
    expect(printed).not.toContain("http_4xx")
    expect(printed).not.toContain("sk-wrong-987654321")
  })

  it("warns of a clock that is wrong", async () => {
    skewMs = 60_000
    await writeFile(join(folder, "eval.config.ts"), config())
    const { exitCode, checks } = await doctor({ DOCTOR_KEY: secret })
    expect(exitCode).toBe(0)
    expect(checks.get("clock")).toMatchObject({
      status: "warning",
      message: expect.stringMatching(/^(59|60) s behind/),
    })
  })

  it("looks into the file of a local model before it starts a server", async () => {
    await writeFile(join(folder, "model.gguf"), "not a model")
    await writeFile(
      join(folder, "eval.config.ts"),
      `import { local } from "evalkit"
       export default { variants: [{ name: "a", provider: local(new URL("model.gguf", import.meta.url)) }] }`,
    )
    const { exitCode, checks } = await doctor({}, { call: false })
    expect(exitCode).toBe(2)
    expect(checks.get(`file ${join(folder, "model.gguf")}`)?.status).toBe("failed")
  })

  it("says of a model's file that is not there that there is none, and checks the rest", async () => {
    const cwd = await mkdtemp(join(folder, "no-model-"))
    await writeFile(
      join(cwd, "eval.config.ts"),
      `import { defineConfig, exactMatch, local, variant } from "evalkit"
export default defineConfig({
  dataset: [{ id: "a", input: "1 + 1", reference: "2" }],
  variants: [variant({ name: "int4", provider: local("absent.gguf", { quantization: "Q4_0" }) })],
  metrics: [exactMatch()],
})
`,
    )
    const io = fakeIo({ cwd })
    expect(await command.run({}, io)).toBe(2)
    expect(io.stdout()).toContain("ok       config: 1 variant, 1 metric\n")
    expect(io.stdout()).toMatch(
      /FAILED {3}file .*absent\.gguf: there is no such model file: .*absent\.gguf; check the path\n/,
    )
    expect(io.stdout()).toMatch(/\n1 of \d checks failed\.\n$/)
  })

  it("reports a config that does not load, and a prompt that cannot be rendered", async () => {
    await writeFile(join(folder, "eval.config.ts"), "export default { variants: 3 }")
    expect((await doctor()).checks.get("config")).toMatchObject({
      status: "failed",
      message: expect.stringContaining("variants: expected a list"),
    })
    await writeFile(join(folder, "other.config.ts"), config().replace('name: "a"', 'name: "a", prompt: "{{context}}"'))
    const { checks } = await doctor({ DOCTOR_KEY: secret }, { config: "other.config.ts" })
    expect(checks.get("dataset")).toMatchObject({ status: "failed", message: expect.stringContaining('"context"') })
  })

  it("prints lines for people", async () => {
    const io = fakeIo({ cwd: folder })
    await command.run({}, io)
    expect(io.stdout()).toMatch(/^ok {7}node: v\d+/)
    expect(io.stdout()).toMatch(/there is no config: .*; make one with: npx evalkit init\n/)
    expect(io.stdout()).toMatch(/\nReady, with \d+ warnings? above\.\n$/)
  })
})

describe("checkNode", () => {
  it.each([
    ["v20.19.0", "ok"],
    ["v20.18.3", "failed"],
    ["v22.0.0", "ok"],
    ["v18.20.0", "failed"],
  ])("%s: %s", (version, status) => {
    expect(checkNode(version).status).toBe(status)
  })
})
