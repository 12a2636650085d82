import { baseUrlOf } from "../../bench/base-url.ts"
import { messageOf } from "../../core/errors.ts"
import type { Provider } from "../../core/provider.ts"
import { requestInTime } from "../../platform/request-in-time.ts"
import type { DoctorCheck } from "./check.ts"

const largestSkewSeconds = 5

/**
 * This machine's clock against the Date header of an endpoint (resolution one second). Wall time only labels runs, but
 * expired-looking signatures and certificates fail with a wrong clock.
 */
export async function checkClock(providers: readonly Provider[], signal: AbortSignal): Promise<DoctorCheck> {
  const name = "clock"
  const url = providers.map(baseUrlOf).find((address) => address !== null)
  if (!url) return { name, status: "skipped", message: "no endpoint of the config could be asked for its time" }
  try {
    const before = Date.now()
    const request = { method: "HEAD", redirect: "manual", signal, timeoutMs: 5000 } as const
    const date = await requestInTime(url.origin, request, ({ headers }) => headers.get("date"))
    const now = (before + Date.now()) / 2
    const theirs = Date.parse(date ?? "")
    if (Number.isNaN(theirs)) return { name, status: "skipped", message: `${url.host} sends no Date header` }
    const skew = (now - (theirs + 500)) / 1000
    const fits = Math.abs(skew) <= largestSkewSeconds
    const direction = skew > 0 ? "ahead of" : "behind"
    return {
      name,
      status: fits ? "ok" : "warning",
      message: fits
        ? `agrees with ${url.host}`
        : `${Math.abs(skew).toFixed(0)} s ${direction} ${url.host}; set the clock`,
    }
  } catch (error) {
    return { name, status: "skipped", message: `${url.host} did not answer: ${messageOf(error)}` }
  }
}
