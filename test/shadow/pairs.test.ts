import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it, vi } from "vitest"
import { isDrawn } from "../../src/shadow/chat-request.ts"
import { callCli } from "../support/call-cli.ts"
import { serveLoopback } from "../support/loopback.ts"
import { sized } from "../support/nightly.ts"
import { plantedCalls } from "../support/planted-calls.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { chat, send, startShadow } from "./world.ts"

// The mirror stands behind everything else: where others use all processors, it is slow.
vi.setConfig({ testTimeout: 90_000 })

let folder = ""
let close = async (): Promise<void> => {}
afterEach(() => close())

const received: { side: string; body: Record<string, unknown>; headers: Record<string, unknown> }[] = []
let answers: (content: string, side: string) => string = () => "yes"
const services = await serveLoopback((request, response, text) => {
  const side = request.url?.split("/")[1] ?? ""
  const body = JSON.parse(text) as Record<string, unknown>
  received.push({ side, body, headers: request.headers })
  const messages = body.messages as { content: string }[]
  const content = answers(messages.at(-1)?.content ?? "", side)
  response.writeHead(200, { "content-type": "application/json" }).end(
    JSON.stringify({
      model: side === "primary" ? "gpt-4.1-mini" : "small-1",
      choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
      usage: { prompt_tokens: 100, completion_tokens: 10 },
    }),
  )
})
const shadow = async (more?: Parameters<typeof startShadow>[3]) => {
  folder = scratchDirectory()
  received.length = 0
  const made = await startShadow(folder, `${services.origin}/primary/v1`, `${services.origin}/candidate/v1`, more)
  close = made.close
  return { ...made, url: `${made.origin}/primary/v1/chat/completions` }
}
const written = () =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("")

describe("a stored pair", () => {
  it("holds question, parameters, both answers, tokens, cost and times, and names neither user nor key", async () => {
    answers = (_, side) => `${side} says that sk-caller-7f3a9b21c0d4 is a key`
    const { url, ended, rows } = await shadow()
    const headers = { authorization: "Bearer sk-caller-7f3a9b21c0d4" }
    const more = { user: "ada-lovelace", temperature: 0.5, metadata: { who: "ada-lovelace" } }
    await send(url, chat("how are you?", more), { headers })
    await ended(1)
    const [first, second] = rows()
    expect(first).toMatchObject({
      ...{ model_group: "primary", model: "gpt-4.1-mini", status: "success", call_type: "acompletion" },
      ...{ messages: [{ role: "user", content: "how are you?" }], model_parameters: { temperature: 0.5 } },
      ...{ prompt_tokens: 100, completion_tokens: 10, response_cost: expect.closeTo(100 * 0.4e-6 + 10 * 1.6e-6, 9) },
    })
    expect(second).toMatchObject({
      ...{ model_group: "candidate", model: "small-1", response_cost: expect.closeTo(0.0012, 9) },
      ...{ trace_id: first?.trace_id, session_id: first?.session_id },
    })
    for (const secret of ["ada-lovelace", "sk-caller-7f3a9b21c0d4"]) expect(written()).not.toContain(secret)
    const [, asked] = received
    expect(asked?.headers.authorization).toBeUndefined()
    expect(asked?.body).toEqual({ model: "small", messages: first?.messages, temperature: 0.5, max_tokens: 100 })
    for (const row of [first, second]) expect(Number(row?.endTime) - Number(row?.startTime)).toBeGreaterThan(0)
  })

  it("has pseudonyms in place of all planted personal data, the same on both sides and after a restart", async () => {
    const calls = plantedCalls(sized(136, 34), 11)
    const planted = [...new Set(calls.flatMap((call) => call.planted))]
    expect(planted.length).toBeGreaterThan(sized(1000, 250))
    const byQuestion = new Map(calls.map(({ question, answer }) => [question, answer]))
    answers = (question) => byQuestion.get(question) ?? ""
    const {
      url,
      ended,
      close: end,
    } = await shadow({ countries: ["US", "GB", "DE", "FR", "ES", "IT", "PT", "BR", "NL", "PL"] })
    for (const { question } of calls) await send(url, chat(question))
    await ended(calls.length, 60_000)
    const text = written()
    expect(planted.filter((own) => text.includes(own) || text.includes(JSON.stringify(own).slice(1, -1)))).toEqual([])
    await end()
    answers = () => "Write to ada@example.org"
    const pseudonyms: unknown[] = []
    for (let i = 0; i < 2; i++) {
      const second = await shadow()
      await send(second.url, chat("I am ada@example.org"))
      await second.ended(1)
      for (const row of second.rows()) pseudonyms.push(JSON.stringify(row).match(/\[email [0-9a-f]{12}\]/g))
      await second.close()
    }
    expect(new Set(pseudonyms.flat()).size).toBe(1)
    expect(pseudonyms.flat()).toHaveLength(8)
  }, 90_000)

  it("is read by compare, its canary and dataset() with one command each, users as clusters", async () => {
    answers = (question, side) =>
      side === "candidate" && question.endsWith("7?") ? "I'm sorry, I can't help with that." : "It is so."
    const { url, ended, rows } = await shadow()
    for (let i = 0; i < 60; i++) await send(url, chat(`what is ${i}?`, { user: `user ${i % 12}` }))
    await ended(60)
    expect(new Set(rows().map(({ session_id }) => session_id)).size).toBe(12)
    const both = [".:primary", ".:candidate", "--metric", "refusal", "--json"]
    const compared = await callCli(["compare", ...both, "--canary", "5%"], { cwd: folder })
    const { metrics, canary, performance } = JSON.parse(compared.stdout)
    expect(metrics.refusal, compared.stderr).toMatchObject({ pairs: 60, clusters: 12, mean_a: 0, mean_b: 0.1 })
    expect([canary.metric, canary.steps[0].share]).toEqual(["refusal", 0.05])
    expect(performance).toMatchObject({ e2eMs: { n: 60 }, costUsd: { n: 60 } })
    const text = await callCli(["compare", ...both.slice(0, -1)], { cwd: folder })
    expect(text.stdout).toContain("12 clusters")
    const imported = await callCli(["import", ".", "--as-dataset", "set"], { cwd: folder })
    expect(imported.stdout).toContain("60 samples")
    expect(imported.stdout).toContain("120 answers of primary, candidate")
  }, 30_000)
})

describe("what is mirrored", () => {
  it("is the same users and conversations at every start, about the share of them, and more of them at a larger share", () => {
    const users = Array.from({ length: 5000 }, (_, i) => `user ${i}`)
    const small = users.filter((user) => isDrawn(user, 0.05, 7))
    expect(small.length).toBeGreaterThan(200)
    expect(small.length).toBeLessThan(300)
    expect(small.every((name) => isDrawn(name, 0.2, 7))).toBe(true)
    expect(users.filter((user) => isDrawn(user, 0.05, 8))).not.toEqual(small)
  })

  it("keeps the turns of a conversation together", async () => {
    answers = () => "yes"
    const { url, ended, status } = await shadow({ share: 0.3 })
    for (let i = 0; i < 20; i++) {
      const messages = [{ role: "user", content: `topic ${i}` }]
      for (let turn = 0; turn < 3; turn++) {
        await send(url, JSON.stringify({ model: "big", messages }))
        messages.push({ role: "assistant", content: "yes" }, { role: "user", content: `more ${turn}` })
      }
    }
    const { drawn, chats } = status()
    expect([chats, drawn % 3]).toEqual([60, 0])
    expect(drawn).toBeGreaterThan(0)
    expect((await ended(drawn)).stored).toBe(drawn)
  })

  it("never costs more than the budget of the day, over a restart too, and counts what is skipped", async () => {
    answers = () => "yes"
    // A call may cost 0.003 and some for its prompt, and costs 0.0012.
    const budget = { usd: 0.02 }
    const { url, ended, close: end, status } = await shadow({ budget, maxConcurrency: 8 })
    const own = folder
    await Promise.all(Array.from({ length: 40 }, (_, i) => send(url, chat(`what is ${i}?`))))
    const { stored, skipped, spent } = await ended(40)
    expect(stored + (skipped.budget ?? 0)).toBe(40)
    expect(skipped.budget).toBeGreaterThan(15)
    expect(spent.usd).toBeCloseTo(stored * 0.0012, 9)
    await end()
    expect(received.filter(({ side }) => side === "candidate")).toHaveLength(stored)
    const second = await startShadow(own, `${services.origin}/primary/v1`, `${services.origin}/candidate/v1`, {
      budget,
    })
    close = second.close
    const next = `${second.origin}/primary/v1/chat/completions`
    await Promise.all(Array.from({ length: 40 }, (_, i) => send(next, chat(`what is ${i}?`))))
    await second.ended(40)
    expect(received.filter(({ side }) => side === "candidate").length * 0.0012).toBeLessThanOrEqual(budget.usd)
    expect(status().skipped.budget).toBeGreaterThan(0)
  })

  it("leaves pictures and several answers out, and what is no chat alone", async () => {
    answers = () => "yes"
    const { url, ended } = await shadow()
    const picture = [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }]
    await send(url, JSON.stringify({ messages: [{ role: "user", content: picture }] }))
    await send(url, chat("three please", { n: 3 }))
    await send(url.replace("chat/completions", "completions"), chat("no chat"))
    expect(await ended(2)).toMatchObject({ chats: 2, stored: 0, skipped: { media: 1, several_answers: 1 } })
    expect(received.every(({ side }) => side === "primary")).toBe(true)
  })

  it("asks and pays for nothing where the primary failed, and counts it", async () => {
    answers = () => "yes"
    const broken = await serveLoopback((request, response, text) => {
      const how = (JSON.parse(text).messages as { content: string }[])[0]?.content
      if (how === "status") return response.writeHead(503).end("{}")
      if (how === "lost") return request.socket.destroy()
      response.writeHead(200, { "content-type": "text/event-stream" })
      const delta = (content: string, finish_reason: string | null) =>
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason }] })}\n\n`
      if (how === "error in the stream")
        response.end(`data: ${JSON.stringify({ error: { message: "overloaded" } })}\n\n`)
      else response.end(delta("no", how === "refusal" ? "content_filter" : null))
    })
    folder = scratchDirectory()
    received.length = 0
    const made = await startShadow(folder, `${broken.origin}/v1`, `${services.origin}/candidate/v1`)
    close = async () => void (await Promise.all([made.close(), broken.close()]))
    for (const how of ["status", "lost", "error in the stream", "no end", "refusal"])
      await send(made.url, chat(how, { stream: true })).catch(() => null)
    // A refusal is an answer.
    expect(await made.ended(5)).toMatchObject({ stored: 1, skipped: { primary_failed: 4 } })
    expect(received.map(({ side }) => side)).toEqual(["candidate"])
  })

  it("ends with a rule that holds: the rest is skipped as stopped, and the primary answers on", async () => {
    answers = () => "yes"
    const stops: unknown[] = []
    folder = scratchDirectory()
    const { parseConstraints } = await import("../../src/estimate/constraints.ts")
    const made = await startShadow(folder, `${services.origin}/primary/v1`, "http://127.0.0.1:9/v1", {
      ...{ stopWhen: parseConstraints("availability < 99 %"), stopCalls: 50, onStopped: (own) => void stops.push(own) },
    })
    close = made.close
    for (let i = 0; i < 70; i++)
      expect((await send(`${made.origin}/primary/v1/chat/completions`, chat(`${i}`))).status).toBe(200)
    const { stored, failed, lastFailure, skipped, stopped } = await made.ended(70)
    expect([failed, lastFailure]).toEqual([stored, "connection"])
    expect(stops).toEqual([stopped])
    expect(stopped?.limits[0]?.figure).toMatchObject({ value: 0, n: 50 })
    expect(stored).toBeGreaterThanOrEqual(50)
    expect(stored + (skipped.stopped ?? 0)).toBe(70)
  })

  it("is bounded in bytes: what does not fit behind a candidate that hangs is skipped as such", async () => {
    const hanging = await serveLoopback(() => {})
    answers = () => "y".repeat(4 * 1024 * 1024)
    folder = scratchDirectory()
    const made = await startShadow(folder, `${services.origin}/primary/v1`, hanging.url, { maxConcurrency: 1 })
    close = () => made.close(0)
    for (let i = 0; i < 20; i++) await send(`${made.origin}/primary/v1/chat/completions`, chat(`${i}`))
    await expect.poll(() => made.status().skipped.queue_full ?? 0).toBeGreaterThanOrEqual(4)
    expect(made.status().inFlight).toBeLessThanOrEqual(16)
    await hanging.close()
  })
})
