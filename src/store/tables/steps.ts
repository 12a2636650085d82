import type { OpenStep, StoredSteps } from "../../core/run/run-store.ts"
import { decodeStep, encodeStep } from "../generation-codec.ts"
import { ofCall } from "./conditions.ts"
import type { Connection } from "./connection.ts"
import { upsert } from "./upsert.ts"

/** Steps of episodes that have no answer yet. They go when the answer is saved, which holds them all. */
export function createStoredSteps({ sql, pages, transaction }: Connection): StoredSteps {
  return {
    saveStep(runId, { variant, sampleId, repeat }, number, step) {
      const write = () =>
        sql(upsert("steps", ["run_id", "variant", "sample_id", "repeat", "number"], ["data"])).run([
          runId,
          variant,
          sampleId,
          repeat,
          number,
          encodeStep(step),
        ])
      if (step.kind !== "model" || step.retries.length === 0) return void write()
      transaction(() => {
        sql(`DELETE FROM attempts WHERE ${ofCall}`).run([runId, variant, sampleId, repeat])
        write()
      })
    },
    *steps(runId, call) {
      const key = call ? [call.variant, call.sampleId, call.repeat] : []
      const query = `SELECT variant, sample_id, repeat, number, data FROM steps WHERE ${call ? ofCall : "run_id = ?"}`
      const order = ["variant", "sample_id", "repeat", "number"]
      for (const [variant, sampleId, repeat, number, data] of pages(query, [runId, ...key], order))
        yield {
          variant: String(variant),
          sampleId: String(sampleId),
          repeat: Number(repeat),
          number: Number(number),
          step: decodeStep(String(data)),
        } satisfies OpenStep
    },
  }
}
