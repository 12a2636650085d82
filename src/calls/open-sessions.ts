import { UsageError } from "../core/errors.ts"
import type { OpenContext, Provider, ProviderSession } from "../core/provider.ts"
import { keysOf, rememberSecrets } from "../text/secrets.ts"
import { createExclusiveGate, type ExclusiveGate } from "./exclusive-gate.ts"

/** Sessions by provider: opened on first use, shared by variants with the same provider value. */
export interface OpenSessions {
  /** A session of a provider that must run alone is closed when another such provider is used, and opened again when it is. */
  get(provider: Provider): Promise<ProviderSession>
  close(provider: Provider): Promise<void>
  closeAll(): Promise<void>
}

/** Opens each provider at most once at a time and closes whatever was opened; keys of the environment are taken out of whatever answers. Of exclusive providers one runs at a time. */
export function openSessions(context: OpenContext): OpenSessions {
  rememberSecrets(keysOf(context.environment))
  const open = new Map<Provider, Promise<ProviderSession>>()
  const close = async (provider: Provider): Promise<void> => {
    const session = open.get(provider)
    open.delete(provider)
    await session?.then(
      (opened) => opened.close(),
      () => {},
    )
  }
  const gate = createExclusiveGate(close)
  const guardedOf = new WeakMap<ProviderSession, ProviderSession>()
  const opened = (provider: Provider): Promise<ProviderSession> => {
    const existing = open.get(provider)
    if (existing) return existing
    const session = openProvider(provider, context)
    open.set(provider, session)
    return session
  }
  return {
    async get(provider) {
      if (!provider.exclusive) return opened(provider)
      const session = await gate.use(provider, () => opened(provider))
      const cached = guardedOf.get(session) ?? guarded(session, provider, gate, opened)
      guardedOf.set(session, cached)
      return cached
    },
    close,
    async closeAll() {
      await Promise.all([...open.keys()].map(close))
    },
  }
}

/** @throws UsageError for a provider of the user's own whose `open` gives something else */
async function openProvider(provider: Provider, context: OpenContext): Promise<ProviderSession> {
  const session: Partial<ProviderSession> | null | undefined = await provider.open(context)
  if (typeof session?.request === "function" && typeof session.close === "function") return session as ProviderSession
  throw new UsageError("the provider's open() gave no session: an object with request() and close()", {
    where: `provider ${provider.label}`,
  })
}

/** A session whose requests pass the gate, each with the session that is open by then. */
function guarded(
  first: ProviderSession,
  provider: Provider,
  gate: ExclusiveGate,
  opened: (provider: Provider) => Promise<ProviderSession>,
): ProviderSession {
  let session = first
  const use = <Result>(work: (current: ProviderSession) => Promise<Result>): Promise<Result> =>
    gate.use(provider, async () => {
      session = await opened(provider)
      return work(session)
    })
  return {
    ...first,
    request: (...call) => use((current) => current.request(...call)),
    ...(first.scoreText && { scoreText: (...call) => use((current) => required(current.scoreText)(...call)) }),
    ...(first.scoreAnswer && { scoreAnswer: (...call) => use((current) => required(current.scoreAnswer)(...call)) }),
    ...(first.warm && { warm: (...call) => use((current) => required(current.warm)(...call)) }),
    resources: () => session.resources(),
    notes: (parameters) => session.notes(parameters),
    close: () => session.close(),
  }
}

/** What one session of a provider can, every session of it can. */
function required<Method>(method: Method | undefined): Method {
  if (method === undefined) throw new Error("a session that was opened again lacks what the first one had")
  return method
}
