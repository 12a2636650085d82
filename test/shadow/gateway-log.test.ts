import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { callCli } from "../support/call-cli.ts"
import { scratchDirectory } from "../support/scratch.ts"

/** A call as LiteLLM's callback logs it; a silent one has ids of its own, and a mark in its metadata. */
const call = (group: string, i: number, content: string, startTime: number) => ({
  ...{ id: `${group}-${i}`, trace_id: `trace-${group}-${i}`, call_type: "acompletion", status: "success" },
  ...{ model: `openai/${group}`, model_group: group, custom_llm_provider: "openai" },
  ...{ startTime, completionStartTime: startTime + 0.2, endTime: startTime + (group === "primary-model" ? 1 : 2) },
  ...{ prompt_tokens: 10, completion_tokens: 5, response_cost: group === "primary-model" ? 0.002 : 0.001 },
  messages: [{ role: "user", content: `question ${i}?` }],
  response: { choices: [{ message: { role: "assistant", content }, finish_reason: "stop" }] },
  metadata: group === "primary-model" ? {} : { is_silent_experiment: true },
})

it("LiteLLM's log of a silent model is paired by what was asked, in whatever order its calls ended", async () => {
  const folder = scratchDirectory()
  const primary = Array.from({ length: 40 }, (_, i) => call("primary-model", i, `It is ${i}.`, 1_764_380_000 + i))
  const silent = primary
    .slice(0, 30)
    .toReversed()
    .map((_, i) =>
      call("evaluation-model", i, i < 10 ? "I'm sorry, I can't help with that." : "Yes.", 1_764_380_001 + i),
    )
  const rows = [...primary.slice(0, 20), ...silent, ...primary.slice(20)]
  writeFileSync(join(folder, "calls.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
  const sides = ["calls.jsonl:primary-model", "calls.jsonl:evaluation-model", "--metric", "refusal", "--json"]
  const { stdout, stderr } = await callCli(["compare", ...sides], { cwd: folder })
  const { metrics, performance } = JSON.parse(stdout || stderr)
  expect(metrics.refusal).toMatchObject({ pairs: 30, mean_a: 0, mean_b: 1 / 3, verdict: "inferior" })
  expect(performance.e2eMs).toMatchObject({ n: 30, value: 1000 })
  expect(performance.costUsd).toMatchObject({ n: 30, value: -0.001 })
})

it("files of a folder, a day in each, are one log: the same verdict as of one file, imported as one", async () => {
  const folder = scratchDirectory()
  const rows = Array.from({ length: 40 }, (_, i) => [
    call("primary-model", i % 30, `It is ${i}.`, 1_764_380_000 + i),
    call("evaluation-model", i % 30, i < 10 ? "I'm sorry, I can't help with that." : "Yes.", 1_764_380_001 + i),
  ])
  const lines = rows.map((pair) => pair.map((row) => `${JSON.stringify(row)}\n`).join(""))
  mkdirSync(join(folder, "days"))
  writeFileSync(join(folder, "calls.jsonl"), lines.join(""))
  // What is asked on both days was asked twice.
  writeFileSync(join(folder, "days", "a-2026-11-28.jsonl"), lines.slice(0, 17).join(""))
  writeFileSync(join(folder, "days", "a-2026-11-29.jsonl"), lines.slice(17).join(""))
  writeFileSync(join(folder, "days", "spending.jsonl"), '{"day":"2026-11-29","call":1,"usd":0.1,"tokens":5}\n')
  const compared = async (log: string) => {
    const sides = [`${log}:primary-model`, `${log}:evaluation-model`, "--metric", "refusal", "--json"]
    const { stdout, stderr } = await callCli(["compare", ...sides], { cwd: folder })
    const { metrics, performance } = JSON.parse(stdout || stderr)
    return { metrics, performance }
  }
  const whole = await compared("calls.jsonl")
  expect(whole.metrics.refusal).toMatchObject({ n: 30, mean_b: 1 / 4 })
  expect(await compared("days")).toEqual(whole)
  const imported = async (log: string) => (await callCli(["import", log], { cwd: folder })).stdout
  expect(await imported("calls.jsonl")).toContain("30 samples, 80 answers of primary-model, evaluation-model")
  expect(await imported("days")).toContain("in the store already, with the same content")
})
