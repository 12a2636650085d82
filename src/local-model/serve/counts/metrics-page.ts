import type { ServedTotals } from "./served-counts.ts"

/**
 * What `GET /metrics` answers: Prometheus' text in the words of llama.cpp's server (tools/server/README.md), so that what scrapes that one
 * scrapes this one. How often the model was called (`n_decode_total`) the binding does not say.
 *
 * @example metricsPage({ promptTokens: 32, promptMs: 40, writtenTokens: 64, writtenMs: 500 }, { busy: 1, waiting: 0 })
 * // "# HELP llamacpp:prompt_tokens_total …"
 */
export function metricsPage(totals: ServedTotals, now: { readonly busy: number; readonly waiting: number }): string {
  const { promptTokens, promptMs, writtenTokens, writtenMs } = totals
  const rows = [
    ["prompt_tokens_total", "counter", "Number of prompt tokens processed.", promptTokens],
    ["prompt_seconds_total", "counter", "Prompt process time", promptMs / 1000],
    ["tokens_predicted_total", "counter", "Number of generation tokens processed.", writtenTokens],
    ["tokens_predicted_seconds_total", "counter", "Predict process time", writtenMs / 1000],
    ["requests_processing", "gauge", "Number of requests processing.", now.busy],
    ["requests_deferred", "gauge", "Number of requests deferred.", now.waiting],
  ] as const
  return rows
    .map(
      ([name, type, help, value]) =>
        `# HELP llamacpp:${name} ${help}\n# TYPE llamacpp:${name} ${type}\nllamacpp:${name} ${value}\n`,
    )
    .join("")
}
