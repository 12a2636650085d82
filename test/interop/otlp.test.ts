import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { traceLines } from "../../examples/production-traces/make-traces.ts"
import { command as importCommand } from "../../src/cli/commands/import.ts"
import { recorded } from "../../src/providers/recorded.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { fakeIo } from "../support/fake-io.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { traceJson, traceProtobuf, type WrittenSpan } from "./otlp-writer.ts"
import { compareJson, importJson, readLog, writeLines } from "./support.ts"

const folder = scratchDirectory()

/** A call as the conventions of today write it. */
const chat = (id: string, question: string, answer: string, more: Partial<WrittenSpan> = {}): WrittenSpan => ({
  ...{ id, name: "chat m", at: [0, 1000] },
  ...more,
  attributes: {
    ...{ "gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "m" },
    "gen_ai.input.messages": JSON.stringify([{ role: "user", parts: [{ type: "text", content: question }] }]),
    "gen_ai.output.messages": JSON.stringify([
      { role: "assistant", parts: [{ type: "text", content: answer }], finish_reason: "stop" },
    ]),
    ...more.attributes,
  },
})

async function read(spans: readonly WrittenSpan[], name: string) {
  const log = await readLog(writeLines(folder, name, [traceJson(spans)]))
  if (!log) throw new Error("not recognised")
  return log
}

describe("traces (OTLP)", () => {
  const traced: readonly WrittenSpan[] = [
    { id: "a0", name: "POST /ask", at: [0, 1500] },
    {
      ...{ id: "a1", parent: "a0", name: "search", at: [10, 60] },
      attributes: {
        "gen_ai.operation.name": "retrieval",
        "gen_ai.retrieval.documents": '[{"content":"p"},{"id":"2"}]',
      },
    },
    chat("a2", "why?", "because", {
      ...{ parent: "a0", at: [100.5, 1100.5] },
      attributes: {
        ...{ "gen_ai.usage.input_tokens": 12, "gen_ai.usage.output_tokens": 5 },
        ...{ "gen_ai.usage.cache_read.input_tokens": 4, "gen_ai.response.time_to_first_chunk": 0.25 },
        ...{ "gen_ai.response.model": "m-2026", "gen_ai.response.finish_reasons": ["stop"] },
        "gen_ai.conversation.id": "c1",
      },
      events: [
        {
          name: "gen_ai.evaluation.result",
          attributes: { "gen_ai.evaluation.name": "relevance", "gen_ai.evaluation.score.value": 0.75 },
        },
      ],
    }),
    chat("a3", "what?", "", {
      ...{ trace: "2", error: "overloaded", at: [0, 30] },
      attributes: { "gen_ai.output.messages": "[]", "error.type": "503" },
    }),
  ]

  it("are read alike from lines, a document and protobuf, framed or not", async () => {
    const protobuf = traceProtobuf(traced)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(protobuf.length)
    const files = {
      "t.jsonl": JSON.stringify(traceJson(traced)),
      "t.json": JSON.stringify(traceJson(traced), null, 2),
      "t.pb": protobuf,
      "t-many.pb": Buffer.concat([length, protobuf, length, traceProtobuf(traced)]),
    }
    const all = await Promise.all(
      Object.entries(files).map(async ([name, content]) => {
        writeFileSync(join(folder, name), content)
        const log = await readLog(join(folder, name))
        return log?.records.map(({ where: _, ...record }) => record)
      }),
    )
    for (const entry of all) expect(entry).toEqual(all[0])
    expect(all[0]).toMatchObject([
      {
        variant: "m",
        sample: { input: "why?", context: ["p"], cluster: "c1", metadata: { provider: "openai" } },
        answer: {
          ...{ text: "because", outcome: "ok", finishReason: "stop", servedModel: "m-2026", source: "recorded" },
          usage: { promptTokens: 12, completionTokens: 5, cachedPromptTokens: 4 },
          // The clock begins with the search, 90.5 ms before the call.
          log: {
            ...{ sendMs: 90.5, endMs: 1090.5, events: [{ atMs: 340.5 }, { atMs: 1090.5 }] },
            stages: [
              { name: "search", startMs: 0, endMs: 50 },
              { name: "generate", startMs: 90.5, endMs: 1090.5 },
            ],
          },
        },
        scores: { relevance: 0.75 },
      },
      {
        sample: { input: "what?", context: [] },
        answer: { outcome: "http_5xx", text: "", failure: { message: "overloaded", code: "503" } },
      },
    ])
  })

  it("are read under the names of every convention", async () => {
    const ask = [
      { role: "system", content: "Be short." },
      { role: "user", content: "Rain?" },
    ]
    const call = { name: "get_weather", arguments: { city: "Paris" }, id: "call_1" }
    const base = { id: "b1", at: [0, 500] } as const
    const ways: Record<string, WrittenSpan> = {
      "gen_ai.prompt as JSON": {
        ...base,
        attributes: {
          ...{ "gen_ai.system": "openai", "gen_ai.request.model": "m", "gen_ai.prompt": JSON.stringify(ask) },
          "gen_ai.completion": JSON.stringify([
            {
              role: "assistant",
              content: "Let me look.",
              tool_calls: [{ id: "call_1", function: { name: "get_weather", arguments: '{"city":"Paris"}' } }],
            },
          ]),
        },
      },
      "events with their bodies": {
        ...base,
        attributes: { "gen_ai.operation.name": "chat", "gen_ai.request.model": "m" },
        events: [
          { name: "gen_ai.system.message", attributes: { content: "Be short." } },
          { name: "gen_ai.user.message", attributes: { "gen_ai.event.content": '{"content":"Rain?"}' } },
          {
            name: "gen_ai.choice",
            attributes: {
              finish_reason: "tool_calls",
              message: JSON.stringify({
                content: "Let me look.",
                tool_calls: [{ id: "call_1", function: { name: "get_weather", arguments: '{"city":"Paris"}' } }],
              }),
            },
          },
        ],
      },
      OpenLLMetry: {
        ...base,
        attributes: {
          ...{ "llm.request.type": "chat", "gen_ai.request.model": "m" },
          ...{ "gen_ai.prompt.0.role": "system", "gen_ai.prompt.0.content": "Be short." },
          ...{ "gen_ai.prompt.1.role": "user", "gen_ai.prompt.1.content": "Rain?" },
          ...{ "gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.content": "Let me look." },
          ...{
            "gen_ai.completion.0.tool_calls.0.name": "get_weather",
            "gen_ai.completion.0.tool_calls.0.id": "call_1",
          },
          ...{ "gen_ai.completion.0.tool_calls.0.arguments": '{"city":"Paris"}' },
        },
      },
      OpenInference: {
        ...base,
        attributes: {
          ...{ "openinference.span.kind": "LLM", "llm.model_name": "m" },
          ...{ "llm.input_messages.0.message.role": "system", "llm.input_messages.0.message.content": "Be short." },
          "llm.input_messages.1.message.role": "user",
          "llm.input_messages.1.message.contents.0.message_content.type": "text",
          "llm.input_messages.1.message.contents.0.message_content.text": "Rain?",
          ...{
            "llm.output_messages.0.message.role": "assistant",
            "llm.output_messages.0.message.content": "Let me look.",
          },
          "llm.output_messages.0.message.tool_calls.0.tool_call.id": "call_1",
          "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "get_weather",
          "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": '{"city":"Paris"}',
        },
      },
      "Vercel AI SDK": {
        ...base,
        attributes: {
          ...{ "ai.operationId": "ai.generateText.doGenerate", "ai.model.id": "m" },
          "ai.prompt.messages": JSON.stringify([ask[0], { role: "user", content: [{ type: "text", text: "Rain?" }] }]),
          "ai.response.text": "Let me look.",
          "ai.response.toolCalls": '[{"toolCallId":"call_1","toolName":"get_weather","input":{"city":"Paris"}}]',
        },
      },
      "the conventions of today": chat("b1", "", "", {
        attributes: {
          "gen_ai.system_instructions": [{ type: "text", content: "Be short." }],
          "gen_ai.input.messages": [{ role: "user", parts: [{ type: "text", content: "Rain?" }] }],
          "gen_ai.output.messages": [
            {
              role: "assistant",
              parts: [
                { type: "text", content: "Let me look." },
                { type: "tool_call", ...call },
              ],
              finish_reason: "tool_calls",
            },
          ],
        },
      }),
    }
    for (const [name, span] of Object.entries(ways)) {
      const { records } = await read([span], "way.jsonl")
      expect({ name, input: records[0]?.sample.input }).toEqual({ name, input: ask })
      expect(records[0]).toMatchObject({ variant: "m", answer: { text: "Let me look.", toolCalls: [call] } })
    }
  })

  it("count a call once, whatever wraps it, however often it was sent", async () => {
    const inner = chat("c2", "q", "a", { parent: "c1" })
    const { records } = await read([chat("c1", "q", "a"), inner, inner], "wrapped.jsonl")
    expect(records.map(({ sample }) => sample.metadata.span_id)).toEqual(["00000000000000c2"])
  })

  it("keep the weight of a question that comes again, as samples of one cluster", async () => {
    const spans = ["d1", "d2", "d3"].map((id, i) => chat(id, i === 2 ? "other" : "same", "a", { trace: id }))
    const { records } = await read(spans, "again.jsonl")
    const [first, second, other] = records.map(({ sample }) => sample)
    expect(second?.id).toBe(`${first?.id}-2`)
    expect(second?.cluster).toBe(first?.cluster)
    expect(other?.cluster).not.toBe(first?.cluster)
  })

  it("without messages, with pictures, or without ids are left out with the reason; times that cannot be are no times", async () => {
    const mute = chat("e1", "", "", { attributes: { "gen_ai.input.messages": "", "gen_ai.output.messages": "" } })
    const picture = chat("e2", "", "", {
      attributes: {
        "gen_ai.input.messages": '[{"role":"user","parts":[{"type":"blob","modality":"image","content":"AA=="}]}]',
      },
    })
    const backwards = chat("e3", "q", "a", { trace: "9", at: [500, 100] })
    const request = traceJson([mute, picture, backwards])
    request.resourceSpans[0]?.scopeSpans[0]?.spans.push({ name: "no ids" } as never)
    const log = await readLog(writeLines(folder, "odd.jsonl", [request, { resourceLogs: [] }, { other: 1 }]))
    expect(log?.skipped.map(({ reason }) => reason)).toEqual([
      expect.stringContaining("the span holds no messages"),
      "it holds a picture, a recording or a file",
      "a span has no traceId or no spanId",
      "the line holds no resourceSpans",
    ])
    expect(log?.records).toMatchObject([{ answer: { source: "foreign", log: { events: [] } } }])
  })

  it("that are damaged or hostile end with what and where, and nothing is imported", async () => {
    const whole = traceProtobuf(traced)
    const nested = (depth: number): object => (depth === 0 ? {} : { a: nested(depth - 1) })
    const cases: Record<string, [Uint8Array | string, RegExp]> = {
      "cut.pb": [whole.subarray(0, whole.length - 40), /cannot be read|no log|whole evalkit archive/],
      "none.jsonl": [JSON.stringify(traceJson([{ id: "f1" }])), /none of the 1 spans is the call of a model/],
      "deep.pb": [traceProtobuf([{ id: "f2", attributes: { deep: nested(300) } }]), /nested more than 100 deep/],
      "deep.jsonl": [
        JSON.stringify(traceJson([chat("f3", "q", "a", { attributes: { deep: nested(60) } })])),
        /none of the 0/,
      ],
      "empty.jsonl": ['{"resourceSpans":[{}]}\n', /none of the 0 spans/],
    }
    for (const [name, [content, message]] of Object.entries(cases)) {
      const own = scratchDirectory()
      writeFileSync(join(own, name), content)
      await expect(importJson(own, name), name).rejects.toThrow(message)
      const store = openRunStore(join(own, ".evalkit"))
      expect(store.runs()).toEqual([])
      store.close()
    }
    const proto = chat("f4", "q", "a", {
      attributes: {
        __proto__: "x",
        "gen_ai.prompt.__proto__.polluted": "x",
        "gen_ai.prompt.0.__proto__.polluted": "x",
      },
    })
    expect((await read([proto], "proto.jsonl")).records).toHaveLength(1)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it("become a run with a report, and compare as any log where they carry scores", async () => {
    const own = scratchDirectory()
    const file = writeLines(own, "t.jsonl", [traceJson(traced)])
    const { json } = await importJson(own, file)
    expect(json[0]).toMatchObject({ recognised: "otlp", samples: 2, answers: 2, skipped: [], skipped_count: 0 })
    const store = openRunStore(join(own, ".evalkit"))
    const report = store.report(json[0]?.run ?? "")
    store.close()
    expect(report?.variants[0]).toMatchObject({
      name: "m",
      speed: { ttftMs: { p50: { status: "known", value: 250 } } },
    })
    expect(report?.variants[0]?.speed.stages?.search?.p50).toMatchObject({ status: "known", value: 50 })
    expect((await compareJson(own, file, file)).json).toMatchObject({ recognised: { a: "otlp", b: "otlp" } })
  })
})

describe("import --as-dataset", () => {
  const example = fileURLToPath(new URL("../../examples/production-traces/", import.meta.url))

  it("makes the data set of the example from its trace of 1,000 spans", async () => {
    const own = scratchDirectory()
    const lines = traceLines()
    const spans = lines.flatMap((line) => JSON.parse(line).resourceSpans[0].scopeSpans[0].spans)
    expect(spans).toHaveLength(1000)
    writeFileSync(join(own, "traces.jsonl"), `${lines.join("\n")}\n`)
    const io = fakeIo({ cwd: own })
    expect(await importCommand.run({ files: ["traces.jsonl"], asDataset: "traffic", json: true }, io)).toBe(0)
    expect(JSON.parse(io.stdout())).toMatchObject([
      { recognised: "otlp", samples: 250, answers: 250, variants: ["shop-large"] },
    ])
    for (const name of ["samples.jsonl", "answers.jsonl"])
      expect(readFileSync(join(own, "traffic", name), "utf8")).toBe(
        readFileSync(join(example, "traffic", name), "utf8"),
      )
    await expect(importCommand.run({ files: ["traces.jsonl"], asDataset: "traffic" }, io)).rejects.toThrow(
      /there already/,
    )
  })

  it("takes a seeded sample, the same of every order of the lines", async () => {
    const own = scratchDirectory()
    const lines = traceLines(40)
    const idsOf = async (name: string, content: readonly string[], seed: number) => {
      writeFileSync(join(own, `${name}.jsonl`), content.join("\n"))
      const io = fakeIo({ cwd: own })
      await importCommand.run({ files: [`${name}.jsonl`], asDataset: name, sample: 10, seed }, io)
      const rows = readFileSync(join(own, name, "samples.jsonl"), "utf8")
        .trim()
        .split("\n")
      return rows.map((row) => JSON.parse(row).id as string).sort()
    }
    const ids = await idsOf("forth", lines, 3)
    expect(ids).toHaveLength(10)
    expect(await idsOf("back", lines.toReversed(), 3)).toEqual(ids)
    expect(await idsOf("other", lines, 4)).not.toEqual(ids)
    const bad = importCommand.run({ files: ["forth.jsonl"], sample: 0 }, fakeIo({ cwd: own }))
    await expect(bad).rejects.toThrow(/--sample must be a whole number/)
  })

  it("keeps stages, the lack of a first token and the stated cost of an answer for recorded()", async () => {
    const own = scratchDirectory()
    const spans = [
      { id: "a1", name: "search", at: [0, 40] as const },
      chat("a2", "q", "a b", { at: [50, 350], attributes: { "gen_ai.usage.cost": 0.25 } }),
    ]
    writeLines(own, "t.jsonl", [traceJson(spans)])
    await importCommand.run({ files: ["t.jsonl"], asDataset: "out" }, fakeIo({ cwd: own }))
    const [row] = readFileSync(join(own, "out/answers.jsonl"), "utf8").trim().split("\n")
    const session = await recorded(join(own, "out/answers.jsonl")).open({} as never)
    const answer = await session.request({} as never, { sampleId: JSON.parse(row ?? "").id } as never)
    expect(answer).toMatchObject({
      usage: { chargedUsd: 0.25 },
      log: { endOnly: true, stages: [{ name: "search" }, { name: "generate" }] },
    })
    await session.close()
  })
})
