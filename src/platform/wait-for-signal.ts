/**
 * Stands still until another thread has set a signal, a number that is 0 until then. A wake-up alone is no signal: one that another
 * thread began to send before the number was set back to 0 may come late.
 *
 * @param signal one number in shared memory
 * @param patienceMs how long it is waited for
 * @returns whether it was set
 */
export function waitForSignal(signal: Int32Array, patienceMs: number): boolean {
  const until = performance.now() + patienceMs
  while (Atomics.load(signal, 0) === 0) {
    const left = until - performance.now()
    if (left <= 0) return false
    Atomics.wait(signal, 0, 0, left)
  }
  return true
}
