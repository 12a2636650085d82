import { execFile } from "node:child_process"
import { readdir, readFile, readlink } from "node:fs/promises"
import { connect } from "node:net"
import { promisify } from "node:util"
import { membersOf } from "./process-tree.ts"

/** Who listens on a port, seen from a process that was started. */
export type PortOwner =
  | { readonly status: "own" }
  | { readonly status: "other"; readonly who: string }
  | { readonly status: "unknown"; readonly reason: string }

const probeTimeoutMs = 2000

/** Whether somebody accepts connections there. */
export function acceptsConnections(port: number, host = "127.0.0.1"): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: probeTimeoutMs })
    const end = (result: boolean) => (): void => {
      socket.destroy()
      resolve(result)
    }
    socket.once("connect", end(true)).once("error", end(false)).once("timeout", end(false))
  })
}

/** Waits until nothing listens on a port, for a server of an earlier run that is still ending. False when something still does. */
export async function waitUntilFree(port: number, patienceMs: number, signal: AbortSignal): Promise<boolean> {
  const until = performance.now() + patienceMs
  while (await acceptsConnections(port)) {
    if (performance.now() >= until || signal.aborted) return false
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return true
}

/**
 * Whether the listener on a port belongs to the process `root`: to it, to a descendant or to a member of its group. Read from
 * `/proc` on Linux and with `lsof` on macOS and the BSDs; not known on Windows.
 */
export async function portOwner(port: number, root: number): Promise<PortOwner> {
  try {
    if (process.platform === "linux") return await ownerFromProc(port, root)
    if (process.platform === "win32") return { status: "unknown", reason: "the owner of a port is not read on Windows" }
    const { stdout } = await promisify(execFile)("lsof", ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fp"])
    const pids = [...stdout.matchAll(/^p(\d+)$/gm)].map((match) => Number(match[1]))
    const members = await membersOf(root)
    if (pids.some((pid) => members.has(pid))) return { status: "own" }
    const [other] = pids
    return other === undefined ? unseen : { status: "other", who: `process ${other}` }
  } catch (error) {
    return { status: "unknown", reason: `the owner of port ${port} cannot be read (${String(error).slice(0, 100)})` }
  }
}

const unseen: PortOwner = {
  status: "unknown",
  reason: "the listener is not visible from here (another user or container)",
}

async function ownerFromProc(port: number, root: number): Promise<PortOwner> {
  const sockets = await listeningSockets(port)
  if (sockets.size === 0) return unseen
  const members = await membersOf(root)
  for (const pid of members) if (await holds(pid, sockets)) return { status: "own" }
  const others = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number)
  for (const pid of others) if (await holds(pid, sockets)) return { status: "other", who: await nameOf(pid) }
  return unseen
}

/** Inodes of the sockets in state LISTEN on a port, whatever their address. */
async function listeningSockets(port: number): Promise<ReadonlySet<string>> {
  const tables = await Promise.all(
    ["/proc/net/tcp", "/proc/net/tcp6"].map((path) => readFile(path, "utf8").catch(() => "")),
  )
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`
  const inodes = new Set<string>()
  for (const line of tables.join("\n").split("\n")) {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/)
    if (state === "0A" && inode && local?.endsWith(suffix)) inodes.add(inode)
  }
  return inodes
}

async function holds(pid: number, sockets: ReadonlySet<string>): Promise<boolean> {
  const folder = `/proc/${pid}/fd`
  const names = await readdir(folder).catch(() => [])
  const links = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => "")))
  return links.some((link) => sockets.has(/^socket:\[(\d+)\]$/.exec(link)?.[1] ?? ""))
}

async function nameOf(pid: number): Promise<string> {
  const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "")
  return `process ${pid}${name ? ` (${name.trim()})` : ""}`
}
