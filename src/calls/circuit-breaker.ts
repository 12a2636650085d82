import type { Clock } from "../core/clock.ts"
import { callReasons } from "../words/reasons/calls.ts"

/** Keeps a run from hammering an endpoint that is down. */
export interface CircuitBreaker {
  /** Waits while the circuit is open. False: given up, do not call again. */
  enter(signal: AbortSignal): Promise<boolean>
  succeeded(): void
  /** @param words what the attempt failed of */
  failed(words?: string): void
  /** Why nothing more is asked, with the latest failure's own words; null while the endpoint is not given up. */
  reason(): string | null
  readonly state: "closed" | "open" | "given_up"
}

/**
 * Opens after `threshold` failures in a row, tries again after a cool-down that doubles each time,
 * and gives up after `openings` cool-downs that did not help.
 */
export function createCircuitBreaker(
  clock: Clock,
  options: { readonly threshold?: number; readonly coolDownMs?: number; readonly openings?: number } = {},
): CircuitBreaker {
  const { threshold = 10, coolDownMs = 5_000, openings = 3 } = options
  let failures = 0
  let inARow = 0
  let latest = ""
  let opened = 0
  let openUntil = Number.NEGATIVE_INFINITY
  let state: CircuitBreaker["state"] = "closed"
  return {
    get state() {
      return state
    },
    async enter(signal) {
      while (state === "open" && clock.now() < openUntil) await clock.sleep(openUntil - clock.now(), signal)
      return state !== "given_up"
    },
    succeeded() {
      if (state === "given_up") return
      failures = 0
      inARow = 0
      opened = 0
      state = "closed"
    },
    failed(words = "") {
      if (state === "given_up") return
      inARow++
      latest = words || latest
      if (++failures < threshold || clock.now() < openUntil) return
      if (opened >= openings) {
        state = "given_up"
        return
      }
      state = "open"
      openUntil = clock.now() + coolDownMs * 2 ** opened++
      failures = threshold - 1
    },
    reason: () => (state === "given_up" ? callReasons.givenUp(inARow, latest) : null),
  }
}
