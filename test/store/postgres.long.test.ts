import { createHash } from "node:crypto"
import { afterAll, describe, vi } from "vitest"
import type { StoreOptions } from "../../src/store/run-store.ts"
import { isNightly } from "../support/nightly.ts"
import { postgresBinaries, startPostgres } from "../support/servers/postgres-server.ts"

// The store's own tests once more, with every folder a schema of one server.
const server = postgresBinaries === null ? null : await startPostgres()
afterAll(() => server?.stop())

vi.mock("../../src/store/run-store.ts", async (original) => {
  const { postgres } = await import("../../src/store/postgres.ts")
  const { onPostgres } = await import("./backend.ts")
  onPostgres()
  return {
    ...(await original<object>()),
    openRunStore(directory: string, options: StoreOptions = {}) {
      const schema = `s${createHash("sha256").update(directory).digest("hex").slice(0, 20)}`
      return postgres(server?.url, { schema }).open(options)
    },
  }
})

describe.skipIf(server === null)("a store in PostgreSQL", async () => {
  if (server === null) return
  await import("../../src/store/run-store.ts")
  await import("./run-store.test.ts")
  await import("./rows.test.ts")
  await import("./work.test.ts")
  await import("./attempts.test.ts")
  if (!isNightly) return
  await import("./row-blocks.test.ts")
  await import("./stored-text.test.ts")
  await import("./labels.test.ts")
  await import("./steps.test.ts")
  await import("./answer-facts.test.ts")
  await import("./stored-logprobs.test.ts")
  await import("./merge.test.ts")
  await import("./archive/import-run.test.ts")
})
