import { inline } from "../../datasets/inline.ts"
import { exactMatch } from "../../metrics/match/exact-match.ts"
import { validateConfig } from "../../src/config/validate.ts"
import type { Provider } from "../../src/core/provider.ts"
import type { RunStore } from "../../src/core/run/run-store.ts"
import type { EvaluateOptions, EvaluateResult } from "../../src/pipeline/evaluate.ts"
import { anthropic } from "../../src/providers/anthropic.ts"
import { gemini } from "../../src/providers/gemini.ts"
import { openai } from "../../src/providers/openai.ts"
import { startAnthropicBatches } from "./mocks/batches/anthropic.ts"
import type { BatchMock, DeskOptions } from "./mocks/batches/desk.ts"
import { startGeminiBatches } from "./mocks/batches/gemini.ts"
import { startOpenaiBatches } from "./mocks/batches/openai.ts"
import { runEvaluation } from "./run-fixtures.ts"

/** Key that the mocks want. */
export const batchKey = "batch-key-0123456789abcdef"

/** $2 and $8 per million tokens, half of it in a batch: 1,000 and 500 tokens cost $0.006 live and $0.003 in a batch. */
export const batchPrice = {
  kind: "tokens",
  inputPerMillion: 2,
  outputPerMillion: 8,
  cachedInputPerMillion: 0.2,
  batchDiscount: 0.5,
  source: "test",
  date: "2026-01-01",
} as const

/** The services with batches: their mocks, and a provider of a model on one. */
export const batchServices = {
  openai: {
    start: (options?: DeskOptions) => startOpenaiBatches(batchKey, options),
    provider: ({ baseUrl }: BatchMock, model: string) => openai({ model, baseUrl, transport: "undici" }),
  },
  anthropic: {
    start: (options?: DeskOptions) => startAnthropicBatches(batchKey, options),
    provider: ({ baseUrl }: BatchMock, model: string) => anthropic({ model, baseUrl }),
  },
  gemini: {
    start: (options?: DeskOptions) => startGeminiBatches(batchKey, options),
    provider: ({ baseUrl }: BatchMock, model: string) => gemini({ model, baseUrl }),
  },
} as const satisfies Record<
  string,
  { start(options?: DeskOptions): Promise<BatchMock>; provider(mock: BatchMock, model: string): Provider }
>

/** Name of a service with batches. */
export type BatchServiceName = keyof typeof batchServices

/** A run of samples `s0` … on some providers, by batch unless the config says otherwise. */
export async function runBatched(
  store: RunStore,
  providers: Readonly<Record<string, Provider>>,
  config: object = {},
  options: Partial<EvaluateOptions> = {},
): Promise<EvaluateResult> {
  const { samples = 12, ...rest } = config as { readonly samples?: number }
  const evaluation = await validateConfig({
    name: "batched",
    dataset: inline(
      Array.from({ length: samples }, (_, i) => ({ id: `s${i}`, input: `text ${i}`, reference: `text ${i}` })),
    ),
    variants: Object.entries(providers).map(([name, provider]) => ({
      name,
      provider,
      price: batchPrice,
      parameters: { temperature: 0 },
    })),
    metrics: [exactMatch()],
    retry: false,
    batch: { pollSeconds: 0.02 },
    ...rest,
  })
  const environment = Object.fromEntries(["OPENAI", "ANTHROPIC", "GEMINI"].map((name) => [`${name}_API_KEY`, batchKey]))
  return runEvaluation({
    evaluation,
    store,
    environment,
    facts: {
      id: `run${Math.floor(performance.now() * 1000)}`,
      startedAt: "2026-11-01T00:00:00.000Z",
      versions: {},
      configPath: null,
    },
    ...options,
  })
}
