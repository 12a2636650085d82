import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { inputText } from "../../src/core/sample.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { importJson, readAll } from "./support.ts"

const messages = [{ role: "user", content: "What is 2 + 2?" }]
const completion = { choices: [{ message: { role: "assistant", content: "4" }, finish_reason: "stop" }] }
const times = { startTime: "2026-01-01T00:00:00.000Z", endTime: "2026-01-01T00:00:01.000Z" }
const lines = (...rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join("\n")

const payload = {
  ...{ id: "1", call_type: "acompletion", status: "success", model: "gpt-x", messages, response: completion },
  ...{ startTime: 1.7e9, endTime: 1.7e9 + 1, completionStartTime: 1.7e9 + 0.25, response_cost: 0.001 },
  ...{ prompt_tokens: 10, completion_tokens: 1, cache_hit: false },
}
const spend = {
  ...{ request_id: "1", call_type: "acompletion", spend: 0.001, model: "gpt-x", ...times, cache_hit: "False" },
  ...{ completionStartTime: "2026-01-01T00:00:00.250Z", messages, response: completion },
  ...{ prompt_tokens: 10, completion_tokens: 1, metadata: { status: "success" } },
}
const observation = {
  ...{ id: "o", traceId: "t", type: "GENERATION", ...times, completionStartTime: "2026-01-01T00:00:00.250Z" },
  ...{ model: "gpt-x", input: messages, output: { role: "assistant", content: "4" }, level: "DEFAULT" },
  ...{ usageDetails: { input: 10, output: 1 }, costDetails: { total: 0.001 }, scores: { correct: [1] } },
}
const blob = {
  ...{ id: "o", trace_id: "t", type: "GENERATION", provided_model_name: "gpt-x", input: JSON.stringify({ messages }) },
  ...{ start_time: "2026-01-01 00:00:00.000000", end_time: "2026-01-01 00:00:01.000000", output: "4" },
  ...{
    completion_start_time: "2026-01-01 00:00:00.250000",
    usage_details: { input: 10, output: 1 },
    total_cost: 0.001,
  },
}
const run = {
  ...{
    id: "r",
    run_type: "llm",
    inputs: { messages },
    start_time: "2026-01-01T00:00:00",
    end_time: "2026-01-01T00:00:01",
  },
  ...{ outputs: { generations: [[{ text: "4", message: { kwargs: { type: "ai", content: "4" } } }]] } },
  ...{ first_token_time: "2026-01-01T00:00:00.250", prompt_tokens: 10, completion_tokens: 1, total_cost: "0.001" },
  ...{ extra: { metadata: { ls_model_name: "gpt-x" } }, feedback_stats: { correct: { n: 1, avg: 1 } }, error: null },
}
const event = {
  ...{ id: "e", span_id: "s", root_span_id: "s", is_root: true, input: messages, output: "4", expected: "4" },
  ...{ scores: { correct: 1 }, metadata: { model: "gpt-x" } },
  metrics: { start: 1.7e9, end: 1.7e9 + 1, time_to_first_token: 0.25, prompt_tokens: 10, completion_tokens: 1 },
}
const experiment = {
  ...{
    example_id: "x",
    repetition_number: 1,
    input: { question: "What is 2 + 2?" },
    reference_output: { answer: "4" },
  },
  ...{ output: "4", error: null, start_time: "2026-01-01T00:00:00Z", end_time: "2026-01-01T00:00:01Z" },
  ...{
    prompt_token_count: 10,
    completion_token_count: 1,
    annotations: [1.5, 0.5].map((score) => ({ name: "correct", score })),
  },
}
const heliconeRequest = {
  ...{ response_status: 200, request_created_at: times.startTime, provider: "OPENAI", response_model: "gpt-x" },
  ...{ request_body: { messages }, response_body: completion, delay_ms: 1000, time_to_first_token: 250 },
  ...{ prompt_tokens: 10, completion_tokens: 1, costUSD: 0.001 },
}
const csv = (row: object) => {
  const cell = (value: unknown) =>
    `"${(typeof value === "object" ? JSON.stringify(value) : String(value)).replaceAll('"', '""')}"`
  return `${Object.keys(row).join(",")}\n${Object.values(row).map(cell).join(",")}\n`
}

const { scores: _, ...unscoredObservation } = observation
/** As the worker's batch export writes a row: scores are columns behind all others, each a list. */
const exportedObservation = { ...unscoredObservation, traceTags: ["a"], comments: [], correct: [1, 1], other: null }
const tested = {
  ...{ example_id: "x", "inputs.question": "What is 2 + 2?", "outputs.answer": "4", "reference.answer": "4", id: "r" },
  ...{ "feedback.correct": "True", "feedback.skipped": "", execution_time: 1, error: "" },
}
const span = { span_kind: "LLM", status_code: "OK", start_time: times.startTime, end_time: times.endTime }
const spanTable = {
  ...{ "context.span_id": "s", ...span, "attributes.llm.model_name": "gpt-x" },
  "attributes.llm.input_messages": `[{'message.role': 'user', 'message.content': 'What is 2 + 2?'}]`,
  "attributes.llm.output_messages": `[{'message.content': "4", 'message.role': 'assistant'}]`,
  ...{ "attributes.llm.token_count.prompt": 10, "attributes.llm.token_count.completion": "1.0" },
}
const spanOfApi = {
  ...{ id: "U3Bhbg==", name: "ChatCompletion", context: { trace_id: "t", span_id: "s" }, parent_id: null, ...span },
  attributes: {
    ...{ "llm.model_name": "gpt-x", "llm.token_count.prompt": 10, "llm.token_count.completion": 1 },
    ...{ "llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.content": "What is 2 + 2?" },
    ...{ "llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": "4" },
  },
}

/** What is read of each: tool, model, whether a time to first token, a cost and a score stand in it. */
const table: readonly (readonly [name: string, content: string | Buffer, tool: string, facts: object])[] = [
  ["callbacks.jsonl", lines(payload), "litellm", { model: "gpt-x", ttft: true, cost: true }],
  ["nested.jsonl", lines({ standard_logging_object: payload }), "litellm", { model: "gpt-x", ttft: true, cost: true }],
  ["spend.json", JSON.stringify([spend]), "litellm", { model: "gpt-x", ttft: true, cost: true }],
  ["page.json", JSON.stringify({ data: [spend] }, null, 1), "litellm", { model: "gpt-x", ttft: true, cost: true }],
  ["spend.csv", csv(spend), "litellm", { model: "gpt-x", ttft: true, cost: true }],
  ["helicone.jsonl", lines(heliconeRequest), "helicone", { model: "gpt-x", ttft: true, cost: true }],
  ["helicone.csv", csv(heliconeRequest), "helicone", { model: "gpt-x", ttft: true, cost: true }],
  ["helicone.json", JSON.stringify([heliconeRequest]), "helicone", { model: "gpt-x", ttft: true, cost: true }],
  ["observations.jsonl", lines(observation), "langfuse", { model: "gpt-x", ttft: true, cost: true, correct: 1 }],
  ["blob.jsonl", lines(blob), "langfuse", { model: "gpt-x", ttft: true, cost: true }],
  [
    "trace-t.json",
    JSON.stringify({
      trace: { id: "t" },
      observations: [
        { ...observation, scores: undefined },
        { ...observation, type: "SPAN" },
      ],
      scores: [{ name: "correct", value: 1, observationId: null }],
    }),
    "langfuse",
    { model: "gpt-x", ttft: true, cost: true, correct: 1 },
  ],
  ["observations.csv", csv(observation), "langfuse", { model: "gpt-x", ttft: true, cost: true, correct: 1 }],
  ["export.jsonl", lines(exportedObservation), "langfuse", { model: "gpt-x", ttft: true, cost: true, correct: 1 }],
  ["export.csv", csv(exportedObservation), "langfuse", { model: "gpt-x", ttft: true, cost: true, correct: 1 }],
  [
    "powershell.jsonl",
    Buffer.from(`\uFEFF${lines(observation)}\r\n`, "utf16le"),
    "langfuse",
    { model: "gpt-x", ttft: true, cost: true, correct: 1 },
  ],
  [
    "long.json",
    JSON.stringify([{ metadata: { note: "x".repeat(100_000) }, ...observation }]),
    "langfuse",
    { model: "gpt-x", ttft: true, cost: true, correct: 1 },
  ],
  [
    "columns.json",
    JSON.stringify(Object.fromEntries(Object.entries(spanTable).map(([name, cell]) => [name, { 0: cell }]))),
    "phoenix",
    { model: "gpt-x", ttft: false, cost: false },
  ],
  ["tested.csv", csv(tested), "langsmith", { model: "model", ttft: false, cost: false, correct: 1 }],
  ["spans.csv", csv(spanTable), "phoenix", { model: "gpt-x", ttft: false, cost: false }],
  ["spans.json", JSON.stringify({ data: [spanOfApi] }), "phoenix", { model: "gpt-x", ttft: false, cost: false }],
  ["runs.jsonl", lines(run), "langsmith", { model: "gpt-x", ttft: true, cost: true, correct: 1 }],
  [
    "experiment.json",
    JSON.stringify([
      { ...run, run_type: "chain", reference_example_id: "x" },
      { ...run, parent_run_id: "r" },
    ]),
    "langsmith",
    { model: "gpt-x", ttft: true, cost: true, correct: 1 },
  ],
  [
    "events.json",
    JSON.stringify({ events: [event, { ...event, span_id: "child" }] }, null, 1),
    "braintrust",
    { model: "gpt-x", ttft: true, cost: false, correct: 1 },
  ],
  ["phoenix.json", JSON.stringify([experiment]), "phoenix", { model: "model", ttft: false, cost: false, correct: 1 }],
  [
    "spans.jsonl",
    lines({
      ...{
        "context.span_id": "s",
        span_kind: "LLM",
        status_code: "OK",
        start_time: times.startTime,
        end_time: times.endTime,
      },
      "attributes.llm.model_name": "gpt-x",
      "attributes.llm.input_messages": [{ "message.role": "user", "message.content": "What is 2 + 2?" }],
      "attributes.output.value": "4",
      ...{
        "attributes.llm.token_count.prompt": 10,
        "attributes.llm.token_count.completion": 1,
        "eval.correct.score": 1,
      },
    }),
    "phoenix",
    { model: "gpt-x", ttft: false, cost: false, correct: 1 },
  ],
  [
    "stored.json",
    JSON.stringify({
      object: "list",
      data: [
        {
          ...{ object: "chat.completion", id: "c", model: "gpt-x", ...completion, messages },
          usage: { prompt_tokens: 10, completion_tokens: 1 },
        },
      ],
    }),
    "openai-completions",
    { model: "gpt-x", ttft: false, cost: false },
  ],
]

describe("exports of services that watch production", () => {
  it.each(table)("%s: one call, with what the service kept of it", async (name, content, tool, facts) => {
    const path = join(scratchDirectory(), name)
    writeFileSync(path, content)
    const { log, records, skipped } = await readAll(path)
    const [record] = records
    const answer = record?.answer
    expect([log?.tool, records.length, skipped]).toEqual([tool, 1, []])
    expect([record && inputText(record.sample), answer?.text]).toEqual(["What is 2 + 2?", "4"])
    expect(answer).toMatchObject({
      outcome: "ok",
      usage: name === "tested.csv" ? {} : { promptTokens: 10, completionTokens: 1 },
    })
    expect({
      model: record?.variant,
      ttft: answer?.log.events[0]?.atMs === 250,
      cost: answer?.cost.status === "known",
      ...record?.scores,
    }).toEqual(facts)
    if (tool !== "openai-completions") expect(answer?.log.endMs).toBeCloseTo(1000, 3)
  })

  it("calls that failed are failures, labels have no mean, cached answers no time, and what was not streamed no first token", async () => {
    const path = join(scratchDirectory(), "o.jsonl")
    const failed = {
      ...observation,
      level: "ERROR",
      statusMessage: "HTTP 500",
      output: null,
      scores: { tone: ["kind"] },
    }
    writeFileSync(path, lines(failed, { ...observation, completionStartTime: times.endTime }))
    const [first, second] = (await readAll(path)).records
    expect(first).toMatchObject({ answer: { outcome: "application_error", failure: { message: "HTTP 500" } } })
    expect(first?.scores.tone).toMatchObject({ reason: expect.stringContaining("label") })
    expect(second?.answer?.log).toMatchObject({ endOnly: true, endMs: 1000 })
    writeFileSync(path, lines({ ...payload, cache_hit: true }))
    expect((await readAll(path)).records[0]?.answer?.source).toBe("foreign")
  })

  it("Braintrust: model, tokens and cost of a trace are those of its calls, where its first span states none", async () => {
    const path = join(scratchDirectory(), "events.jsonl")
    const { metadata, ...root } = event
    const call = (id: string) => ({
      ...{ id, span_id: id, root_span_id: "s", is_root: false, input: messages, output: "4", metadata },
      ...{
        span_attributes: { type: "llm" },
        metrics: { prompt_tokens: 10, completion_tokens: 1, estimated_cost: 0.25 },
      },
    })
    writeFileSync(path, lines(call("a"), { ...root, metrics: { start: 1.7e9, end: 1.7e9 + 1 } }, call("b")))
    const { records } = await readAll(path)
    expect(records).toMatchObject([
      {
        variant: "gpt-x",
        answer: { usage: { promptTokens: 20, completionTokens: 2 }, cost: { usd: 0.5 }, log: { endMs: 1000 } },
      },
    ])
  })

  it("what is no text is left out: embeddings by their kind, questions with pictures with the reason; a refusal is an answer", async () => {
    const path = join(scratchDirectory(), "calls.jsonl")
    const picture = [
      {
        role: "user",
        content: [
          { type: "text", text: "?" },
          { type: "image_url", image_url: { url: "x" } },
        ],
      },
    ]
    const refused = {
      choices: [{ message: { role: "assistant", content: null, refusal: "No." }, finish_reason: "stop" }],
    }
    writeFileSync(
      path,
      lines(
        { ...payload, call_type: "aembedding", messages: "a text", response: { data: [] } },
        { ...payload, messages: picture },
        { ...payload, response: refused },
      ),
    )
    const { records, skipped } = await readAll(path)
    expect(records.map(({ answer }) => [answer?.text, answer?.outcome])).toEqual([["No.", "ok"]])
    expect(skipped).toMatchObject([{ reason: expect.stringContaining("a picture") }])
  })

  it("a stored completion takes the page of its messages as it came", async () => {
    const path = join(scratchDirectory(), "stored.jsonl")
    writeFileSync(
      path,
      lines({ object: "chat.completion", model: "m", ...completion, messages: { object: "list", data: messages } }),
    )
    const [record] = (await readAll(path)).records
    expect(record && inputText(record.sample)).toBe("What is 2 + 2?")
  })

  it("a log that is cut off says so, also where the store has the same answers", async () => {
    const folder = scratchDirectory()
    writeFileSync(join(folder, "whole.jsonl"), lines(observation))
    writeFileSync(join(folder, "cut.jsonl"), `${lines(observation)}\n{"id":"o2","tra`)
    expect((await importJson(folder, "whole.jsonl")).json[0]).toMatchObject({ answers: 1, skipped: [], is_new: true })
    expect((await importJson(folder, "cut.jsonl")).json[0]).toMatchObject({
      ...{ answers: 1, is_new: false },
      skipped: [{ where: "cut.jsonl:2", reason: "the line is not JSON" }],
    })
  })

  it("several scores of a name are their mean, words of one have none", async () => {
    const path = join(scratchDirectory(), "o.jsonl")
    const trace = { name: "seen", observationId: null }
    const scores = [
      { ...trace, value: 1 },
      { ...trace, value: 0.5 },
      { ...trace, name: "tone", value: null, stringValue: "kind" },
    ]
    writeFileSync(
      path,
      lines({ ...exportedObservation, correct: [0, 1], tone: ["kind"], seen: ["True"] }, { ...observation, scores }),
    )
    const [first, second] = (await readAll(path)).records
    expect(first?.scores).toMatchObject({ correct: 0.5, seen: 1, tone: { reason: expect.stringContaining("label") } })
    expect(second?.scores).toMatchObject({ seen: 0.75, tone: { reason: expect.stringContaining("label") } })
  })

  it.each([
    ["spend.jsonl", lines({ ...spend, messages: {} }), /store_prompts_in_spend_logs/],
    ["stored.jsonl", lines({ object: "chat.completion", model: "m", ...completion }), /add GET .*messages/],
    ["traces.json", '[{"id":"t","projectId":"p","sessionId":null,"name":"n"}]', /export the observations/],
    ["examples.jsonl", '{"id":"x","dataset_id":"d","inputs":{"q":"1"},"outputs":{}}', /data set \(LangSmith\)/],
    ["eval.json", '[{"pass@1": 0.5, "detail": {}}]', /LiveCodeBench.*_eval_all\.json/],
    ["BFCL_v4_x_score.json", '{"accuracy":1,"correct_count":1,"total_count":1}', /results beside them are missing/],
  ])("%s, which lacks what is needed, says what to do", async (name, content, sentence) => {
    const folder = scratchDirectory()
    writeFileSync(join(folder, name), content)
    await expect(importJson(folder, name)).rejects.toThrow(sentence)
  })
})
