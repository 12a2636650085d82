import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { command as importCommand } from "../../src/cli/commands/import.ts"
import { command as compareCommand } from "../../src/cli/compare/compare.ts"
import { fakeIo } from "../support/fake-io.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { aiperf, guidellm, inferencePerf, levelOf, type Request, requestsOf, vllm } from "./load-log-writers.ts"
import { compareJson, importJson } from "./support.ts"

const folder = scratchDirectory()

function write(name: string, value: unknown): string {
  writeFileSync(join(folder, name), typeof value === "string" ? value : JSON.stringify(value))
  return name
}

const tools = {
  aiperf: (requests: readonly Request[]) => aiperf(requests),
  "vllm-bench": (requests: readonly Request[]) => vllm(requests),
  guidellm: (requests: readonly Request[]) => guidellm(requests),
  "inference-perf": (requests: readonly Request[]) => inferencePerf(requests),
}

describe("logs of load tools", () => {
  it.each(Object.entries(tools))(
    "%s: the same requests have the same figures as by every other tool",
    async (tool, make) => {
      const { recognised, samples, answers, row } = await levelOf(folder, write(`${tool}.json`, make(requestsOf(0.2))))
      expect({ recognised, samples, answers }).toEqual({ recognised: tool, samples: 61, answers: 60 })
      expect(row.ttft_ms?.p50).toBeCloseTo(204.917, 2)
      expect(row.tpot_ms?.p50).toBeCloseTo(20, 3)
      expect(row.e2e_ms?.p50).toBeCloseTo(284.917, 2)
      if (tool === "guidellm")
        expect(row).toMatchObject({
          itl_ms: null,
          unknown: { itl_ms: expect.stringContaining("no time of each chunk") },
        })
      else expect(row.itl_ms?.mean).toBeCloseTo(20, 6)
      // Two requests begin every half second.
      expect(Number(row.requests_per_second)).toBeGreaterThan(3.7)
      expect(Number(row.requests_per_second)).toBeLessThan(4.3)
      expect(Number(row.system_tps)).toBeCloseTo(5 * Number(row.requests_per_second), 6)
      expect(row.outcomes).toMatchObject({ ok: 60 })
      expect(row).toMatchObject({ client: null, as_printed_by: {} })
    },
  )

  it("inference-perf 0.5 has another name for what it knows of a response", async () => {
    const text = JSON.stringify(inferencePerf(requestsOf(0.2))).replaceAll("response_metrics", "response_info")
    const { row } = await levelOf(folder, write("before.json", text))
    expect(row.ttft_ms?.p50).toBeCloseTo(204.917, 2)
    expect(Number(row.system_tps)).toBeCloseTo(5 * Number(row.requests_per_second), 6)
  })

  it.each(Object.entries(tools))("%s: two of them become a verdict in one command", async (tool, make) => {
    const [a, b] = [write(`a-${tool}.json`, make(requestsOf(0.2))), write(`b-${tool}.json`, make(requestsOf(0.3)))]
    const { code, json } = await compareJson(folder, a, b)
    expect(code).toBe(3)
    expect(json.recognised).toEqual({ a: tool, b: tool })
    expect(json.metrics.ttft_ms).toMatchObject({ n_a: 60, n_b: 60, verdict: "slower" })
    expect(json.metrics.ttft_ms.difference).toBeCloseTo(100, 2)
    expect(json.metrics.tpot_ms).toMatchObject({ verdict: "no clear difference" })
    expect(json.metrics.requests_per_second).toMatchObject({ verdict: "no clear difference" })
    expect((await compareJson(folder, b, a)).code).toBe(0)
    const io = fakeIo({ cwd: folder })
    await compareCommand.run({ a, b }, io)
    expect(io.stdout()).toMatch(/one level each +TTFT +205 ms +305 ms +\+48\.\d % +slower/)
  })

  it("of different tools are compared, and it is said that their clients differ", async () => {
    const { json } = await compareJson(
      folder,
      write("x.jsonl", aiperf(requestsOf(0.2))),
      write("y.json", vllm(requestsOf(0.2))),
    )
    expect(json.recognised).toEqual({ a: "aiperf", b: "vllm-bench" })
    expect(json.notes.join()).toContain("measured by different clients")
  })

  it("without raw stamps keep the tool's own figures, under its own names, without a verdict", async () => {
    const summary = (ttft: number) => ({
      ...{
        schema_version: "1.0",
        aiperf_version: "0.13",
        input_config: {
          models: { items: [{ name: "org/m" }] },
          phases: [
            { kind: "warmup", concurrency: 1 },
            { kind: "profiling", concurrency: 8 },
          ],
        },
      },
      request_count: { unit: "requests", avg: 32 },
      error_request_count: { unit: "requests", avg: 8 },
      time_to_first_token: { unit: "ms", avg: ttft, p50: ttft, p99: ttft * 2 },
      request_throughput: { unit: "requests/sec", avg: 4 },
    })
    const { row, samples, answers } = await levelOf(folder, write("s1.json", JSON.stringify(summary(200), null, 2)))
    expect([samples, answers]).toEqual([40, 32])
    expect(row).toMatchObject({
      variant: "org/m",
      concurrency: 8,
      requests: null,
      stated: { "time_to_first_token.p50 (ms)": 200 },
    })
    const before = { endpoint: { model_names: ["org/m"] }, loadgen: { concurrency: 8 } }
    const former = await levelOf(folder, write("s0.json", { ...summary(200), input_config: before }))
    expect(former.row).toMatchObject({ variant: "org/m", concurrency: 8 })
    expect(row.ttft_ms?.p50).toBeNull()
    const { code, json } = await compareJson(folder, "s1.json", write("s2.json", summary(300)))
    expect(code).toBe(4)
    const level = expect.stringContaining("as aiperf states it")
    expect(json.levels).toContainEqual(expect.objectContaining({ level, a: 200, b: 300, verdict: "no interval" }))
    const { start_times: _, ...older } = vllm(requestsOf(0.2))
    const old = await levelOf(folder, write("old.json", older))
    expect(old.row).toMatchObject({ requests_per_second: null, stated: { request_throughput: 4 } })
    expect(old.row.ttft_ms?.p50).toBeCloseTo(204.917, 2)
  })

  it("of several levels pair by their load; --append-result is a level a line", async () => {
    const lines = (ttft: number) =>
      [1, 2].map((slots) => JSON.stringify(vllm(requestsOf(ttft), { max_concurrency: slots }))).join("\n")
    const { json } = await compareJson(folder, write("l1.json", lines(0.2)), write("l2.json", lines(0.1)))
    expect(json.levels.filter(({ name }: { name: string }) => name === "ttft_ms")).toMatchObject([
      { level: "1 in flight", verdict: "faster" },
      { level: "2 in flight", verdict: "faster" },
    ])
  })

  it("that are damaged or of wrong types are left out or refused with the place, and nothing is stored", async () => {
    const own = scratchDirectory()
    const put = (name: string, value: unknown) => {
      writeFileSync(join(own, name), typeof value === "string" ? value : JSON.stringify(value))
      return name
    }
    const odd = vllm(requestsOf(0.2), {
      ttfts: ["x", null, -1, 0.2],
      itls: [null, 3, [], ["y", {}]],
      errors: { a: 1 },
      output_lens: "no",
    })
    expect((await importJson(own, put("odd.json", odd))).json).toMatchObject([
      {
        recognised: "vllm-bench",
        samples: 1,
        skipped: [{ where: "odd.json#0.ttfts[0]" }, { where: "odd.json#0.ttfts[1]" }, { where: "odd.json#0.ttfts[2]" }],
      },
    ])
    const broken = `${aiperf(requestsOf(0.2)).slice(0, -30)}\n{"metadata":{"__proto__":{"polluted":1}}}`
    const { json } = await importJson(own, put("broken.jsonl", broken))
    expect(json[0]?.skipped).toMatchObject([{ where: "broken.jsonl:62" }, { where: "broken.jsonl:63" }])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    for (const [name, value] of [
      ["cut.json", JSON.stringify(guidellm(requestsOf(0.2)), null, 1).slice(0, 4000)],
    ] as const)
      await expect(importJson(own, put(name, value))).rejects.toThrow(/not JSON: cut off, or damaged/)
    mkdirSync(join(own, "f"))
    put("plain.jsonl", '{"id":"1","output":"x"}\n')
    await expect(compareJson(own, "odd.json", "plain.jsonl")).rejects.toThrow(/a load can only be compared with a load/)
    expect(await importCommand.run({ files: ["odd.json", "plain.jsonl"] }, fakeIo({ cwd: own }))).toBe(5)
  })

  it("are shown as a table", async () => {
    const io = fakeIo({ cwd: folder })
    expect(await importCommand.run({ files: [write("shown.jsonl", aiperf(requestsOf(0.2), false))] }, io)).toBe(0)
    expect(io.stdout()).toContain("a load test of AIPerf, 61 requests, 60 answered, 1 level of load")
    expect(io.stdout()).toMatch(/60 of 61 +205\/210 +20\.0 +\? +285\/290/)
  })

  it("several results of one load are compared each with its own, and refused where one side has fewer", async () => {
    const both = (...ttfts: readonly number[]) => ttfts.map((ttft) => JSON.stringify(vllm(requestsOf(ttft)))).join("\n")
    write("two-a.jsonl", both(0.2, 0.3))
    write("two-b.jsonl", both(0.4, 0.6))
    const { code, json } = await compareJson(folder, "two-a.jsonl", "two-b.jsonl")
    const ttft = json.levels.filter(({ name }: { name: string }) => name === "ttft_ms")
    expect(code).toBe(3)
    expect(ttft.map(({ level, verdict }: Record<string, string>) => [level, verdict])).toEqual([
      ["2 in flight", "slower"],
      ["2 in flight, result 2", "slower"],
    ])
    write("three-b.jsonl", both(0.4, 0.6, 0.8))
    await expect(compareJson(folder, "two-a.jsonl", "three-b.jsonl")).rejects.toThrow(
      /unequal numbers of results.*2 in flight/,
    )
  })
})
