import type { StoredLabels } from "../../core/run/run-store.ts"
import type { Connection } from "./connection.ts"
import { upsert } from "./upsert.ts"

const key = ["run_id", "variant", "sample_id", "repeat", "metric", "labeller", "policy", "role"] as const

/** What people said of a run's answers. */
export function createStoredLabels({ sql }: Connection): StoredLabels {
  return {
    saveLabel(runId, { variant, sampleId, repeat, metric, labeller, policy = "", role = "label", score, drawn, at }) {
      sql(upsert("labels", key, ["score", "drawn", "at"])).run([
        runId,
        variant,
        sampleId,
        repeat,
        metric,
        labeller,
        policy,
        role,
        score,
        drawn,
        at,
      ])
    },
    labels(runId) {
      return sql(
        "SELECT variant, sample_id, repeat, metric, labeller, policy, role, score, drawn, at FROM labels WHERE run_id = ? ORDER BY variant, sample_id, repeat, metric, labeller, policy, role",
      )
        .all([runId])
        .map(([variant, sampleId, repeat, metric, labeller, policy, role, score, drawn, at]) => ({
          variant: String(variant),
          sampleId: String(sampleId),
          repeat: Number(repeat),
          metric: String(metric),
          labeller: String(labeller),
          score: Number(score),
          drawn: drawn === "chance" ? ("chance" as const) : ("doubt" as const),
          ...(policy !== "" && { policy: String(policy) }),
          ...(role === "last_word" && { role: "last_word" as const }),
          at: String(at),
        }))
    },
  }
}
