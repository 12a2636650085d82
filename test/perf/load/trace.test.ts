import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { gapVariation } from "../../../src/perf/load/arrivals.ts"
import { parseTrace } from "../../../src/perf/load/trace.ts"

const data = process.env.EVALKIT_REFERENCE_DATA
const hasTraces = data !== undefined && existsSync(join(data, "traces"))
if (!hasTraces) console.warn("EVALKIT_REFERENCE_DATA is not set: the checks on public traces are left out")

describe("a trace", () => {
  it("is read from JSON lines, to the last digit of its times", () => {
    const text = [
      '{"t":"2023-11-16 18:17:03.9799600","ctx":4808,"gen":10}',
      '{"t":"2023-11-16 18:17:04.0319600","ctx":3180,"gen":8}',
    ].join("\n")
    const [first, second] = parseTrace(text)
    expect(first).toEqual({ atMs: 0, promptTokens: 4808, outputTokens: 10, blocks: null })
    expect(second?.atMs).toBeCloseTo(52, 3)
  })

  it("is read from CSV with the columns of Azure and from Mooncake's fields", () => {
    const csv = "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03.9,10,20\r\n2023-11-16 18:17:04.4,30,40\n"
    expect(parseTrace(csv)[1]).toMatchObject({ atMs: expect.closeTo(500, 3), promptTokens: 30, outputTokens: 40 })
    const mooncake = '{"timestamp": 0, "input_length": 5, "output_length": 6, "hash_ids": [7, 8]}'
    expect(parseTrace(mooncake)).toEqual([{ atMs: 0, promptTokens: 5, outputTokens: 6, blocks: ["7", "8"] }])
  })

  it.each([
    [
      "BurstGPT's whole seconds",
      "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n5,ChatGPT,472,18,490,Conversation log\n45,ChatGPT,1087,230,1317,API log",
      40_000,
    ],
    ["Vidur's whole seconds", "arrived_at,num_prefill_tokens,num_decode_tokens\n0,472,18\n40,1087,230", 40_000],
    ["seconds with fractions", "timestamp,prompt_tokens,completion_tokens\n0,472,18\n0.25,1087,230", 250],
    ["seconds by name", '{"t_s":1,"ctx":472,"gen":18}\n{"t_s":3,"ctx":1087,"gen":230}', 2000],
    ["milliseconds by name, also with fractions", "t_ms,ctx,gen\n0,472,18\n0.25,1087,230", 0.25],
    ["a stated unit before a column without one", "timestamp,t_ms,ctx,gen\n7,0,472,18\n8,40,1087,230", 40],
    ["seconds since 1970", "arrival_time,ctx,gen\n1700000000,472,18\n1700000002,1087,230", 2000],
    ["milliseconds since 1970", "time,ctx,gen\n1700000000000,472,18\n1700000000002,1087,230", 2],
    ["microseconds since 1970", "time,ctx,gen\n1700000000000000,472,18\n1700000000002000,1087,230", 2],
    [
      "Mooncake's milliseconds",
      '{"timestamp":0,"input_length":472,"output_length":18}\n{"timestamp":3000,"input_length":1087,"output_length":230}',
      3000,
    ],
    [
      "dates with a zone",
      "TIMESTAMP,ContextTokens,GeneratedTokens\n2024-05-10 00:00:00.009930+00:00,472,18\n2024-05-10 00:00:01.009930+00:00,1087,230",
      1000,
    ],
  ])("has its times in their unit: %s", (_, text, secondMs) => {
    const [first, second] = parseTrace(text)
    expect(first).toMatchObject({ atMs: 0, promptTokens: 472, outputTokens: 18 })
    expect(second).toMatchObject({ atMs: expect.closeTo(secondMs, 3), promptTokens: 1087, outputTokens: 230 })
  })

  it("names the line that cannot be read", () => {
    expect(() => parseTrace('{"t_ms":0}\nnonsense', "t.jsonl")).toThrow(/t\.jsonl:2/)
    expect(() => parseTrace('{"t_ms":5}\n{"t_ms":4}', "t.jsonl")).toThrow(/must ascend.*t\.jsonl:2/)
    expect(() => parseTrace('{"ctx":5}')).toThrow(/no arrival time/)
    expect(() => parseTrace("\n")).toThrow(/no request/)
  })

  it.skipIf(!hasTraces)("keeps the burstiness and the lengths of the public Azure and Mooncake traces", () => {
    const read = (name: string) =>
      parseTrace(readFileSync(join(data as string, "traces", `${name}.jsonl`), "utf8"), name)
    const code = read("azure2023_code")
    const chat = read("azure2023_conv")
    const mooncake = read("mooncake_conversation")
    expect([code.length, chat.length, mooncake.length]).toEqual([8819, 19366, 12031])
    expect(gapVariation(chat.map(({ atMs }) => atMs))).toBeCloseTo(1.09, 2)
    expect(gapVariation(code.map(({ atMs }) => atMs))).toBeCloseTo(13.2, 1)
    const median = (values: (number | null)[]) =>
      values.map(Number).sort((a, b) => a - b)[Math.floor(values.length / 2)]
    expect(median(code.map((entry) => entry.promptTokens))).toBe(1469)
    expect(median(code.map((entry) => entry.outputTokens))).toBe(13)
    expect(median(chat.map((entry) => entry.promptTokens))).toBe(1020)
    expect(mooncake[0]?.blocks).toEqual(["0"])
  })
})
