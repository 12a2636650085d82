import { afterAll, beforeAll } from "vitest"
import { endUnusedThreads } from "../../../src/capture/threads/used-pool.ts"

/** In the tests of a file, certificates that nobody vouches for are taken: the servers are the tests' own, on loopback. */
export function trustAnyCertificate(): void {
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
  beforeAll(async () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0"
    // Threads that another file of this process has left have the environment of their start.
    await endUnusedThreads()
  })
  afterAll(async () => {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
    await endUnusedThreads()
  })
}
