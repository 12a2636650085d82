import type { StoredLabels } from "../../core/run/run-store.ts"
import type { Connection } from "./connection.ts"

/** What people said of a run's answers. */
export function createStoredLabels({ sql }: Connection): StoredLabels {
  return {
    saveLabel(runId, { variant, sampleId, repeat, metric, labeller, score, drawn, at }) {
      sql(
        "INSERT OR REPLACE INTO labels (run_id, variant, sample_id, repeat, metric, labeller, score, drawn, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      ).run([runId, variant, sampleId, repeat, metric, labeller, score, drawn, at])
    },
    labels(runId) {
      return sql(
        "SELECT variant, sample_id, repeat, metric, labeller, score, drawn, at FROM labels WHERE run_id = ? ORDER BY variant, sample_id, repeat, metric, labeller",
      )
        .all([runId])
        .map((row) => ({
          variant: String(row.variant),
          sampleId: String(row.sample_id),
          repeat: Number(row.repeat),
          metric: String(row.metric),
          labeller: String(row.labeller),
          score: Number(row.score),
          drawn: row.drawn === "chance" ? ("chance" as const) : ("doubt" as const),
          at: String(row.at),
        }))
    },
  }
}
