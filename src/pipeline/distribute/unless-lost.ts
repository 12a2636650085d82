import { isStoreLost } from "../../core/run/run-store.ts"

/** Does what needs the store; false when it cannot be reached now. */
export function unlessLost(work: () => void): boolean {
  try {
    work()
    return true
  } catch (error) {
    if (!isStoreLost(error)) throw error
    return false
  }
}
