// An OpenAI-compatible server on the loopback interface whose answers follow from the question: right, wrong, empty or refused.

import { appendFileSync } from "node:fs"
import { createServer } from "node:http"

const [port = "0", log] = process.argv.slice(2)
const times = new Map()
const tokens = (text) => text.split(/\s+/).filter(Boolean).length
/** Item N of "N) What is A + B?": 3 of ten wrong, one empty, one refused; of mock-b more wrong; every fifth is wrong when asked a second time. */
function answer(model, text) {
  const [, n, a, b] = /(\d+)\) What is (\d+) \+ (\d+)\?(?![\s\S]*\d+\) What is)/.exec(text) ?? []
  if (n === undefined) return { text: /json/i.test(text) ? '{"verdict":"yes","score":1}' : `echo: ${text.slice(-40)}` }
  const key = `${model}/${n}`
  const count = (times.get(key) ?? 0) + 1
  times.set(key, count)
  const k = Number(n) % 10
  if (k === 9) return { n, status: 400 }
  if (k === 7) return { n, text: "" }
  const wrong = k === 3 || (model === "mock-b" && k % 4 === 2) || (k % 5 === 0 && count > 1)
  return { n, text: String(Number(a) + Number(b) + (wrong ? 1 : 0)) }
}
const server = createServer(async (request, response) => {
  let body = ""
  try {
    for await (const part of request) body += part
  } catch {
    return
  }
  const began = performance.now()
  const send = (status, value) => {
    response.writeHead(status, { "content-type": "application/json" })
    response.end(JSON.stringify(value))
  }
  if (request.method === "GET")
    return send(200, {
      object: "list",
      data: ["mock-a", "mock-b"].map((id) => ({ id, object: "model", created: 1, owned_by: "mock" })),
    })
  const ask = JSON.parse(body || "{}")
  const { model = "mock-a" } = ask
  if (request.url.endsWith("/embeddings")) {
    const data = [ask.input].flat().map((text, index) => ({
      object: "embedding",
      index,
      embedding: Array.from({ length: 8 }, (_, i) => Math.sin(String(text).length + i)),
    }))
    return send(200, { object: "list", model, data, usage: { prompt_tokens: 3, total_tokens: 3 } })
  }
  const isResponses = request.url.endsWith("/responses")
  if (isResponses) ask.messages = [ask.input].flat().map((one) => (typeof one === "string" ? { content: one } : one))
  const isChat = isResponses || request.url.includes("/chat/")
  const prompt = isChat
    ? ask.messages
        .map((m) => (typeof m.content === "string" ? m.content : (m.content ?? []).map((p) => p.text ?? "").join("")))
        .join("\n")
    : [ask.prompt].flat().join("\n")
  const load = /load test/.test(prompt) || ask.stream
  const said = answer(model, prompt)
  const status = said.status ?? 200
  const text = said.text ?? ""
  const usage = {
    prompt_tokens: tokens(prompt),
    completion_tokens: load && said.n === undefined ? (ask.max_tokens ?? ask.max_completion_tokens ?? 8) : tokens(text),
    total_tokens: 0,
  }
  usage.total_tokens = usage.prompt_tokens + usage.completion_tokens
  await new Promise((done) => setTimeout(done, 5 + (Number(said.n ?? 0) % 7) * 3))
  if (log)
    response.on("finish", () =>
      appendFileSync(
        log,
        `${JSON.stringify({ model, n: said.n, status, text, prompt: prompt.slice(0, 2000), usage, ms: performance.now() - began, body: ask })}\n`,
      ),
    )
  if (status !== 200)
    return send(status, {
      error: { message: `item ${said.n} is refused`, type: "invalid_request_error", code: "refused" },
    })
  if (isResponses)
    return send(200, {
      ...{
        id: `mock-${said.n ?? 0}`,
        object: "response",
        created_at: 1,
        model,
        status: "completed",
        error: null,
        incomplete_details: null,
        tools: [],
        tool_choice: "auto",
        parallel_tool_calls: false,
      },
      output: [
        {
          id: "m1",
          type: "message",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text, annotations: [] }],
        },
      ],
      usage: {
        input_tokens: usage.prompt_tokens,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: usage.completion_tokens,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: usage.total_tokens,
      },
    })
  const base = { id: `mock-${said.n ?? 0}`, created: 1, model, system_fingerprint: "mock" }
  const finish_reason = "stop"
  if (ask.stream) {
    response.writeHead(200, { "content-type": "text/event-stream" })
    const words = said.n === undefined ? Array.from({ length: usage.completion_tokens }, (_, i) => ` w${i}`) : [text]
    for (const [i, word] of words.entries()) {
      const choice = isChat
        ? { index: 0, delta: { ...(i === 0 && { role: "assistant" }), content: word }, finish_reason: null }
        : { index: 0, text: word, finish_reason: null }
      response.write(
        `data: ${JSON.stringify({ ...base, object: isChat ? "chat.completion.chunk" : "text_completion", choices: [choice] })}\n\n`,
      )
      await new Promise((done) => setTimeout(done, 3))
    }
    response.write(
      `data: ${JSON.stringify({ ...base, object: isChat ? "chat.completion.chunk" : "text_completion", choices: [{ index: 0, ...(isChat ? { delta: {} } : { text: "" }), finish_reason }] })}\n\n`,
    )
    if (ask.stream_options?.include_usage)
      response.write(
        `data: ${JSON.stringify({ ...base, object: isChat ? "chat.completion.chunk" : "text_completion", choices: [], usage })}\n\n`,
      )
    response.end("data: [DONE]\n\n")
    return
  }
  const n = ask.n ?? 1
  if (isChat) {
    const tool =
      ask.tools?.[0] && ask.tool_choice && ask.tool_choice !== "auto"
        ? {
            tool_calls: [
              {
                id: "c1",
                type: "function",
                function: { name: ask.tools[0].function.name, arguments: '{"verdict":"yes","score":1}' },
              },
            ],
          }
        : {}
    return send(200, {
      ...base,
      object: "chat.completion",
      choices: Array.from({ length: n }, (_, index) => ({
        index,
        message: { role: "assistant", content: text, ...tool },
        finish_reason,
        logprobs: null,
      })),
      usage,
    })
  }
  if (ask.echo) {
    const pieces = prompt.match(/\S+\s*|\s+/g) ?? []
    const odds = pieces.map((piece, i) => (i === 0 ? null : -((piece.length * 7 + i) % 5) / 4 - 0.25))
    let offset = 0
    const text_offset = pieces.map((piece) => {
      const at = offset
      offset += piece.length
      return at
    })
    return send(200, {
      ...base,
      object: "text_completion",
      choices: [
        {
          index: 0,
          text: prompt,
          logprobs: {
            tokens: pieces,
            token_logprobs: odds,
            top_logprobs: pieces.map((piece, i) => (i === 0 ? null : { [piece]: odds[i] })),
            text_offset,
          },
          finish_reason: "length",
        },
      ],
      usage,
    })
  }
  send(200, {
    ...base,
    object: "text_completion",
    choices: [ask.prompt].flat().map((one, index) => ({
      index,
      text: Array.isArray(ask.prompt) && typeof one === "string" ? (answer(model, one).text ?? "") : text,
      finish_reason,
      logprobs: null,
    })),
    usage,
  })
})
server.listen(Number(port), "127.0.0.1", () => console.log(server.address().port))
