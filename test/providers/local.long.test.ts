import { execFileSync, spawnSync } from "node:child_process"
import { copyFile, readdir, readFile, truncate, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { beforeAll, describe, expect, it, vi } from "vitest"
import { systemClock } from "../../src/core/clock.ts"
import type { Answer } from "../../src/core/generation.ts"
import type { OpenContext, ProviderSession } from "../../src/core/provider.ts"
import { readGguf } from "../../src/local-model/gguf/read-gguf.ts"
import { writeGguf } from "../../src/local-model/gguf/write-gguf.ts"
import { type LocalOptions, local } from "../../src/providers/local.ts"
import { scratchDirectory } from "../support/scratch.ts"

const model = new URL("../../models/tiny/tiny-s-f16.gguf", import.meta.url)
const prompt = "Translate into German: The aunt draws a green apple."
// Starting a server from source takes seconds, on a busy machine many.
vi.setConfig({ testTimeout: 120_000 })
const timeouts = { connectMs: 5000, firstTokenMs: 20_000, gapMs: 20_000, totalMs: 30_000 }

const directory = scratchDirectory()
let context: OpenContext
const lines: string[] = []

beforeAll(async () => {
  context = {
    clock: systemClock,
    signal: new AbortController().signal,
    environment: process.env,
    cacheDirectory: directory,
    progress: (line) => lines.push(line),
  }
})

function ask(session: ProviderSession, content = prompt, topLogprobs = 2): Promise<Answer> {
  const originMs = systemClock.now()
  return session.request(
    { messages: [{ role: "user", content }], parameters: { temperature: 0, maxTokens: 64, topLogprobs } },
    { signal: new AbortController().signal, timeouts, clock: systemClock, originMs, scheduledMs: originMs },
  )
}

async function using(options: LocalOptions, work: (session: ProviderSession) => Promise<void>): Promise<void> {
  const session = await local(model, options).open(context)
  try {
    await work(session)
  } finally {
    await session.close()
  }
}

/** Processes that serve from our folder or model; our own children only. */
function servers(): string[] {
  return execFileSync("ps", ["-eo", "pid,ppid,args"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes("serve/server-process.") && line.trim().split(/\s+/)[1] === String(process.pid))
}

describe("local", () => {
  it("calls functions, so that it can be compared on agents", async () => {
    const weather = { type: "object", properties: { city: { enum: ["Bern", "Paris"] } }, required: ["city"] }
    await using({ contextSize: 2048 }, async (session) => {
      const originMs = systemClock.now()
      const parameters = {
        temperature: 0,
        maxTokens: 64,
        tools: [{ name: "weather", description: "The weather of a city", parameters: weather }],
        extra: { tool_choice: "required", parallel_tool_calls: false },
      }
      const messages = [{ role: "user" as const, content: "What is the weather in Bern?" }]
      const options = {
        signal: new AbortController().signal,
        timeouts,
        clock: systemClock,
        originMs,
        scheduledMs: originMs,
      }
      const first = await session.request({ messages, parameters }, options)
      expect(first.failure).toBeNull()
      expect(first).toMatchObject({ outcome: "ok", finishReason: "tool_calls", toolCalls: [{ name: "weather" }] })
      const [call] = first.toolCalls
      expect(["Bern", "Paris"]).toContain((call?.arguments as { city: string } | undefined)?.city)
      const { extra: _extra, ...free } = parameters
      const second = await session.request(
        {
          messages: [
            ...messages,
            { role: "assistant", content: "", toolCalls: first.toolCalls },
            { role: "tool", content: "sunny", toolCallId: call?.id ?? "" },
          ],
          parameters: { ...free, maxTokens: 8 },
        },
        options,
      )
      // A model that never learned to go on after a result may say nothing.
      expect(["ok", "length", "empty"]).toContain(second.outcome)
    })
  })

  it("says what it is before anything is started", () => {
    const provider = local(model, { quantization: "Q4_0" })
    expect(provider).toMatchObject({ kind: "local", model: "tiny-s", label: "tiny-s Q4_0", quantization: "Q4_0" })
    expect(local(model).quantization).toBe("F16")
    expect(local(fileURLToPath(model)).identity).toEqual(local(model).identity)
    expect(provider.identity).not.toEqual(local(model).identity)
    expect(JSON.stringify(provider.identity)).not.toContain(fileURLToPath(model))
  })

  it("answers through a process of its own, with log-probabilities, usage and resources", async () => {
    // A file that already has the wanted type is served as it is.
    await using({ quantization: "F16" }, async (session) => {
      const answer = await ask(session)
      expect(answer).toMatchObject({
        outcome: "ok",
        text: "Die Tante zeichnet einen grünen Apfel.",
        finishReason: "stop",
        servedModel: "tiny-s",
        usage: { promptTokens: 18, completionTokens: 9 },
      })
      expect(answer.logprobs).toHaveLength(9)
      expect(answer.logprobs?.[0]?.top).toHaveLength(2)
      const resources = await session.resources()
      expect(resources.modelBytes).toBe(1_647_040)
      expect(resources.loadMs).toBeGreaterThan(0)
      expect(resources.peakRssBytes).toBeGreaterThan(30e6)
      const scored = await session.scoreText?.("Die Tante zeichnet", context.signal)
      expect(scored?.map((token) => token.token).join("")).toBe("Die Tante zeichnet")
      const messages = [{ role: "user", content: prompt } as const]
      const tokens = await session.scoreAnswer?.(messages, "Die Tante zeichnet einen grünen Apfel.", context.signal)
      expect(tokens).toHaveLength(9)
      expect(tokens?.every((token) => token.logprob > -0.1 && token.top.length === 20)).toBe(true)
    })
    expect(servers()).toEqual([])
  })

  it("makes a quantized copy once, also when opened twice at the same time, and ends requests as connection when the server dies", async () => {
    const provider = local(model, { quantization: "Q4_0" })
    const sessions = await Promise.all([provider.open(context), provider.open(context)])
    try {
      const answers = await Promise.all(sessions.map((session) => ask(session)))
      expect(answers[0]?.text).toBe("Die Tante zeichnet einen grünen Apfel.")
      expect(answers[1]?.text).toBe(answers[0]?.text)
      for (const line of servers()) process.kill(Number(line.trim().split(/\s+/)[0]), "SIGKILL")
      expect((await ask(sessions[0])).outcome).toBe("connection")
      const note = /tiny-s Q4_0 ended during the run \(signal SIGKILL\)/
      await vi.waitFor(() => expect(sessions[0].notes().join()).toMatch(note))
    } finally {
      await Promise.all(sessions.map((session) => session.close()))
    }
    const [folder] = await readdir(join(directory, "models"))
    const files = await readdir(join(directory, "models", folder!))
    expect(files.filter((file) => file.endsWith(".gguf"))).toEqual(["tiny-s-q4_0.gguf"])
    expect(lines).toContain("quantizing tiny-s Q4_0")
  })

  it("serves Q2_0 as Q4_0 of the same weights and says so; the size stays that of the Q2_0 file", async () => {
    await using({ quantization: "Q2_0" }, async (session) => {
      expect(servers().join()).toMatch(/tiny-s-q2_0-unpacked\.gguf/)
      expect((await ask(session)).outcome).toBe("ok")
      expect((await session.resources()).modelBytes).toBe(267_360)
      expect(session.notes().join()).toMatch(/Q2_0 is unpacked to Q4_0/)
    })
    await using({ quantization: "Q4_0" }, async (session) => expect(session.notes().join()).not.toMatch(/unpacked/))
  })

  it("notes of a file without a chat template, as of a base model, whose form of turns it is asked in", async () => {
    const { metadata, tensors } = await readGguf(fileURLToPath(model))
    const bytes = await readFile(model)
    const base = join(directory, "base.gguf")
    await writeGguf(
      base,
      new Map([...metadata].filter(([key]) => key !== "tokenizer.chat_template")),
      tensors.map((tensor) => ({
        ...tensor,
        chunks: () => [bytes.subarray(tensor.offset, tensor.offset + tensor.bytes)],
      })),
    )
    const session = await local(base).open(context)
    try {
      expect((await ask(session)).failure).toBeNull()
      expect(session.notes().join()).toContain("no chat template")
    } finally {
      await session.close()
    }
    await using({}, async (templated) => expect(templated.notes().join()).not.toContain("chat template"))
  })

  it("leaves no server behind when its own process is killed", async () => {
    const script = join(directory, "killed.mts")
    const source = new URL("../../src/providers/local.ts", import.meta.url).href
    const clock = new URL("../../src/core/clock.ts", import.meta.url).href
    await writeFile(
      script,
      `import { local } from ${JSON.stringify(source)}
import { systemClock } from ${JSON.stringify(clock)}
const context = { clock: systemClock, signal: new AbortController().signal, environment: process.env, cacheDirectory: "" }
await local(${JSON.stringify(fileURLToPath(model))}, { name: "orphan" }).open({ ...context, progress: () => {} })
process.kill(process.pid, "SIGKILL")
`,
    )
    const jiti = createRequire(import.meta.url).resolve("jiti/package.json")
    const loader = pathToFileURL(join(dirname(jiti), "lib", "jiti-register.mjs")).href
    const ended = spawnSync(process.execPath, ["--import", loader, script], { encoding: "utf8" })
    expect(ended.signal).toBe("SIGKILL")
    const orphans = () => execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).includes("--name=orphan")
    await vi.waitFor(() => expect(orphans()).toBe(false), { timeout: 20_000, interval: 200 })
  })

  it("refuses a foreign file, a truncated one, an absent one and a web address, each with its reason", async () => {
    const foreign = join(directory, "foreign.gguf")
    await writeFile(foreign, "not a model")
    await expect(local(foreign).open(context)).rejects.toThrow(/foreign\.gguf/)
    const cut = join(directory, "cut.gguf")
    await copyFile(model, cut)
    await truncate(cut, 700_000)
    await expect(local(cut).open(context)).rejects.toThrow(/cut\.gguf/)
    expect(() => local("/nowhere/absent.gguf").identity).toThrow(/absent\.gguf/)
    expect(() => local("https://example.com/model.gguf")).toThrow(/download it first/)
    expect(() => local(model, { quantization: "Q9" as "Q8_0" })).toThrow(/quantization does not know "Q9"/)
  })
})
