import { lookup as lookUp } from "node:dns"
import { BlockList, isIP, type LookupFunction } from "node:net"
import { UsageError } from "../src/core/errors.ts"

/** What lies inside a machine, a network or a cloud, or is nobody's: IANA's special-purpose registries of IPv4 and IPv6. */
const ranges: readonly (readonly [address: string, prefix: number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  ["::", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
  ["5f00::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
]

const special = new BlockList()
for (const [address, prefix] of ranges) special.addSubnet(address, prefix, address.includes(":") ? "ipv6" : "ipv4")

/**
 * Whether an IP address is one of the public internet: not of this machine, of a private or link-local network (where cloud
 * machines find their credentials) or reserved. An IPv4 address inside an IPv6 one counts as what it is.
 *
 * @example isPublicAddress("169.254.169.254") // false
 */
export function isPublicAddress(address: string): boolean {
  const bare = address.split("%")[0] as string
  const version = isIP(bare)
  return version !== 0 && !special.check(bare, version === 6 ? "ipv6" : "ipv4")
}

/** @throws UsageError `private_address` when the host of a URL is written as an address that is not public */
export function refusePrivateHost(url: URL): void {
  const host = url.hostname.replace(/^\[|\]$/g, "")
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw refusal(url.hostname, host)
}

/**
 * A `lookup` for connections that fails for names which lead to an address that is not public: what is checked is what is
 * connected to, so that an answer cannot change between the two.
 */
export const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  lookUp(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, "", 0)
    const foreign = addresses.find(({ address }) => !isPublicAddress(address))
    const [first] = addresses
    if (foreign) callback(refusal(hostname, foreign.address), "", 0)
    else if (options.all) callback(null, addresses)
    else callback(null, first?.address ?? "", first?.family ?? 0)
  })
}

function refusal(hostname: string, address: string): UsageError {
  return new UsageError(`data may not come from ${address}, an address inside this machine or network`, {
    code: "private_address",
    where: hostname,
    hint: "set limits: { privateAddresses: true } if it is yours",
  })
}
