import { afterAll, afterEach, beforeAll, expect, vi } from "vitest"
import { closeLoopback } from "../loopback.ts"
import { takeFaults, watchRequests } from "../published/watch-requests.ts"
import { removeScratch } from "../scratch.ts"

// A run of a moment measures the client's own error for half a second at least, which hundreds of runs here would wait for.
vi.mock("../../../src/estimate/client-error.ts", async (original) => {
  const real = await original<typeof import("../../../src/estimate/client-error.ts")>()
  const createPaceSampler: typeof real.createPaceSampler = () => {
    const sampler = real.createPaceSampler()
    const load: typeof sampler.load = (concurrency) => {
      const result = sampler.load(concurrency)
      return result && { ...result, durationMs: Math.min(result.durationMs, 50) }
    }
    return { ...sampler, load }
  }
  return { ...real, createPaceSampler }
})

// The runner executes this file for every test file. A hook in scratch.ts itself would be one of the first file alone, where
// many files share one process and its modules.
afterAll(removeScratch)
afterAll(closeLoopback)

/** Here the service is evalkit's own, and its tests send what it must refuse. */
const isServer = expect.getState().testPath?.includes("/test/local-model/serve/")
if (!isServer) {
  beforeAll(watchRequests)
  const expectPublished = () => expect(takeFaults(), "members of requests by the services' published types").toEqual([])
  afterEach(expectPublished)
  afterAll(expectPublished)
}
