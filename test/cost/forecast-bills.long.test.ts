import { describe, expect, it } from "vitest"
import { inline } from "../../datasets/inline.ts"
import { rubric } from "../../judges/rubric-judge.ts"
import * as rubrics from "../../judges/rubrics/all.ts"
import { embeddingSimilarity } from "../../metrics/semantic/embedding-similarity.ts"
import { billTotal, forecastBill, runBill } from "../../src/analyse/summary/bill.ts"
import { billLine } from "../../src/cli/run/bill-line.ts"
import { validateConfig } from "../../src/config/validate.ts"
import type { TokenPrice } from "../../src/core/cost.ts"
import type { Embedder } from "../../src/core/metric/embedder.ts"
import type { Metered } from "../../src/core/metric/metered.ts"
import type { Usage } from "../../src/core/usage.ts"
import { findPrice } from "../../src/cost/price-book.ts"
import { createFakeClock } from "../support/fake-clock.ts"
import { fakeAnswer, fakeProvider } from "../support/fake-provider.ts"
import { runEvaluation } from "../support/run-fixtures.ts"
import { scratchStore } from "../support/scratch-store.ts"
import { readingOf, type UsageCase, usageCases } from "./usage-cases.ts"

const judgePrice: TokenPrice = {
  ...{ kind: "tokens", inputPerMillion: 1, cachedInputPerMillion: null, outputPerMillion: 4 },
  ...{ source: "test", date: "2026-11-27" },
}

function priceOf({ price }: UsageCase): TokenPrice {
  if (!("book" in price)) return { kind: "tokens", source: "the case", date: "2026-11-22", ...price } as TokenPrice
  const row = findPrice(...price.book)
  if (!row) throw new Error(`the price book has no ${price.book.join(" ")}`)
  // Rows of the price book say whose they are, too.
  const {
    provider: _provider,
    model: _model,
    contextTokens: _context,
    ...rates
  } = row as TokenPrice & Readonly<Record<string, unknown>>
  return rates as unknown as TokenPrice
}

/** All counts of an answer times a factor: longer and shorter ones. */
function scaled(usage: Usage, factor: number): Usage {
  return JSON.parse(JSON.stringify(usage), (key, value) =>
    typeof value === "number" && key !== "chargedUsd" ? Math.round(value * factor) : value,
  )
}

/** An embedder that bills 15 millionths of a dollar for each request. */
function embedderWithBills(): Embedder {
  let onUse: Parameters<Metered["onUse"]>[0] = null
  return {
    identity: "billed",
    async embed(texts) {
      onUse?.({ purpose: "embeddings billed", tokens: 30 * texts.length, costUsd: embeddingUsd, seconds: 0 })
      return texts.map(({ length }) => Float32Array.of(1, length))
    },
    onUse(listener) {
      onUse = listener
    },
    async close() {},
  }
}
const embeddingUsd = 15e-6

/** Every tenth question breaks off on the way once, and is asked again; each answer is judged. */
async function runOf(entry: UsageCase, store: ReturnType<typeof scratchStore>, samples: number, from: number) {
  const price = priceOf(entry)
  const { usage } = readingOf(entry)
  const seen = new Set<string>()
  const provider = fakeProvider(
    "service",
    ({ messages }) => {
      const number = Number(messages[0]?.content)
      const own = scaled(usage, 0.8 + ((number * 7) % 41) / 100)
      if (number % 10 === 0 && !seen.has(String(number))) {
        seen.add(String(number))
        return fakeAnswer("half", "truncated", { usage: own })
      }
      return fakeAnswer(`answer ${number}`, "ok", { usage: own })
    },
    { price },
  )
  const judge = fakeProvider(
    "judge",
    () =>
      fakeAnswer('{"reasoning": "fine", "score": 5}', "ok", {
        usage: { promptTokens: 400, cachedPromptTokens: null, completionTokens: 30, reasoningTokens: null },
      }),
    { price: judgePrice },
  )
  const evaluation = await validateConfig({
    name: "bill",
    dataset: inline(
      Array.from({ length: samples }, (_, i) => ({
        id: `s${from + i}`,
        input: String(from + i),
        reference: `r${from + i}`,
      })),
    ),
    variants: [{ name: "m", provider, price }],
    metrics: [
      rubric({ provider: judge, rubric: rubrics.helpfulness }),
      embeddingSimilarity({ embedder: embedderWithBills() }),
    ],
    concurrency: 8,
    cache: false,
  })
  const forecast = forecastBill(store, evaluation, samples)
  const { record, report } = await runEvaluation({
    evaluation,
    store,
    clock: createFakeClock(),
    facts: { id: `r${from}`, startedAt: "2026-11-27T00:00:00.000Z", versions: {}, configPath: null },
  })
  return { forecast, bill: runBill(store, record, evaluation.variants), report }
}

it("is tried on more than 60 bills whose prices are known", () => {
  expect(usageCases.filter(({ batch, unknown }) => !batch && !unknown).length).toBeGreaterThan(60)
})

describe("the forecast of a bill beside the bill, retries and judges in", () => {
  it.each(usageCases.filter(({ batch }) => !batch).map((test) => [test.name, test] as const))(
    "%s",
    { timeout: 60_000 },
    async (_, entry) => {
      const store = scratchStore()
      const first = await runOf(entry, store, 60, 0)
      expect(first.forecast).toBeNull()
      const { forecast, bill, report } = await runOf(entry, store, 100, 1000)
      const paid = billTotal(bill)
      if (entry.unknown) {
        expect(paid).toBeNull()
        expect(forecast).toBeNull()
        return
      }
      expect(report.variants[0]?.retries).toBe(10)
      expect(bill[0]?.othersUsd).toBeCloseTo(100 * (400e-6 + 30 * 4e-6 + embeddingUsd), 9)
      expect(Math.abs((paid as number) / (forecast?.usd as number) - 1)).toBeLessThan(0.05)
      expect(billLine(bill, forecast, "")).toMatch(
        /^paid \$[\d.,]+, \$[\d.,]+ of it for .*; forecast from run r0: \$[\d.,]+ \((?:[+−][0-4](?:\.\d+)?|0) %\)$/,
      )
      // By another account: what the report says of answers and judges.
      const { totalUsd, judgeUsd } = report.variants[0]?.cost ?? {}
      const ofReport = [totalUsd, judgeUsd].reduce(
        (sum, figure) => sum + (figure?.status === "known" ? figure.value : Number.NaN),
        0,
      )
      expect(paid).toBeCloseTo(ofReport, 9)
    },
  )
})
