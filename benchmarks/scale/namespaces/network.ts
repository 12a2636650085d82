import { execFileSync } from "node:child_process"

/** Machines that are network namespaces, at one switch with this one. */
export interface Network {
  /** This machine's address at the switch. */
  readonly address: string
  /** Command and arguments that run something in the namespace of a machine. */
  within(machine: number): readonly string[]
  /** Pulls out the cable of a machine, or puts it back. */
  setCable(machine: number, isIn: boolean): void
  remove(): void
}

/** Why this process cannot make namespaces; null where it can. */
export function cannotMakeNetworks(): string | null {
  if (process.platform !== "linux") return "network namespaces are Linux's"
  if (process.getuid?.() !== 0) return "network namespaces need root"
  try {
    ip("netns", "add", `${prefix}try`)
    ip("netns", "del", `${prefix}try`)
    return null
  } catch (error) {
    return `ip netns: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** By the process, so that two benchmarks do not meet. */
const prefix = `ek${process.pid % 10_000}`

/** Makes namespaces with an address each in 10.213.0.0/24; the caller removes them. */
export function makeNetwork(machines: number): Network {
  const address = "10.213.0.1"
  const bridge = `${prefix}b`
  const name = (machine: number) => `${prefix}n${machine}`
  const cable = (machine: number) => `${prefix}c${machine}`
  const remove = (): void => {
    for (let i = 0; i < machines; i++) quietly(() => ip("netns", "del", name(i)))
    quietly(() => ip("link", "del", bridge))
  }
  try {
    ip("link", "add", bridge, "type", "bridge")
    ip("address", "add", `${address}/24`, "dev", bridge)
    ip("link", "set", bridge, "up")
    for (let i = 0; i < machines; i++) {
      ip("netns", "add", name(i))
      ip("link", "add", cable(i), "type", "veth", "peer", "name", "eth0", "netns", name(i))
      ip("link", "set", cable(i), "master", bridge, "up")
      ip("-n", name(i), "address", "add", `10.213.0.${10 + i}/24`, "dev", "eth0")
      ip("-n", name(i), "link", "set", "eth0", "up")
      ip("-n", name(i), "link", "set", "lo", "up")
    }
  } catch (error) {
    remove()
    throw error
  }
  return {
    address,
    within: (machine) => ["ip", "netns", "exec", name(machine)],
    setCable: (machine, isIn) => ip("link", "set", cable(machine), isIn ? "up" : "down"),
    remove,
  }
}

function ip(...args: readonly string[]): void {
  execFileSync("ip", args, { stdio: "pipe" })
}

function quietly(work: () => void): void {
  try {
    work()
  } catch {
    // It was not there.
  }
}
