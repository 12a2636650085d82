import type { Provider, ProviderSession } from "../core/provider.ts"
import { findContextWindow } from "../cost/price-book.ts"
import type { ContextWindow } from "../perf/context-use.ts"
import { benchMethods } from "../words/reasons/bench.ts"

/** What a model holds at once: as its endpoint states it, else the price book; null when neither does. */
export async function contextWindowOf(
  session: ProviderSession,
  provider: Pick<Provider, "endpoint" | "kind" | "model">,
  signal: AbortSignal,
): Promise<ContextWindow | null> {
  const stated = await session.contextWindow?.(signal)
  if (stated) return { tokens: stated, source: benchMethods.statedWindow }
  return findContextWindow(provider.endpoint, provider.model) ?? findContextWindow(provider.kind, provider.model)
}
