import type { Provider } from "../core/provider.ts"

/** Where a provider sends its requests; null where that is no address, or it does not say. */
export function baseUrlOf({ identity }: Pick<Provider, "identity">): URL | null {
  if (typeof identity !== "object" || identity === null || !("baseUrl" in identity)) return null
  const text = identity.baseUrl
  return typeof text === "string" && URL.canParse(text) ? new URL(text) : null
}
