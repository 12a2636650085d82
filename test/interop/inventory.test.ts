import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { command } from "../../src/cli/commands/inventory.ts"
import { standardInput } from "../../src/cli/files/lone-dash.ts"
import { fakeIo } from "../support/fake-io.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { writeLines } from "./support.ts"

const cwd = scratchDirectory()
const day = 86_400

/** A call as LiteLLM's callback logs it. */
const call = (i: number, more: object = {}) => ({
  ...{ id: `c${i}`, call_type: "acompletion", status: "success", model: "gpt-4.1-mini", custom_llm_provider: "openai" },
  ...{ startTime: 1.78e9 + i * day, endTime: 1.78e9 + i * day + 1 + i, prompt_tokens: 1000, completion_tokens: 100 },
  response_cost: null,
  messages: [{ role: "user", content: `Question ${i}` }],
  response: { choices: [{ finish_reason: "stop", message: { role: "assistant", content: "yes" } }] },
  ...more,
})

async function inventory(logs: readonly string[], args: Record<string, unknown> = {}) {
  const io = fakeIo({ cwd })
  const code = await command.run({ logs, ...args }, io)
  return { code, out: io.stdout() }
}
const inventoryJson = async (...logs: readonly string[]) => JSON.parse((await inventory(logs, { json: true })).out)
const value = (figure: { value?: number }) => figure.value ?? Number.NaN

describe("evalkit inventory", () => {
  it("takes the cost that the log states, else that of the price book, and says what is unknown", async () => {
    const file = writeLines(cwd, "cost.jsonl", [
      ...[0, 1, 2, 3, 4].map((i) => call(i)),
      ...[0, 5].map((i) => call(i, { model: "own", custom_llm_provider: "acme", response_cost: i / 10 })),
      call(10, { model: "dark", custom_llm_provider: "acme" }),
    ])
    const { calls, models, from, to } = await inventoryJson(file)
    expect([calls, from, to]).toEqual([8, "2026-05-28T20:26:40.000Z", "2026-06-07T20:26:40.000Z"])
    const [own, mini, dark] = models
    // gpt-4.1-mini costs $0.40 and $1.60 per million tokens: https://openai.com/api/pricing.
    expect(value(mini.cost_usd)).toBeCloseTo(5 * (1000 * 0.4e-6 + 100 * 1.6e-6), 12)
    expect(mini.cost_usd.warning).toBeUndefined()
    expect(value(mini.calls_per_day)).toBeCloseTo(0.5, 12)
    expect(value(mini.cost_per_month_usd)).toBeCloseTo((0.0028 / 240) * 730.5, 12)
    expect([value(mini.latency_ms.p50), value(mini.latency_ms.p95)].map((ms) => Math.round(ms))).toEqual([3000, 4800])
    expect(mini.retires.day).toBe("2027-01-14")
    expect(own.cost_usd).toMatchObject({ value: 0.5, n: 1, warning: expect.stringMatching(/1 of 2 answers/) })
    expect(value(own.cost_share) + value(mini.cost_share)).toBeCloseTo(1, 12)
    expect(dark.cost_usd).toEqual({ status: "unknown", reason: "no price is known for this model" })
    expect(dark.cost_per_month_usd.status).toBe("unknown")
    const { out } = await inventory([file])
    expect(out).toMatch(/≥ \$0\.500/)
    expect(out).toContain("dark: no price is known for this model")
  })

  it("counts failures, and calls and figures of a log that keeps no texts", async () => {
    const texts = { messages: undefined, response: undefined }
    const file = writeLines(cwd, "bare.jsonl", [
      ...[0, 1].map((i) => call(i, texts)),
      call(2, { ...texts, status: "failure", error_str: "HTTP 500", prompt_tokens: 0, completion_tokens: 0 }),
    ])
    const { calls, models, prompts, unasked } = await inventoryJson(file)
    expect({ calls, prompts, unasked }).toEqual({ calls: 3, prompts: [], unasked: 3 })
    expect(models[0]).toMatchObject({ calls: 3, failed: 1, latency_ms: { p50: { value: 1500, n: 2 } } })
    expect((await inventory([file])).out).toContain("3 calls without a question that can be read are counted")
  })

  it("has no cost of what a gateway answered from its cache", async () => {
    const file = writeLines(cwd, "cached.jsonl", [
      call(0, { cache_hit: true }),
      call(1, { cache_hit: "True", response_cost: 0 }),
    ])
    const [use] = (await inventoryJson(file)).models
    expect(use.cost_usd).toMatchObject({ value: 0, n: 2 })
    expect([value(use.calls_per_day), use.latency_ms.p50.status]).toEqual([2, "unknown"])
  })

  it("has no pace of less than a day, and none without moments", async () => {
    const hour = writeLines(cwd, "hour.jsonl", [call(0), call(0.01)])
    expect((await inventoryJson(hour)).models[0].calls_per_day.reason).toMatch(/covers 14 m 24 s: a day is needed/)
    const undated = writeLines(cwd, "undated.jsonl", [call(0, { startTime: null, endTime: null })])
    const [{ calls_per_day, latency_ms }] = (await inventoryJson(undated)).models
    expect([calls_per_day.reason, latency_ms.p50.reason]).toEqual([
      "the log does not say when its calls were made",
      "the log times no answer",
    ])
  })

  it("names the prompts that make up 80 % of the cost, near-duplicates as one, whatever numbers stand in them", async () => {
    const system = (i: number, content: string, cost: number) =>
      call(i, {
        response_cost: cost,
        messages: [
          { role: "system", content },
          { role: "user", content: `Ticket ${i}` },
        ],
      })
    const words = "You answer letters of our customers in a friendly tone and never promise a refund"
    const opening = (i: number) =>
      call(i, {
        response_cost: 0.2,
        messages: [
          { role: "user", content: `Summarise the following ticket in two short sentences: it is ${"so ".repeat(i)}` },
        ],
      })
    const file = writeLines(cwd, "prompts.jsonl", [
      ...[0, 1, 2].map((i) => system(i, `${words}. Today is 2026-05-2${i}.`, 1)),
      system(3, `${words} now. Today is 2026-05-24.`, 1),
      ...[4, 5].map(opening),
      ...[6, 7].map((i) => system(i, "You translate German into Polish word by word, without remarks", 0.1)),
    ])
    const { prompts, all_prompts } = await inventoryJson(file)
    expect(all_prompts).toBe(3)
    expect(prompts).toMatchObject([{ part: "system", calls: 4, cost_usd: 4, text: expect.stringContaining(words) }])
    expect((await inventory([file])).out).toContain("1 of 3 prompts makes up 87 % of the cost that is known")
  })

  it("joins the logs of several gateways: Helicone's export, OpenRouter's activity, standard input", async () => {
    const moment = "2026-05-28T20:00:00Z"
    const helicone = {
      ...{
        response_id: "r",
        response_status: 200,
        request_created_at: moment,
        provider: "OPENAI",
        response_model: "gpt-4.1-mini",
      },
      ...{
        request_body: { messages: [{ role: "user", content: "What is 2 + 2?" }] },
        delay_ms: 800,
        time_to_first_token: 200,
      },
      response_body: { choices: [{ finish_reason: "stop", message: { role: "assistant", content: "four" } }] },
      ...{ prompt_tokens: 10, completion_tokens: 2, costUSD: 0.01 },
    }
    const { request_body: _, response_body: __, ...bodiless } = helicone
    const failed = {
      ...helicone,
      response_status: 429,
      response_body: { error: { message: "slow down" } },
      costUSD: null,
      prompt_tokens: null,
      completion_tokens: null,
    }
    const lines = writeLines(cwd, "helicone.jsonl", [
      helicone,
      { ...bodiless, request_created_at: "2026-05-30T20:00:00Z" },
      failed,
    ])
    const header =
      "generation_id,created_at,cost_total,tokens_prompt,tokens_completion,model_permaslug,provider_name,cancelled,finish_reason_normalized,generation_time_ms,time_to_first_token_ms"
    writeFileSync(
      join(cwd, "activity.csv"),
      `${header}\ng1,2026-05-29 20:00:00.000,0.5,10,2,anthropic/claude-sonnet-4.5,Anthropic,false,stop,1200,300\n`,
    )
    const { calls, models, unasked } = await inventoryJson(lines, "activity.csv")
    expect([calls, unasked]).toEqual([4, 2])
    expect(models).toMatchObject([
      {
        model: "anthropic/claude-sonnet-4.5",
        provider: "anthropic",
        cost_usd: { value: 0.5 },
        latency_ms: { p50: { value: 1200 } },
      },
      {
        model: "gpt-4.1-mini",
        provider: "openai",
        calls: 3,
        failed: 1,
        cost_usd: { value: 0.02, n: 2 },
        latency_ms: { p50: { value: 800, n: 2 } },
      },
    ])
    const piped = fakeIo({ cwd, input: () => [Buffer.from(JSON.stringify(call(1)))] } as never)
    expect(await command.run({ logs: [standardInput], json: true }, piped)).toBe(0)
    expect(JSON.parse(piped.stdout()).calls).toBe(1)
  })

  it("refuses what is no record of production", async () => {
    const file = writeLines(cwd, "samples.jsonl", [
      { doc_id: 0, doc: { q: "a" }, target: "b", arguments: [["a"]], resps: [["b"]], filtered_resps: ["b"], acc: 1 },
    ])
    await expect(inventory([file])).rejects.toThrow(/no record of production/)
    writeFileSync(join(cwd, "rows.csv"), "question,answer\na,b\n")
    await expect(inventory(["rows.csv"])).rejects.toThrow(/no log that evalkit knows/)
  })
})
