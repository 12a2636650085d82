import { parentPort, workerData } from "node:worker_threads"
import { measureVariant } from "../../analyse/summary/measure-variant.ts"
import { sendMeasures } from "../../analyse/summary/sent-measures.ts"
import type { VariantTask } from "../../analyse/summary/variant-task.ts"
import { messageOf } from "../../core/errors.ts"
import { sharedAnswers } from "../../rows/columns/shared-answers.ts"
import { openRunStore } from "../../store/run-store.ts"
import { loadO200k } from "../../text/o200k.ts"

// One thread that reads the answers and rows of a variant for a report. See worker-pool.ts.

const { directory } = workerData as { readonly directory: string }

parentPort?.on("message", async ({ id, batch: task }: { readonly id: number; readonly batch: VariantTask }) => {
  try {
    const store = openRunStore(directory, { readonly: true })
    try {
      const answers = sharedAnswers(new Map())
      const countTokens = await loadO200k()
      // Who wants it to end ends the thread.
      const measures = await measureVariant(task, { store, answers, countTokens, turn: () => undefined })
      const { message, transfer } = sendMeasures(measures)
      parentPort?.postMessage({ id, scored: message }, transfer)
    } finally {
      store.close()
    }
  } catch (error) {
    parentPort?.postMessage({ id, failed: { message: messageOf(error), code: "fault" } })
  }
})
parentPort?.postMessage({ ready: true })
