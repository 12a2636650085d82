import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Redis } from "ioredis"
import { freePort } from "./free-port.ts"

/** A server of Redis on loopback, with a port of its own. */
export interface RedisServer {
  readonly port: number
  readonly pid: number
  /** With the password. */
  readonly url: string
  /** Forgets everything. */
  wipe(): Promise<void>
  stop(): Promise<void>
}

/** Whether Redis is installed. */
export const hasRedis = spawnSync("sh", ["-c", "command -v redis-server"]).status === 0

if (!hasRedis) console.warn("Redis is not installed: the tests of queues in it are skipped")

const password = "a-secret-of-the-tests"

/** Starts a server that keeps nothing on disk; the caller stops it. */
export async function startRedis({ address = "127.0.0.1" } = {}): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), "evalkit-redis-"))
  const port = await freePort()
  const flags = ["--port", String(port), "--bind", address, "--dir", folder, "--save", "", "--appendonly", "no"]
  const child: ChildProcess = spawn("redis-server", [...flags, "--requirepass", password], { stdio: "ignore" })
  const url = `redis://:${password}@${address}:${port}`
  const client = new Redis(url, { retryStrategy: (times) => (times > 200 ? null : 50), maxRetriesPerRequest: null })
  client.on("error", () => {})
  await client.ping()
  return {
    port,
    pid: child.pid as number,
    url,
    wipe: async () => void (await client.flushall()),
    async stop() {
      client.disconnect()
      const ended = new Promise((resolve) => child.once("exit", resolve))
      child.kill("SIGKILL")
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
