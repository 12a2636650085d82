import type { BackendFactory, Queue, QueueBaseOptions, Worker } from "bullmq"
import { importOptional } from "../core/optional-package.ts"
import type { QueueLocation } from "./location.ts"

/** What BullMQ has for one engine: its classes, and how to reach the server. */
export interface QueueEngine {
  readonly Queue: typeof Queue
  readonly Worker: typeof Worker
  readonly connection: QueueBaseOptions["connection"]
  readonly backend: BackendFactory | undefined
}

/**
 * Loads the packages of an engine: what is not used need not be installed.
 *
 * @throws {MissingPackageError} for `bullmq`, and for `ioredis` or `pg`
 */
export async function loadEngine({ engine, url }: QueueLocation): Promise<QueueEngine> {
  const bullmq = await importOptional<typeof import("bullmq")>("bullmq", "A queue")
  const { Queue, Worker, createPostgresBackend } = bullmq
  if (engine === "redis") {
    await importOptional("ioredis", "a queue in Redis")
    // A command waits for a server that is gone for a moment, and is not refused.
    const connection = {
      url,
      maxRetriesPerRequest: null,
      retryStrategy: (times: number) => Math.min(1_000, 50 * times),
    }
    return { Queue, Worker, connection, backend: undefined }
  }
  await importOptional("pg", "a queue in PostgreSQL")
  const connection = { connectionString: url, schema: "evalkit_queue", migrate: true, max: 4 }
  return {
    Queue,
    Worker,
    connection: connection as QueueBaseOptions["connection"],
    backend: createPostgresBackend as unknown as BackendFactory,
  }
}
