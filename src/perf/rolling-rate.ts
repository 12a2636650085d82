/** Amounts that fall into one step of time are kept as one. */
const stepMs = 50
/** Below this span a rate says nothing. */
const minSpanMs = 200

interface Step {
  readonly fromMs: number
  answers: number
  tokens: number
}

/** How many answers and tokens came per second over the latest milliseconds. */
export interface RollingRate {
  add(atMs: number, answers: number, tokens: number): void
  /** Answers and tokens per second; null while the span from the first of them to now is under 200 ms. */
  at(nowMs: number): { readonly answers: number | null; readonly tokens: number | null }
  /** Forgets what came: something else is counted from now on. */
  clear(): void
}

/**
 * A rate over a window that moves with the clock. Holds one entry for each 50 ms of the window, however many answers come.
 *
 * @param windowMs length of the window in milliseconds
 * @example const rate = createRollingRate(5_000); rate.add(0, 1, 20); rate.at(1_000) // { answers: 1, tokens: 20 }
 */
export function createRollingRate(windowMs: number): RollingRate {
  let steps: Step[] = []
  return {
    add(atMs, answers, tokens) {
      const last = steps.at(-1)
      if (last && atMs < last.fromMs + stepMs) {
        last.answers += answers
        last.tokens += tokens
        return
      }
      steps.push({ fromMs: atMs, answers, tokens })
      if (steps.length > (2 * windowMs) / stepMs) steps = withinWindow(steps, atMs - windowMs)
    },
    at(nowMs) {
      steps = withinWindow(steps, nowMs - windowMs)
      const spanMs = nowMs - (steps[0]?.fromMs ?? nowMs)
      if (spanMs <= minSpanMs) return { answers: null, tokens: null }
      const perSecond = (amount: (step: Step) => number) =>
        (steps.reduce((sum, step) => sum + amount(step), 0) * 1000) / spanMs
      return { answers: perSecond((step) => step.answers), tokens: perSecond((step) => step.tokens) }
    },
    clear() {
      steps = []
    },
  }
}

function withinWindow(steps: Step[], fromMs: number): Step[] {
  return steps.filter((step) => step.fromMs > fromMs)
}
