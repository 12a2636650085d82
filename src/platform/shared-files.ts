/** Rights that the user's own umask takes away; null where evalkit did not change it. */
let usersMask: number | null = null

/** From now on, what this process writes is for its user's eyes, but for what is written in {@link asShared}. */
export function keepFilesPrivate(): void {
  usersMask ??= process.umask(0o077)
}

/** Makes files or folders that are there to be shared (reports, configs, workflows) with the rights that the user's umask leaves. */
export function asShared<Value>(make: () => Value): Value {
  if (usersMask === null) return make()
  const before = process.umask(usersMask)
  try {
    return make()
  } finally {
    process.umask(before)
  }
}
