import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"
import { command as importCommand } from "../../src/cli/commands/import.ts"
import { fakeIo } from "../support/fake-io.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { aiperf, guidellm, requestsOf, vllm } from "./load-log-writers.ts"
import { compareJson, importJson } from "./support.ts"

const folder = scratchDirectory()

function write(name: string, value: unknown): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), typeof value === "string" ? value : JSON.stringify(value))
}

const ttftVerdicts = (json: { levels: readonly Record<string, string>[] }) =>
  json.levels.filter(({ name }) => name === "ttft_ms").map(({ level, verdict }) => [level, verdict])

it("a folder of results is all of them: each load with its own, and a load measured twice twice", async () => {
  for (const [side, ttft] of [["a", 0.2] as const, ["b", 0.4] as const])
    for (const [i, slots] of [1, 2, 2].entries())
      write(`${side}/c${slots}/run-${i}.json`, vllm(requestsOf(ttft), { max_concurrency: slots }))
  write("a/config.json", { model: "org/m" })
  const { code, json } = await compareJson(folder, "a", "b")
  expect(code).toBe(3)
  expect(json.recognised).toEqual({ a: "vllm-bench", b: "vllm-bench" })
  expect(ttftVerdicts(json)).toEqual([
    ["1 in flight", "slower"],
    ["2 in flight", "slower"],
    ["2 in flight, result 2", "slower"],
  ])
  const imported = (await importJson(folder, "a")).json as unknown as Record<string, unknown>[]
  expect(imported).toMatchObject([{ recognised: "vllm-bench", samples: 183, answers: 180 }])
  write("b/c2/run-3.json", vllm(requestsOf(0.2)))
  await expect(compareJson(folder, "a", "b")).rejects.toThrow(/unequal numbers of results.*2 in flight/)
})

it("a summary beside the requests of its load is not a second result", async () => {
  const summary = {
    input_config: { models: { items: [{ name: "org/m" }] }, phases: [{ kind: "profiling", concurrency: 2 }] },
    time_to_first_token: { unit: "ms", avg: 205, p50: 205 },
  }
  write("artifacts/profile_export.jsonl", aiperf(requestsOf(0.2)))
  write("artifacts/profile_export_aiperf.json", summary)
  const io = fakeIo({ cwd: folder })
  expect(await importCommand.run({ files: ["artifacts"] }, io)).toBe(0)
  expect(io.stdout()).toContain("a load test of AIPerf, 61 requests, 60 answered, 1 level of load")
})

it("results of several tools or models are not mixed, and one that is damaged is not passed over", async () => {
  write("tools/a.json", vllm(requestsOf(0.2)))
  write("tools/b.json", guidellm(requestsOf(0.2)))
  await expect(importJson(folder, "tools")).rejects.toThrow(/results of 2 load tools.*tools\/a\.json, tools\/b\.json/)
  write("models/a.json", vllm(requestsOf(0.2)))
  write("models/b.json", vllm(requestsOf(0.2), { model_id: "org/n" }))
  await expect(importJson(folder, "models")).rejects.toThrow(/results of 2 models.*models\/a\.json, models\/b\.json/)
  write("cut/a.json", vllm(requestsOf(0.2)))
  write("cut/b.json", JSON.stringify(vllm(requestsOf(0.2))).slice(0, -40))
  await expect(importJson(folder, "cut")).rejects.toThrow(/not JSON: .*cut\/b\.json/)
})
