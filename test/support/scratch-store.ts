import { openRunStore } from "../../src/store/run-store.ts"
import { atEnd, scratchDirectory } from "./scratch.ts"

/** A new store in a folder of its own, closed when the test file ends. */
export function scratchStore(): ReturnType<typeof openRunStore> {
  const store = openRunStore(scratchDirectory())
  atEnd(() => store.close())
  return store
}
