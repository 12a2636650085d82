import type { BackendFactory, Queue, QueueBaseOptions, Worker } from "bullmq"
import { MissingPackageError } from "../core/errors.ts"
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
  const feature = "A queue"
  const bullmq = await import("bullmq").catch((error: unknown) => {
    throw new MissingPackageError("bullmq", feature, error)
  })
  const { Queue, Worker, createPostgresBackend } = bullmq
  if (engine === "redis") {
    await import("ioredis").catch((error: unknown) => {
      throw new MissingPackageError("ioredis", "a queue in Redis", error)
    })
    // A command waits for a server that is gone for a moment, and is not refused.
    const connection = {
      url,
      maxRetriesPerRequest: null,
      retryStrategy: (times: number) => Math.min(1_000, 50 * times),
    }
    return { Queue, Worker, connection, backend: undefined }
  }
  await import("pg").catch((error: unknown) => {
    throw new MissingPackageError("pg", "a queue in PostgreSQL", error)
  })
  const connection = { connectionString: url, schema: "evalkit_queue", migrate: true, max: 4 }
  return {
    Queue,
    Worker,
    connection: connection as QueueBaseOptions["connection"],
    backend: createPostgresBackend as unknown as BackendFactory,
  }
}
