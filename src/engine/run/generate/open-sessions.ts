import type { OpenContext, Provider, ProviderSession } from "../../../core/provider.ts"

/** Sessions by provider: opened on first use, shared by variants with the same provider value. */
export interface OpenSessions {
  get(provider: Provider): Promise<ProviderSession>
  close(provider: Provider): Promise<void>
  closeAll(): Promise<void>
}

/** Opens each provider at most once at a time and closes whatever was opened. */
export function openSessions(context: OpenContext): OpenSessions {
  const open = new Map<Provider, Promise<ProviderSession>>()
  const close = async (provider: Provider): Promise<void> => {
    const session = open.get(provider)
    open.delete(provider)
    await session?.then(
      (opened) => opened.close(),
      () => {},
    )
  }
  return {
    get(provider) {
      const known = open.get(provider)
      if (known) return known
      const session = provider.open(context)
      open.set(provider, session)
      return session
    },
    close,
    async closeAll() {
      await Promise.all([...open.keys()].map(close))
    },
  }
}
