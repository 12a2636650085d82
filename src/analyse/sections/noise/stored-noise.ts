import type { RunRecord } from "../../../core/run/run-record.ts"
import type { RunStore } from "../../../core/run/run-store.ts"
import { startedPartOf } from "../../../run/planned/started-part.ts"
import { noiseTopic } from "./section.ts"

/**
 * What the newest stored run of the same data set and baseline against itself found, in a sentence; null where there is none, and for
 * such a run itself, whose report says more.
 */
export function storedNoise(store: Pick<RunStore, "runs" | "events" | "report">, record: RunRecord): string | null {
  const own = baselineOf(record)
  if (own === null || startedPartOf(store, record.id).aa) return null
  for (const run of store.runs()) {
    if (run.dataset.fingerprint !== record.dataset.fingerprint || baselineOf(run) !== own) continue
    if (!startedPartOf(store, run.id).aa) continue
    const section = store
      .report(run.id)
      ?.sections.find((reportSection) => reportSection.kind === "table" && reportSection.topic === noiseTopic)
    const [sentence] = section?.sentences ?? []
    if (sentence !== undefined) return `In run ${run.id} ${sentence}`
  }
  return null
}

function baselineOf({ variants, baseline }: RunRecord): string | null {
  return variants.find(({ name }) => name === baseline)?.fingerprint ?? null
}
