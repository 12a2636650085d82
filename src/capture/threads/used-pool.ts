import { startThreadPool, type ThreadPool } from "./thread-pool.ts"

/** Threads, and what whoever uses them calls at the end. */
export interface UsedPool {
  readonly pool: ThreadPool
  release(): Promise<void>
}

/** Threads of one session. */
export function useOwnPool(count: number | "auto"): UsedPool {
  const pool = startThreadPool(count)
  return { pool, release: () => pool.close() }
}

/** How long threads that nobody uses wait for the next session: runs follow each other, and a thread takes a tenth of a second to start. */
const lingerMs = 10_000

interface SharedPool {
  readonly pool: ThreadPool
  users: number
  closing?: NodeJS.Timeout
}

let shared: SharedPool | null = null

/**
 * Threads that the sessions of this process share. A run with a dozen variants would otherwise have a dozen threads on two processors. They end
 * some seconds after the last session, and hold no process up.
 */
export function useSharedPool(): UsedPool {
  // One that failed goes on failing those that use it; who comes now gets another.
  if (shared === null || shared.pool.hasFailed()) shared = { pool: startThreadPool("auto"), users: 0 }
  const used = shared
  clearTimeout(used.closing)
  used.users++
  return {
    pool: used.pool,
    async release() {
      if (--used.users > 0) return
      if (shared === used && !used.pool.hasFailed()) used.closing = setTimeout(() => void close(used), lingerMs).unref()
      else await close(used)
    },
  }
}

/**
 * Ends the threads of the process at once where no session uses them: who knows that no more is asked for a while needs their memory for something
 * else. A thread's heap is 30 MB and more.
 */
export async function endUnusedThreads(): Promise<void> {
  if (shared === null || shared.users > 0) return
  clearTimeout(shared.closing)
  await close(shared)
}

async function close(used: SharedPool): Promise<void> {
  if (shared === used) shared = null
  await used.pool.close()
}
