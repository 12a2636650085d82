import { afterEach, expect, it, vi } from "vitest"
import type { JsonObject } from "../../src/core/json.ts"
import { candidateBody, unmirrored } from "../../src/shadow/chat-request.ts"
import { callCli } from "../support/call-cli.ts"
import { serveLoopback } from "../support/loopback.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { send, startShadow } from "./world.ts"

// The mirror stands behind everything else: where others use all processors, it is slow.
vi.setConfig({ testTimeout: 90_000 })

let close = async (): Promise<void> => {}
afterEach(() => close())

const received: { readonly url: string; readonly body: JsonObject }[] = []
/** OpenAI's Responses API: the primary says yes and calls a tool, the candidate says no. */
const services = await serveLoopback((request, response, text) => {
  const body = JSON.parse(text) as JsonObject
  received.push({ url: request.url ?? "", body })
  const isPrimary = request.url?.startsWith("/primary") ?? false
  const said = {
    type: "message",
    role: "assistant",
    content: [{ type: "output_text", text: isPrimary ? "yes" : "no" }],
  }
  const call = { type: "function_call", call_id: "c9", name: "look_up", arguments: '{"what":"Ada"}' }
  const whole = {
    ...{ object: "response", status: "completed", model: isPrimary ? "gpt-4.1-mini" : "small-1" },
    ...{ output: isPrimary ? [said, call] : [said], usage: { input_tokens: 100, output_tokens: 10 } },
  }
  if (body.stream !== true)
    return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(whole))
  response.writeHead(200, { "content-type": "text/event-stream" })
  const event = (entry: JsonObject) => response.write(`event: ${entry.type}\ndata: ${JSON.stringify(entry)}\n\n`)
  const delta = (text: string) =>
    event({ type: "response.output_text.delta", output_index: 0, content_index: 0, delta: text })
  delta(isPrimary ? "y" : "n")
  setTimeout(() => {
    delta(isPrimary ? "es" : "o")
    event({ type: "response.completed", response: whole as JsonObject })
    response.end()
  }, 30)
})

const ask = (more: JsonObject = {}): JsonObject => ({
  ...{ model: "big", instructions: "Be short.", user: "ada", store: true, include: ["reasoning.encrypted_content"] },
  input: [
    { role: "user", content: [{ type: "input_text", text: "Who is ada@example.org?" }] },
    { type: "reasoning", summary: [], encrypted_content: "gAAA" },
    { type: "function_call", call_id: "c1", name: "look_up", arguments: "{}" },
    { type: "function_call_output", call_id: "c1", output: "a mathematician" },
  ],
  tools: [{ type: "function", name: "look_up", parameters: {}, strict: false }],
  ...more,
})

it("answers by the Responses API are mirrored, whole and streamed, and read by what reads chats", async () => {
  const folder = scratchDirectory()
  const made = await startShadow(folder, `${services.origin}/primary/v1`, `${services.origin}/candidate/v1`)
  close = made.close
  const url = `${made.origin}/primary/v1/responses`
  const reply = await send(url, JSON.stringify(ask()))
  expect(JSON.parse(reply.body.toString())).toMatchObject({ object: "response", model: "gpt-4.1-mini" })
  expect((await send(url, JSON.stringify(ask({ stream: true, input: "Who?" })))).body.toString()).toContain("yes")
  expect(await made.ended(2)).toMatchObject({ chats: 2, stored: 2, failed: 0, skipped: {} })
  const asked = received.filter((entry) => entry.url === "/candidate/v1/responses").map(({ body }) => body)
  expect(asked[0]).toEqual({
    ...{ model: "small", instructions: "Be short.", store: false, max_output_tokens: 100, tools: ask().tools },
    input: (ask().input as JsonObject[]).filter(({ type }) => type !== "reasoning"),
  })
  const [primary, candidate, , streamed] = made.rows()
  expect(primary).toMatchObject({
    call_type: "aresponses",
    model: "gpt-4.1-mini",
    prompt_tokens: 100,
    completion_tokens: 10,
  })
  expect(JSON.stringify(primary)).not.toContain("example.org")
  expect(candidate).toMatchObject({ trace_id: primary?.trace_id, response_cost: expect.closeTo(0.0012, 9) })
  // The first word of a stream has a time of its own.
  expect(Number(streamed?.completionStartTime)).toBeLessThan(Number(streamed?.endTime))
  const { stdout } = await callCli(["import", ".", "--as-dataset", "set"], { cwd: folder })
  expect(stdout).toContain("2 samples in set/samples.jsonl, 4 answers of primary, candidate")
  const { readFileSync } = await import("node:fs")
  const [sample] = readFileSync(`${folder}/set/samples.jsonl`, "utf8").split("\n")
  expect(JSON.parse(sample as string).input).toMatchObject([
    { role: "system", content: "Be short." },
    { role: "user", content: expect.stringMatching(/^Who is \[email [0-9a-f]+\]\?$/) },
    { role: "assistant", toolCalls: [{ name: "look_up" }] },
    { role: "tool", content: "a mathematician" },
  ])
})

it.each([
  ["stored_state", { previous_response_id: "resp_1" }],
  ["stored_state", { conversation: "conv_1" }],
  ["stored_state", { prompt: { id: "pmpt_1" } }],
  ["stored_state", { background: true }],
  ["stored_state", { input: [{ type: "item_reference", id: "msg_1" }] }],
  ["service_tools", { tools: [{ type: "web_search" }] }],
  ["service_tools", { input: [{ type: "web_search_call", id: "ws_1" }] }],
  ["media", { input: [{ role: "user", content: [{ type: "input_image", image_url: "data:," }] }] }],
  [
    "media",
    { input: [{ type: "function_call_output", call_id: "c", output: [{ type: "input_image", image_url: "data:," }] }] },
  ],
  [null, {}],
  [null, { input: "Who?", previous_response_id: null, background: false }],
] as const)("a request is mirrored, or has a reason: %s of %j", (reason, more) => {
  expect(unmirrored(ask(more as unknown as JsonObject))).toBe(reason)
})

it("a limit that the caller states is kept", () => {
  const candidate = { model: "small", maxTokens: 100, maxTokensField: "max_tokens" } as const
  expect(candidateBody(ask({ max_output_tokens: 7 }), candidate)).toMatchObject({ max_output_tokens: 7 })
})
