import { type LookupAddress, type LookupOptions, lookup } from "node:dns"

/** What connects to a name may be given, to find its addresses. */
export interface LookupOfName {
  lookup?(
    host: string,
    options: LookupOptions,
    callback: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
  ): void
}

const loopback: readonly LookupAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
]

/** Whether a name is this machine's: `localhost`, and all below it. */
export function isLocalName(host: string): boolean {
  return /(?:^|\.)localhost$/i.test(host)
}

/**
 * How the addresses of a host are found. `localhost` has both loopback addresses (RFC 6761, section 6.3), as curl takes it, also where the
 * machine's table of hosts knows one of them: a server may listen on the other alone.
 */
export function lookupOf(host: string): LookupOfName {
  if (!isLocalName(host)) return {}
  return {
    lookup(name, options, callback) {
      lookup(name, { ...options, all: true }, (error, addresses) => {
        const listed = error ? [] : addresses
        const missing = loopback.filter(
          ({ address }) => !listed.some((lookupAddress) => lookupAddress.address === address),
        )
        const all = [...listed, ...missing]
        const [first] = all as [LookupAddress]
        if (options.all) callback(null, all)
        else callback(null, first.address, first.family)
      })
    },
  }
}
