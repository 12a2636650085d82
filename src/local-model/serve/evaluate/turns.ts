/** Who evaluates on a context: one answer alone, or several through the binding, which puts what they ask for into one batch. */
export interface Turns {
  /** An answer or a score begins to evaluate; resolves once no step of an answer that was alone is under way. */
  enter(): Promise<void>
  leave(): void
  /** Whether nobody else evaluates. */
  readonly isAlone: boolean
  /** Runs one step of the answer that is alone; who enters meanwhile waits for it. */
  step<T>(work: () => Promise<T>): Promise<T>
  /** Resolves once no such step is under way. */
  settled(): Promise<void>
}

/** Turns over one context, on which nobody evaluates yet. */
export function createTurns(): Turns {
  let active = 0
  let underWay: Promise<unknown> | null = null
  const settled = async () => {
    while (underWay) await underWay.catch(() => {})
  }
  return {
    async enter() {
      active++
      await settled()
    },
    leave() {
      active--
    },
    get isAlone() {
      return active === 1
    },
    async step(work) {
      const running = work()
      underWay = running
      try {
        return await running
      } finally {
        if (underWay === running) underWay = null
      }
    },
    settled,
  }
}
