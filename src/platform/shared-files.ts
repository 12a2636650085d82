import { usersMask } from "./private-files.ts"

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
