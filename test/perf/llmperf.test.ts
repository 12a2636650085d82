import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { quantileOfSorted } from "../../src/perf/percentile.ts"

const data = process.env.EVALKIT_REFERENCE_DATA
const hasData = data !== undefined && existsSync(join(data, "llmperf/requests.jsonl"))
if (!hasData) console.warn("EVALKIT_REFERENCE_DATA is not set: the check on llmperf's published tables is left out")

interface RequestRow {
  readonly provider: string
  readonly size: string
  readonly error_code: number | null
  readonly ttft_s: number
  readonly end_to_end_latency_s: number
  readonly request_output_throughput_token_per_s: number
  readonly number_output_tokens: number
}

interface PublishedRow {
  readonly metric: string
  readonly size: string
  readonly provider: string
  readonly [statistic: string]: string | number
}

const statistics = ["median", "mean", "min", "max", "p25", "p75", "p95", "p99"] as const

function lines<Row>(name: string): readonly Row[] {
  const text = readFileSync(join(data as string, "llmperf", name), "utf8")
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row)
}

function summary(values: readonly number[]): Record<(typeof statistics)[number], number> {
  const sorted = Float64Array.from(values).sort()
  const at = (share: number) => quantileOfSorted(sorted, share)
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return { median: at(0.5), mean, min: at(0), max: at(1), p25: at(0.25), p75: at(0.75), p95: at(0.95), p99: at(0.99) }
}

/** Published cells that the raw requests give, to the digits that were printed, and the cells that they do not. */
function cells(metric: string, decimals: number, figureOf: (row: RequestRow) => number) {
  const requests = lines<RequestRow>("requests.jsonl")
  const published = lines<PublishedRow>("published.jsonl").filter((row) => row.metric === metric)
  const missed: string[] = []
  let total = 0
  for (const row of published) {
    const own = requests.filter(
      ({ provider, size, error_code }) => provider === row.provider && size === row.size && error_code === null,
    )
    const computed = summary(own.map(figureOf))
    for (const statistic of statistics) {
      total++
      const printed = row[statistic] as number
      if (Math.abs(computed[statistic] - printed) > 0.5 * 10 ** -decimals + 1e-9)
        missed.push(`${row.provider}_${row.size} ${statistic} ${computed[statistic].toFixed(2)} (${printed})`)
    }
  }
  return { total, missed, published }
}

describe.skipIf(!hasData)("llmperf's published leaderboard, from its raw requests", () => {
  it("agrees in 144 of 152 cells of the time to first token", () => {
    const { total, missed } = cells("ttft_s", 2, (row) => row.ttft_s)
    expect(total).toBe(152)
    expect(total - missed.length).toBe(144)
    expect(missed).toContainEqual(expect.stringMatching(/^together_13b p99 53\.26/))
  })

  it("recognises the stored throughput field as wrong: tokens over time gives the table, the field does not", () => {
    const recomputed = cells("output_tok_s", 0, (row) => row.number_output_tokens / row.end_to_end_latency_s)
    const stored = cells("output_tok_s", 0, (row) => row.request_output_throughput_token_per_s)
    expect(recomputed.total - recomputed.missed.length).toBeGreaterThanOrEqual(135)
    expect(stored.total - stored.missed.length).toBeLessThanOrEqual(20)
  })
})
