import { createRunControl } from "../calls/control.ts"
import { createModelCaller } from "../calls/model-caller.ts"
import { openSessions } from "../calls/open-sessions.ts"
import type { Clock } from "../core/clock.ts"
import type { Answer } from "../core/generation.ts"
import type { Embedder } from "../core/metric/embedder.ts"
import type { ContentCache, MetricTools } from "../core/metric/metric-tools.ts"
import type { OpenContext } from "../core/provider.ts"
import type { Evaluation } from "../core/run/evaluation.ts"
import type { BudgetTracker } from "../cost/budget.ts"
import { createServiceCaller } from "./service-caller.ts"

/** Entries that each cache in memory holds at most. */
const cacheLimit = 4_096

/** What scoring without a store needs. */
export interface OfflineToolsOptions {
  readonly evaluation: Pick<Evaluation, "concurrency" | "timeouts" | "retry" | "seed">
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly environment: OpenContext["environment"]
  readonly cacheDirectory: string
  /** What judges may spend; without limit when absent. */
  readonly budget?: BudgetTracker
  /** For metrics without one of their own; closed with the tools. */
  readonly defaultEmbedder: Embedder
}

/** Requests to models of metrics, and what they cost in US dollars; null where one has no known cost. */
export interface ModelRequests {
  readonly requests: number
  readonly costUsd: number | null
}

/** The tools of metrics that score foreign outputs, and what they have used. */
export interface OfflineTools {
  readonly tools: Omit<MetricTools, "valueOf">
  /** Whether a metric has called a model of its own (a judge, the default embedder). */
  calledModels(): boolean
  /** What models of metrics were asked so far. */
  requests(): ModelRequests
  close(): Promise<void>
}

/**
 * Tools for scoring outputs that another tool made: no variant, no store. Judges call their own providers, which are opened
 * at the first call; answers and embeddings are kept in memory, the latest 4,096 of each.
 */
export function createOfflineTools(options: OfflineToolsOptions): OfflineTools {
  const { evaluation, clock, signal, budget } = options
  const sessions = openSessions({ ...options, progress: () => {} })
  const { concurrency } = evaluation
  const control = createRunControl({ clock, signal, sessions, concurrency, ...(budget && { budget }) })
  const answers = boundedMap<Answer>()
  let called = false
  let asked: ModelRequests = { requests: 0, costUsd: 0 }
  const models = createModelCaller({
    evaluation,
    store: {
      cachedAnswer: (key) => answers.get(key) ?? null,
      forgetCachedAnswer: answers.delete,
      fingerprintKey: () => "nothing is kept",
      media: () => null,
    },
    save: (call, answer) => {
      if (answer) answers.set(call.key, answer)
      asked = addRequests(asked, call)
    },
    variant: "",
    control,
  })
  return {
    tools: {
      signal,
      seed: evaluation.seed,
      cache: memoryCache(),
      models: {
        call(...request) {
          called = true
          return models.call(...request)
        },
      },
      services: createServiceCaller({
        budget: control.budget,
        signal,
        onUse({ costUsd }) {
          called = true
          asked = addRequests(asked, { requests: 1, costUsd })
        },
      }),
      candidateModels: [],
      defaultEmbedder: watchUse(options.defaultEmbedder, () => {
        called = true
      }),
    },
    calledModels: () => called,
    requests: () => asked,
    async close() {
      await Promise.all([sessions.closeAll(), options.defaultEmbedder.close()])
    },
  }
}

/** Two sums of requests as one. */
export function addRequests(first: ModelRequests, second: ModelRequests): ModelRequests {
  const costUsd = first.costUsd === null || second.costUsd === null ? null : first.costUsd + second.costUsd
  return { requests: first.requests + second.requests, costUsd }
}

/** The same embedder; `onUse` hears of every use. */
function watchUse(embedder: Embedder, onUse: () => void): Embedder {
  const { embedTokens } = embedder
  return {
    ...embedder,
    embed(...request) {
      onUse()
      return embedder.embed(...request)
    },
    ...(embedTokens && {
      embedTokens(...request) {
        onUse()
        return embedTokens(...request)
      },
    }),
  }
}

function memoryCache(): ContentCache {
  const contents = boundedMap<Exclude<Awaited<ReturnType<ContentCache["get"]>>, undefined>>()
  return {
    get: async (key) => contents.get(key),
    set: async (key, value) => contents.set(key, value),
  }
}

/** A map that forgets its oldest entries. */
function boundedMap<Value>(): {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
} {
  const entries = new Map<string, Value>()
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      const oldest = entries.keys().next()
      if (entries.size >= cacheLimit && !oldest.done) entries.delete(oldest.value)
      entries.set(key, value)
    },
    delete: (key) => void entries.delete(key),
  }
}
