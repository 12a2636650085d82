/** Waits for a wall time, in parts that no timer is too short for; returns at once when it is ended. */
export async function until(atMs: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const left = atMs - Date.now()
    if (left <= 0) return
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener("abort", end)
        resolve()
      }
      const timer = setTimeout(end, Math.min(left, maxTimerMs))
      signal.addEventListener("abort", end, { once: true })
    })
  }
}

const maxTimerMs = 3_600_000
