import { UsageError } from "../../core/errors.ts"
import { canonicalJson } from "../../core/json.ts"
import type { StoredSamples } from "../../core/run/run-store.ts"
import type { Sample } from "../../core/sample.ts"
import { type Connection, parseColumn } from "./connection.ts"

/** Samples of data sets, each data set named by its fingerprint. */
export function createStoredSamples({ sql, pages, transaction, list }: Connection): StoredSamples {
  const isStored = (dataset: string, number: number, sample: Sample): boolean => {
    const row = sql("SELECT data FROM samples WHERE dataset = ? AND number = ?").get([dataset, number])
    if (!row) return false
    const data = String(row.data)
    return data === JSON.stringify(sample) || canonicalJson(parseColumn<Sample>(data)) === canonicalJson(sample)
  }
  return {
    saveSamples(dataset, samples, firstNumber) {
      transaction(() => {
        const added = sql(
          "INSERT INTO samples (dataset, number, sample_id, data) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        ).runAll(
          samples.map((sample, index) => [dataset, firstNumber + index, sample.id, JSON.stringify(sample)] as const),
        )
        for (const [index, sample] of samples.entries())
          if (added[index] === 0 && !isStored(dataset, firstNumber + index, sample)) throw otherSamples(dataset, sample)
      })
    },
    *samples(dataset, filter = () => true) {
      let position = 0
      for (const [, data] of pages("SELECT number, data FROM samples WHERE dataset = ?", [dataset]))
        if (filter(position++)) yield parseColumn<Sample>(data)
    },
    *splitSamples(dataset) {
      const names = ["group", "cluster", "critical", "copyOf"]
        .map((name) => `instr(data, '"${name}":') > 0`)
        .join(" OR ")
      for (const [, data] of pages(`SELECT number, data FROM samples WHERE dataset = ? AND (${names})`, [dataset]))
        yield parseColumn<Sample>(data)
    },
    *sampleIds(dataset) {
      for (const [, id] of pages("SELECT number, sample_id FROM samples WHERE dataset = ?", [dataset])) yield String(id)
    },
    sample(dataset, id) {
      const row = sql("SELECT data FROM samples WHERE dataset = ? AND sample_id = ?").get([dataset, id])
      return row ? parseColumn<Sample>(row.data) : null
    },
    samplesOf(dataset, ids) {
      // CROSS JOIN keeps this order: each sample is found by its id, and not by reading the whole data set.
      return sql(
        "SELECT data FROM json_each(?) AS wanted CROSS JOIN samples ON dataset = ? AND sample_id = wanted.value",
      )
        .all([list(ids), dataset])
        .map(([data]) => parseColumn<Sample>(data))
    },
  }
}

function otherSamples(dataset: string, sample: Sample): UsageError {
  return new UsageError("the store holds other samples under the fingerprint of this data set", {
    code: "samples_differ",
    where: `data set ${dataset}, sample ${JSON.stringify(sample.id)}`,
    hint: "they came with another run: remove it (evalkit rm RUN), or use another --directory",
  })
}
