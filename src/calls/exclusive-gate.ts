import type { Provider } from "../core/provider.ts"

/** Lets the users of one provider in at a time. */
export interface ExclusiveGate {
  /** Runs `work` while no other provider is in use; many users of one provider run side by side. */
  use<Result>(provider: Provider, work: () => Promise<Result>): Promise<Result>
}

/**
 * A gate for servers that must run alone. Who comes for another provider waits until the present one is not in use, which is then
 * released; users of the present one do not wait, so that the servers do not take turns request by request.
 *
 * @param release ends the provider that was in use before another begins
 */
export function createExclusiveGate(release: (provider: Provider) => Promise<void>): ExclusiveGate {
  let current: Provider | null = null
  let users = 0
  let changing = false
  let waiting: (() => void)[] = []

  const wakeAll = (): void => {
    const woken = waiting
    waiting = []
    for (const resume of woken) resume()
  }
  async function enter(provider: Provider): Promise<void> {
    while (changing || (current !== provider && users > 0))
      await new Promise<void>((resume) => {
        waiting.push(resume)
      })
    users++
    if (current === provider) return
    const before = current
    current = provider
    if (!before) return
    changing = true
    try {
      await release(before)
    } catch (error) {
      users--
      throw error
    } finally {
      changing = false
      wakeAll()
    }
  }
  return {
    async use(provider, work) {
      await enter(provider)
      try {
        return await work()
      } finally {
        users--
        if (users === 0) wakeAll()
      }
    },
  }
}
