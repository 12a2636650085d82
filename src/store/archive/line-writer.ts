import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import type { Sample } from "../../core/sample.ts"
import { createRowBatch } from "../row-batch.ts"
import { settled } from "./content-hash.ts"
import type { ContentLine } from "./line.ts"

/** Writes the lines of an archive into a store, samples and rows in batches. */
export interface LineWriter {
  write(line: ContentLine, where: string): void
  finish(): void
}

/** Samples that are written at a time. */
const batchSize = 500

/** A {@link LineWriter} for the run of a record. */
export function createLineWriter(store: RunStore, record: RunRecord): LineWriter {
  let batch: Sample[] = []
  let saved = 0
  const flush = (): void => {
    store.saveSamples(record.dataset.fingerprint, batch, saved)
    saved += batch.length
    batch = []
  }
  const { id } = record
  const rows = createRowBatch(store, id)
  return {
    write(line) {
      if (line.kind === "row") return rows.add(line.row)
      // What follows may change what was written before it.
      rows.flush()
      if (line.kind === "run") store.createRun(settled(line.record))
      else if (line.kind === "sample") {
        batch.push(line.sample)
        if (batch.length === batchSize) flush()
      } else if (line.kind === "media")
        store.saveMedia(record.dataset.fingerprint, line.sha256, Buffer.from(line.base64, "base64"))
      else if (line.kind === "generation") store.saveGeneration(id, line.generation)
      else if (line.kind === "attempt") {
        const { attempt, ...call } = line.attempt
        store.saveAttempt(id, call, attempt)
      } else if (line.kind === "step") {
        const { number, step, ...call } = line.step
        store.saveStep(id, call, number, step)
      } else if (line.kind === "variant") store.saveVariantState(id, line.name, line.state)
      else if (line.kind === "event") store.saveEvent(id, line.event)
      else if (line.kind === "label") store.saveLabel(id, line.label)
      else if (line.kind === "call") store.saveModelCall(id, line.call, null)
      else store.saveReport(id, line.report)
    },
    finish() {
      flush()
      rows.flush()
    },
  }
}
