/** Configs whose code is at work now, as messages name them. */
const names: string[] = []

/** Notes that a config's code is at work; the function that is returned notes its end. */
export function beginLoading(shown: string): () => void {
  names.push(shown)
  return () => {
    const index = names.indexOf(shown)
    if (index >= 0) names.splice(index, 1)
  }
}

/** The config whose code is at work, so that an error which nobody awaits can be told to be its own; null when there is none. */
export function configBeingLoaded(): string | null {
  return names.at(-1) ?? null
}
