/** Rights that the user's own umask takes away; null where evalkit did not change it. */
export let usersMask: number | null = null

/** From now on, what this process writes is for its user's eyes, but for what is made `asShared`. */
export function keepFilesPrivate(): void {
  usersMask ??= process.umask(0o077)
}
