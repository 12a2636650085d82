import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process"
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import type { Certificates } from "./certificates.ts"
import { freePort } from "./free-port.ts"

/** A server of PostgreSQL on loopback, with a folder and a port of its own. */
export interface PostgresServer {
  readonly port: number
  /** Of the process whose children are the connections. */
  pid(): number
  /** Of the superuser, with the password. */
  readonly url: string
  /** What psql would do: statements without results that anybody looks at. */
  run(sql: string): Promise<void>
  /** Makes a database, anew where there is one of that name: a test may be tried again. */
  create(name: string): Promise<void>
  /** Ends its process at once, as a crash would, and starts it again. */
  restart(): Promise<void>
  /** Ends its process and leaves it so. */
  halt(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

const password = "a secret of the tests"

/** Folder of Debian's binaries (they are in no PATH), or of those in the PATH; null where there are none. */
export const postgresBinaries = findBinaries()

if (postgresBinaries === null)
  console.warn("PostgreSQL is not installed: the tests of stores and queues in it are skipped")

function findBinaries(): string | null {
  const debian = "/usr/lib/postgresql"
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  for (const version of versions)
    if (existsSync(join(debian, version, "bin", "initdb"))) return join(debian, version, "bin")
  const result = spawnSync("sh", ["-c", "command -v initdb"], { encoding: "utf8" })
  return result.status === 0 ? join(result.stdout.trim(), "..") : null
}

/** The server refuses to run as root: there it runs as the user that its package made. */
function owner(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }))
  return { uid: id("-u"), gid: id("-g") }
}

/**
 * Starts a server; the caller stops it.
 *
 * @param isDurable whether a commit waits for the disk, as it does where the rows matter (default: no, which is faster)
 * @param addresses on which it listens, for connections with the password
 * @param tls what it shows to those who connect (default: nothing)
 */
export async function startPostgres({
  isDurable = false,
  addresses = "127.0.0.1",
  tls = null as Certificates | null,
} = {}): Promise<PostgresServer> {
  const binaries = postgresBinaries as string
  const folder = mkdtempSync(join(tmpdir(), "evalkit-postgres-"))
  const as = owner()
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid as number)
  const data = join(folder, "data")
  const secret = join(folder, "password")
  writeFileSync(secret, password)
  if (as.uid !== undefined) chownSync(secret, as.uid, as.gid as number)
  const flags = [
    "-D",
    data,
    "-U",
    "owner",
    "-A",
    "scram-sha-256",
    `--pwfile=${secret}`,
    "-E",
    "UTF8",
    "--locale=C.UTF-8",
  ]
  execFileSync(join(binaries, "initdb"), [...flags, "--no-sync"], { ...as, cwd: folder, stdio: "pipe" })
  // Beyond loopback: who is in a network that the server is in.
  if (addresses !== "127.0.0.1") appendFileSync(join(data, "pg_hba.conf"), "host all all samenet scram-sha-256\n")
  const secured = tls ? tlsSettings(folder, tls, as) : []
  const port = await freePort()
  const url = `postgres://owner:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`
  let child: ChildProcess | null = null
  const run = async (sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url })
    client.on("error", () => {})
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }
  const start = async (): Promise<void> => {
    const settings = [`listen_addresses=${addresses}`, "unix_socket_directories=", "max_connections=200"]
    if (!isDurable) settings.push("fsync=off")
    settings.push(...secured)
    const parameters = ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])]
    child = spawn(join(binaries, "postgres"), parameters, { ...as, cwd: folder, stdio: "ignore" })
    for (let tries = 0; ; tries++) {
      const fault = await run("SELECT 1").catch((error: unknown) => error)
      if (!fault) return
      if (tries > 300) throw fault
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  const halt = async (signal: NodeJS.Signals = "SIGQUIT"): Promise<void> => {
    const server = child
    child = null
    if (!server || server.exitCode !== null) return
    const ended = new Promise((resolve) => server.once("exit", resolve))
    server.kill(signal)
    await ended
  }
  await start()
  return {
    port,
    pid: () => child?.pid ?? 0,
    url,
    run,
    async create(name) {
      await run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      await run(`CREATE DATABASE ${name}`)
    },
    start,
    halt: () => halt(),
    async restart() {
      await halt()
      await start()
    },
    async stop() {
      await halt("SIGINT")
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The server reads its key only from a file that is its own. */
function tlsSettings(folder: string, { certificate, key }: Certificates, as: ReturnType<typeof owner>): string[] {
  const [own, ownKey] = [join(folder, "server.pem"), join(folder, "server.key")]
  copyFileSync(certificate, own)
  copyFileSync(key, ownKey)
  chmodSync(ownKey, 0o600)
  if (as.uid !== undefined) for (const path of [own, ownKey]) chownSync(path, as.uid, as.gid as number)
  return ["ssl=on", `ssl_cert_file=${own}`, `ssl_key_file=${ownKey}`]
}
