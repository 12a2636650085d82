import { afterAll, beforeAll } from "vitest"

/** In the tests of a file, certificates that nobody vouches for are taken: the servers are the tests' own, on loopback. */
export function trustAnyCertificate(): void {
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
  beforeAll(() => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0"
  })
  afterAll(() => {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
  })
}
