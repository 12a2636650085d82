import { OpenAI } from "openai"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { UsageError } from "../../src/core/errors.ts"
import type { JsonObject } from "../../src/core/json.ts"
import { openai } from "../../src/providers/openai.ts"
import { ask, testContext } from "../support/ask.ts"
import { arrangements, capturedBy } from "../support/capture/arrangements.ts"
import { type Fault, type FaultServer, startFaultServer } from "../support/fault-server.ts"

let server: FaultServer
beforeAll(async () => {
  server = await startFaultServer()
})
afterAll(() => server.close())

function open(fault: Fault, options: Partial<Parameters<typeof openai>[0]> = {}) {
  return openai({ model: "m", baseUrl: server.url(fault), apiKeyVariable: null, ...options }).open(testContext())
}

describe.each(arrangements)("openai() over %s", (arrangement) => {
  const captured = capturedBy(arrangement)

  it("brings text, usage, cached tokens, finish reason and the served model", async () => {
    const session = await open("none", captured)
    const answer = await ask(session)
    await session.close()
    expect(answer).toMatchObject({
      outcome: "ok",
      text: "Hello",
      finishReason: "stop",
      usage: { promptTokens: 7, cachedPromptTokens: 4, completionTokens: 2, reasoningTokens: 0 },
      servedModel: "served",
      httpStatus: 200,
    })
  })

  it("sends what the parameters say, streams and asks for usage", async () => {
    const session = await open("none", { ...captured, extraBody: { top_k: 5 } })
    await ask(session, {
      content: "Question",
      parameters: {
        temperature: 0,
        topP: 0.5,
        maxTokens: 9,
        stop: ["\n"],
        seed: 3,
        topLogprobs: 2,
        tools: [{ name: "find", parameters: { type: "object" } }],
        extra: { reasoning_effort: "low" },
      },
    })
    await session.close()
    expect(server.bodies.at(-1)).toEqual({
      model: "m",
      messages: [{ role: "user", content: "Question" }],
      temperature: 0,
      top_p: 0.5,
      max_tokens: 9,
      stop: ["\n"],
      seed: 3,
      logprobs: true,
      top_logprobs: 2,
      tools: [{ type: "function", function: { name: "find", parameters: { type: "object" } } }],
      top_k: 5,
      reasoning_effort: "low",
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  it("refuses to ask for several answers at once, of which it would read one and count all", () => {
    const ask = (extraBody: JsonObject) => () => openai({ model: "m", apiKeyVariable: null, extraBody })
    expect(ask({ n: 3 })).toThrow("openai: several answers at once are not read: extraBody.n: 3")
    expect(ask({ best_of: 2 })).toThrow("set repeats")
    expect(ask({ n: 1, top_k: 4 })).not.toThrow()
  })

  it("connects once and then reuses the connection", async () => {
    const session = await open("none", captured)
    const first = await ask(session)
    const second = await ask(session)
    await session.close()
    expect(first.log.connectMs).toBeGreaterThan(0)
    expect(second.log.connectMs).toBe(null)
  })

  it("opens connections beforehand, so that requests at the same time need none", async () => {
    const session = await open("none", captured)
    await session.warm?.(4, new AbortController().signal)
    const answers = await Promise.all(Array.from({ length: 4 }, () => ask(session)))
    await session.close()
    expect(answers.map(({ log }) => log.connectMs)).toEqual([null, null, null, null])
  })

  it("stamps in order: scheduled, sent, headers, events, end", async () => {
    const session = await open("slowDrip", captured)
    const { log } = await ask(session)
    await session.close()
    const stamps = [
      log.scheduledMs,
      log.sendMs,
      log.headersMs as number,
      ...log.events.map(({ atMs }) => atMs),
      log.endMs,
    ]
    expect(stamps).toEqual([...stamps].sort((a, b) => a - b))
    expect(log.scheduledMs).toBe(0)
    expect(new Set(log.events.filter(({ bytes }) => bytes > 0).map(({ atMs }) => atMs)).size).toBe(2)
  })

  it("asks again without a refused parameter, notes it once and does not ask for it again", async () => {
    const session = await open("noLogprobs", captured)
    const before = server.bodies.length
    const first = await ask(session, { parameters: { topLogprobs: 1 } })
    const second = await ask(session, { parameters: { topLogprobs: 1 } })
    await session.close()
    expect([first.outcome, second.outcome]).toEqual(["ok", "ok"])
    expect(server.bodies.length - before).toBe(3)
    expect(session.notes()).toEqual(["logprobs: refused by the endpoint; figures from token probabilities are unknown"])
  })

  it("gives up every optional parameter that an endpoint refuses, one by one", async () => {
    const session = await open("nothingOptional", captured)
    const schema = { name: "x", schema: { type: "object" } }
    const answer = await ask(session, { parameters: { topLogprobs: 1, seed: 1, jsonSchema: schema } })
    await session.close()
    expect(answer.outcome).toBe("ok")
    expect(session.notes().map((note) => note.split(":")[0])).toEqual([
      "stream_options",
      "seed",
      "response_format",
      "logprobs",
    ])
  })

  it("does not drop a JSON schema that is wrong", async () => {
    const session = await open("badSchema", captured)
    const answer = await ask(session, { parameters: { jsonSchema: { name: "x", schema: {} } } })
    await session.close()
    expect(answer.outcome).toBe("http_4xx")
    expect(session.notes()).toEqual([])
  })

  it("calls an answer malformed that is not the JSON that was promised", async () => {
    const session = await open("notJsonAnswer", captured)
    const answer = await ask(session, { parameters: { jsonSchema: { name: "x", schema: { type: "object" } } } })
    await session.close()
    expect(answer.outcome).toBe("malformed")
  })

  it("never asks for a feature that is declared to be missing, and notes it", async () => {
    const session = await open("none", { ...captured, features: { seed: false } })
    await ask(session, { parameters: { seed: 1 } })
    await session.close()
    expect(server.bodies.at(-1)).not.toHaveProperty("seed")
    expect(session.notes()).toEqual(["seed: not offered by this endpoint; answers cannot be repeated exactly"])
  })

  it("serves many requests on one abort signal without a listener each", async () => {
    const session = await open("none", captured)
    const { signal } = new AbortController()
    const warnings: Error[] = []
    const onWarning = (warning: Error): void => void warnings.push(warning)
    process.on("warning", onWarning)
    await Promise.all(Array.from({ length: 20 }, () => ask(session, { signal })))
    await session.close()
    process.off("warning", onWarning)
    expect(warnings).toEqual([])
  })
})

describe("openai()", () => {
  it("reads the same text as the openai package does by itself", async () => {
    for (const fault of ["none", "carriageReturns", "oneByteChunks", "slowDrip", "noDone"] as const) {
      const client = new OpenAI({ apiKey: "none", baseURL: server.url(fault), maxRetries: 0 })
      let text = ""
      const stream = await client.chat.completions.create({
        model: "m",
        stream: true,
        messages: [{ role: "user", content: "Hi" }],
      })
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ""
      const session = await open(fault)
      expect((await ask(session)).text).toBe(text)
      await session.close()
    }
  })

  it("keeps the key and secret headers out of identity and label", async () => {
    const provider = openai({
      model: "m",
      baseUrl: server.url("none"),
      headers: { "x-api-key": "topsecretvalue", "x-version": "2" },
    })
    const session = await provider.open(testContext({ OPENAI_API_KEY: "sk-live-abcdefghijklmnop" }))
    const text = JSON.stringify([provider, await ask(session), session.notes()])
    await session.close()
    expect(text).not.toMatch(/topsecretvalue|sk-live/)
    expect(provider.identity).toMatchObject({ headers: { "x-api-key": "•••", "x-version": "•••" } })
  })

  it("names the variable when the key is missing", async () => {
    const provider = openai({ model: "m", apiKeyVariable: "SOME_KEY" })
    await expect(provider.open(testContext())).rejects.toThrow(/SOME_KEY is not set/)
  })

  it.each(["nonsense", "ftp://host/v1", "http://user:pass@host/v1", "https://host/v1?api-key=abcd"])(
    "refuses the base URL %s",
    (baseUrl) => {
      expect(() => openai({ model: "m", baseUrl })).toThrow(UsageError)
    },
  )

  it("keeps the query of a base URL behind the resource", async () => {
    const session = await openai({
      model: "m",
      baseUrl: `${server.url("none")}?api-version=1`,
      apiKeyVariable: null,
    }).open(testContext())
    expect((await ask(session)).outcome).toBe("ok")
    await session.close()
  })

  it("says why nothing is known of the resources of a remote endpoint", async () => {
    const session = await open("none")
    const resources = await session.resources()
    await session.close()
    expect(resources.peakRssBytes).toBe(null)
    expect(resources.reason).toContain("not started here")
  })
})
