import { EvalkitError } from "../../core/errors.ts"
import { portOwner, waitUntilFree } from "../../serving/port-owner.ts"
import type { ServerOptions } from "./options.ts"

const loopback = new Set(["127.0.0.1", "localhost", "[::1]", "0.0.0.0"])

/** How long a server of an earlier run may take to leave the port. */
const patienceMs = 8000

/** The port of an address on this machine; null for other machines. */
export function localPort(baseUrl: string): number | null {
  const url = new URL(baseUrl)
  if (!loopback.has(url.hostname)) return null
  return Number(url.port || (url.protocol === "https:" ? 443 : 80))
}

/**
 * Makes sure, before a server is started, that no other server would answer in its place.
 * @throws {EvalkitError} `port_taken` when somebody listens on its port
 */
export async function claimPort(options: ServerOptions, signal: AbortSignal): Promise<void> {
  if (typeof options.baseUrl !== "string") return
  const port = localPort(options.baseUrl)
  if (port === null || (await waitUntilFree(port, patienceMs, signal))) return
  const owner = await portOwner(port, process.pid)
  throw new EvalkitError(`the server ${options.label} cannot be started: port ${port} is taken`, {
    code: "port_taken",
    where:
      owner.status === "other" ? owner.who : owner.status === "own" ? "another server of this run" : `port ${port}`,
    hint: "stop what listens there, or give the server another port: else another model would answer in its place",
  })
}

/**
 * Makes sure that the server which was started is the one that answers.
 * @returns a note where that cannot be seen; null where it is certain
 * @throws {EvalkitError} `foreign_listener` when another process listens on its port
 */
export async function checkListener(
  options: ServerOptions,
  baseUrl: string,
  pid: number | null,
): Promise<string | null> {
  const port = localPort(baseUrl)
  if (port === null || pid === null || options.listensElsewhere) return null
  const owner = await portOwner(port, pid)
  if (owner.status === "own") return null
  if (owner.status === "unknown")
    return `server: it was not checked that ${options.label} itself answers: ${owner.reason}`
  throw new EvalkitError(`port ${port} is served by another process than the one started for ${options.label}`, {
    code: "foreign_listener",
    where: owner.who,
    hint: "stop it, or set listensElsewhere: true when the command hands the port to another process (a container)",
  })
}
