/** An id or a name as it comes back from an address, where lone surrogates cannot be. */
export function inAddress(name: string): string {
  return name.replace(/\p{Surrogate}/gu, "\ufffd")
}

/** Themes of the page: the reader's own, or one of two. */
export const themes = ["auto", "light", "dark"] as const
