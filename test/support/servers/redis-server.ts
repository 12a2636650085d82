import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Redis } from "ioredis"
import type { Certificates } from "./certificates.ts"
import { freePort } from "./free-port.ts"

/** A server of Redis on loopback, with a port of its own. */
export interface RedisServer {
  readonly port: number
  readonly pid: number
  /** With the password. */
  readonly url: string
  /** What an administrator would type. */
  command(...words: string[]): Promise<unknown>
  /** Forgets everything. */
  wipe(): Promise<void>
  stop(): Promise<void>
}

/** Whether Redis is installed. */
export const hasRedis = spawnSync("sh", ["-c", "command -v redis-server"]).status === 0

if (!hasRedis) console.warn("Redis is not installed: the tests of queues in it are skipped")

const password = "a-secret-of-the-tests"

/** Starts a server that keeps nothing on disk; the caller stops it. */
export async function startRedis({
  address = "127.0.0.1",
  tls = null as Certificates | null,
} = {}): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), "evalkit-redis-"))
  const port = await freePort()
  const listen = tls ? ["--port", "0", "--tls-port", String(port), ...tlsFlags(tls)] : ["--port", String(port)]
  const flags = [...listen, "--bind", address, "--dir", folder, "--save", "", "--appendonly", "no"]
  const child: ChildProcess = spawn("redis-server", [...flags, "--requirepass", password], { stdio: "ignore" })
  const url = `${tls ? "rediss" : "redis"}://:${password}@${address}:${port}`
  const client = new Redis(url, {
    ...(tls && { tls: { ca: readFileSync(tls.authority) } }),
    retryStrategy: (times) => (times > 200 ? null : 50),
    maxRetriesPerRequest: null,
  })
  client.on("error", () => {})
  await client.ping()
  return {
    port,
    pid: child.pid as number,
    url,
    command: (name = "", ...words) => client.call(name, ...words),
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

function tlsFlags({ authority, certificate, key }: Certificates): readonly string[] {
  const files = ["--tls-ca-cert-file", authority, "--tls-cert-file", certificate, "--tls-key-file", key]
  return [...files, "--tls-auth-clients", "no"]
}
