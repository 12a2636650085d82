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
