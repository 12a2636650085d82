import type { StoredSamples } from "../../core/run-store.ts"
import { decodeSample } from "../sample-codec.ts"
import type { Connection } from "./connection.ts"

/** Samples of data sets, each data set named by its fingerprint. */
export function createStoredSamples({ sql, pages, transaction }: Connection): StoredSamples {
  return {
    saveSamples(dataset, samples, firstNumber) {
      transaction(() => {
        samples.forEach((sample, index) => {
          sql("INSERT OR IGNORE INTO samples (dataset, number, sample_id, data) VALUES (?, ?, ?, ?)").run([
            dataset,
            firstNumber + index,
            sample.id,
            JSON.stringify(sample),
          ])
        })
      })
    },
    *samples(dataset) {
      for (const row of pages("SELECT number, data FROM samples WHERE dataset = ?", [dataset]))
        yield decodeSample(String(row.data))
    },
    *sampleIds(dataset) {
      for (const row of pages("SELECT number, sample_id FROM samples WHERE dataset = ?", [dataset]))
        yield String(row.sample_id)
    },
    sample(dataset, id) {
      const row = sql("SELECT data FROM samples WHERE dataset = ? AND sample_id = ?").get([dataset, id])
      return row ? decodeSample(String(row.data)) : null
    },
  }
}
