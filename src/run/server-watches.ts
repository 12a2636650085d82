import type { GenerateObserver } from "../calls/observer.ts"
import type { Generation } from "../core/generation.ts"
import { isAnswered, isFailure } from "../core/outcome.ts"
import type { ProviderSession } from "../core/provider.ts"
import type { ClientTotals, ServerTotals } from "../core/run/server-totals.ts"
import { requestFigures } from "../perf/request-figures.ts"
import { addClient, addTotals } from "../perf/server/server-totals.ts"
import type { RunStage } from "./run-stage.ts"
import { type MetricsWatch, watchMetrics } from "./watch-metrics.ts"

/** Watches the `/metrics` of the servers of a run while each variant is served. */
export interface ServerWatches {
  /** A phase of the variant begins; its answers go to the observer that comes back. */
  begin(variant: string, session: ProviderSession, observer: GenerateObserver): Promise<PhaseWatch>
  /** Everything that is known of the variant's server, earlier parts of the run included; null where it shows no metrics that are known. */
  totals(variant: string): ServerTotals | null
}

/** The watch over one phase. */
export interface PhaseWatch {
  /** Its metrics are read: no other variant may be served before `end`, or their counts would mix. */
  readonly isRead: boolean
  readonly observer: GenerateObserver
  end(): Promise<void>
}

interface Watched {
  readonly before: ServerTotals | null
  readonly watch: MetricsWatch
  client: ClientTotals
}

const noTotals: ClientTotals = { requests: 0, failed: 0, answers: 0, ttftMs: 0, e2eMs: 0 }

/** No watch has begun. What the store has of an earlier process is where the sums go on. */
export function createServerWatches({ store, record, control }: RunStage): ServerWatches {
  const watched = new Map<string, Watched>()
  const { clock, signal } = control
  return {
    async begin(variant, session, observer) {
      const entry = watched.get(variant) ?? {
        before: store.variantState(record.id, variant)?.server ?? null,
        watch: watchMetrics({ session }, { clock, signal, isUnasked: true }),
        client: noTotals,
      }
      watched.set(variant, entry)
      if (!(await entry.watch.begin())) return { isRead: false, observer, end: async () => {} }
      let phase = noTotals
      return {
        isRead: true,
        observer: telling(observer, (generation) => {
          phase = withAnswer(phase, generation)
        }),
        async end() {
          // What the server counted of a phase whose end could not be read is not known: nor does the client count it.
          if (await entry.watch.end()) entry.client = addClient(entry.client, phase)
        },
      }
    },
    totals(variant) {
      const entry = watched.get(variant)
      if (!entry) return store.variantState(record.id, variant)?.server ?? null
      const now = entry.watch.totals()
      return addTotals(entry.before, now && { ...now, client: entry.client })
    },
  }
}

function telling(observer: GenerateObserver, onSaved: (generation: Generation) => void): GenerateObserver {
  return {
    callStarted: (variant) => observer.callStarted(variant),
    callSaved(generation) {
      onSaved(generation)
      observer.callSaved(generation)
    },
    callDropped: (variant) => observer.callDropped(variant),
    retried: (variant, attempt, delayMs) => observer.retried(variant, attempt, delayMs),
    variantFailed: (variant, message) => observer.variantFailed(variant, message),
  }
}

function withAnswer(client: ClientTotals, generation: Generation): ClientTotals {
  const { source, retries, refused, episode, outcome, log, usage } = generation
  if (source !== "measured") return client
  const steps = episode?.steps.filter(({ kind }) => kind === "model").length ?? 1
  const lost = retries.length + (refused?.length ?? 0)
  const failed = (client.failed ?? 0) + lost + (isFailure(outcome) ? 1 : 0)
  const sent = { ...client, requests: client.requests + steps + lost, failed }
  const { ttftAnyMs: ttftMs, e2eMs } = requestFigures(log, usage.completionTokens)
  if (episode || !isAnswered(outcome) || ttftMs === null || e2eMs === null) return sent
  return { ...sent, answers: sent.answers + 1, ttftMs: sent.ttftMs + ttftMs, e2eMs: sent.e2eMs + e2eMs }
}
