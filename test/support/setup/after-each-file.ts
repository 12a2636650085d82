import { afterAll, afterEach, beforeAll, expect } from "vitest"
import { closeLoopback } from "../loopback.ts"
import { takeFaults, watchRequests } from "../published/watch-requests.ts"
import { removeScratch } from "../scratch.ts"

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
