import { privateFingerprint } from "../../calls/private-fingerprint.ts"
import type { Provider } from "../../core/provider.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import type { RunStage } from "../../run/run-stage.ts"

/** Kind of the run event that holds what of the metrics' judges is private, hashed. */
const kind = "judge_identities"

type Asking = Pick<Evaluation, "metrics" | "variants">

/** Who is asked beside the variants' own models, in an order that is the same for all processes: judges first, then who plays users and sums up. */
function askedBeside({ metrics, variants }: Asking): readonly Provider[] {
  return [
    ...metrics.flatMap(({ asks = [] }) => asks),
    ...variants.flatMap(({ episode }) => {
      const { user, history = "full" } = episode ?? {}
      return [
        ...(user ? [user.provider] : []),
        ...(history !== "full" && history.summary ? [history.summary.provider] : []),
      ]
    }),
  ]
}

/**
 * Writes down the keyed hashes of what is private of those who are asked beside the variants' own models: workers name their calls with
 * them, and may not read the key itself.
 */
export function saveJudgeIdentities({ evaluation, store, record, control }: RunStage): void {
  const hashes = askedBeside(evaluation).map((provider) => privateFingerprint(provider, store))
  if (hashes.every((hash) => hash === null)) return
  store.saveEvent(record.id, { at: new Date(control.clock.wall()).toISOString(), kind, data: { hashes } })
}

/** The hashes that the coordinator wrote down, by the same providers; null where nothing of one is private. */
export function judgeIdentities(
  store: Pick<RunStore, "events">,
  runId: string,
  asking: Asking,
): (provider: Provider) => string | null {
  let hashes: readonly unknown[] = []
  for (const event of store.events(runId))
    if (event.kind === kind && Array.isArray(event.data.hashes)) hashes = event.data.hashes
  const identities = new Map<Provider, string>()
  for (const [i, provider] of askedBeside(asking).entries()) {
    const hash = hashes[i]
    if (typeof hash === "string") identities.set(provider, hash)
  }
  return (provider) => identities.get(provider) ?? null
}
