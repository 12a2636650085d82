import { BatchError } from "../../core/batch/batch-error.ts"
import type { Price } from "../../core/cost.ts"
import { messageOf } from "../../core/errors.ts"
import type { ProviderSession } from "../../core/provider.ts"
import { batchPriceShare } from "../../cost/batch-share.ts"
import { percent } from "../../words/percent.ts"
import type { DoctorCheck } from "./check.ts"

const name = "batches"

/** Whether a service's batch interface is there, and what a batch costs against live calls. Sends no batch. */
export async function checkBatches(
  { batches }: Pick<ProviderSession, "batches">,
  takesBatches: boolean,
  price: Price | null,
  signal: AbortSignal,
): Promise<DoctorCheck> {
  if (!takesBatches || !batches)
    return {
      name,
      status: "warning",
      message: "this provider takes none: the variant will be asked live, at the usual price",
    }
  const share = batchPriceShare(price)
  const cost =
    share === null
      ? "at a price that is not stated: their cost will be unknown"
      : `at ${percent(share)} of the usual price`
  try {
    // A batch that nobody sent: the question alone shows whether the interface is there.
    const sentAt = new Date().toISOString()
    const none = { key: "evalkit-doctor", tag: "evalkit-doctor", requests: 0, uploaded: null, sentAt }
    const batch = await batches.find(none, signal)
    if (batch.kind === "unsearchable")
      return {
        name,
        status: "warning",
        message: `${batch.reason}: a batch whose sending is cut off cannot be found again, and is not sent again unasked`,
      }
    return { name, status: share === null ? "warning" : "ok", message: `taken, ${cost}` }
  } catch (error) {
    if (!(error instanceof BatchError)) throw error
    return { name, status: "failed", message: `the service's batch interface does not answer: ${messageOf(error)}` }
  }
}
