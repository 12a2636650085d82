import { BlockList, isIP } from "node:net"
import type { Dispatcher, ProxyAgent } from "undici"
import { UsageError } from "../core/errors.ts"
import { isLocalName, lookupOf } from "./local-name.ts"

/** A proxy that requests go over. */
export interface HttpProxy {
  readonly isTls: boolean
  readonly host: string
  readonly port: number
  /** The value of `proxy-authorization`: a secret. Null: the proxy wants none. */
  readonly authorization: string | null
  /** `host:port`, without credentials. */
  readonly shown: string
  /** The environment variable that names it. */
  readonly variable: string
}

type Environment = Readonly<Record<string, string | undefined>>

const variables = { "http:": ["http_proxy", "HTTP_PROXY"], "https:": ["https_proxy", "HTTPS_PROXY"] } as const

/** An entry of NO_PROXY that takes loopback for an address like others, as Chromium's list of exceptions has it. */
const loopbackToo = "<-loopback>"

const loopback = new BlockList()
loopback.addSubnet("127.0.0.0", 8, "ipv4")
loopback.addAddress("::1", "ipv6")
// Where a server listens on all addresses: asked, it is this machine.
loopback.addAddress("0.0.0.0", "ipv4")
loopback.addAddress("::", "ipv6")

/**
 * The proxy that the environment names for an address: `http_proxy` and `https_proxy` by its scheme, but for what NO_PROXY lists, in either
 * case, as curl reads them (https://everything.curl.dev/usingcurl/proxies/env.html). Null: none. Loopback goes without one, unless NO_PROXY
 * has the entry `<-loopback>`.
 *
 * @throws UsageError for a proxy that is no `http:` or `https:` address
 */
export function proxyFor(address: string | URL, environment: Environment): HttpProxy | null {
  const url = new URL(address)
  const variable = variables[url.protocol as keyof typeof variables]?.find((name) => environment[name])
  if (variable === undefined) return null
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "")
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port)
  const exceptions = (environment.no_proxy || environment.NO_PROXY || "").split(/[\s,]+/).filter(Boolean)
  if (isLoopback(host) && !exceptions.includes(loopbackToo)) return null
  if (exceptions.some((entry) => isExcepted(host, port, entry.toLowerCase()))) return null
  return readProxy(environment[variable] as string, variable)
}

function isLoopback(host: string): boolean {
  return isLocalName(host) || isInside(loopback, host)
}

function isInside(list: BlockList, host: string): boolean {
  const family = isIP(host)
  return family !== 0 && list.check(host, family === 6 ? "ipv6" : "ipv4")
}

/** `*`, a name and all below it (`.name` and `*.name` as well), an address, a network (`10.0.0.0/8`), each with or without a port. */
function isExcepted(host: string, port: number, entry: string): boolean {
  if (entry === "*") return true
  const [, network, bits] = /^\[?([^\]/]+)\]?\/(\d{1,3})$/.exec(entry) ?? []
  if (network !== undefined) return isInNetwork(host, network, Number(bits))
  const [, bracketed, plain, ofPort] = /^(?:\[(.+)\]|([^:]*|.*:.*:.*?))(?::(\d+))?$/.exec(entry) ?? []
  if (ofPort !== undefined && Number(ofPort) !== port) return false
  const name = (bracketed ?? plain ?? "").replace(/^\*?\.|\.$/g, "")
  return name !== "" && (host === name || (isIP(host) === 0 && host.endsWith(`.${name}`)))
}

function isInNetwork(host: string, network: string, bits: number): boolean {
  const family = isIP(network)
  if (family === 0 || bits > (family === 6 ? 128 : 32)) return false
  const list = new BlockList()
  list.addSubnet(network, bits, family === 6 ? "ipv6" : "ipv4")
  return isInside(list, host)
}

function readProxy(value: string, variable: string): HttpProxy {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`
  const url = URL.canParse(address) ? new URL(address) : null
  const isTls = url?.protocol === "https:"
  if (url === null || url.hostname === "" || !(isTls || url.protocol === "http:"))
    throw new UsageError("the proxy is no address that starts with http:// or https://", {
      where: variable,
      hint: "requests go over HTTP proxies only; list what needs none in NO_PROXY",
    })
  const port = url.port === "" ? (isTls ? 443 : 80) : Number(url.port)
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  return {
    isTls,
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port,
    authorization: pair === ":" ? null : `Basic ${Buffer.from(pair).toString("base64")}`,
    shown: `${url.hostname}:${port}`,
    variable,
  }
}

const dispatchers = new Map<string, Dispatcher>()

/** What `fetch` and undici's `request` send over: the proxy that the environment names for the address, or what finds this machine; undefined: their own. */
export async function dispatcherFor(address: string | URL): Promise<Dispatcher | undefined> {
  const proxy = proxyFor(address, process.env)
  const { hostname } = new URL(address)
  if (proxy === null && !isLocalName(hostname)) return undefined
  const { Agent, ProxyAgent } = await import("undici")
  const key = proxy ? `${proxy.isTls} ${proxy.shown} ${proxy.authorization}` : hostname
  const dispatcher =
    dispatchers.get(key) ?? (proxy ? new ProxyAgent(agentOptions(proxy)) : new Agent({ connect: lookupOf(hostname) }))
  dispatchers.set(key, dispatcher)
  return dispatcher
}

function agentOptions({ isTls, shown, authorization }: HttpProxy): ProxyAgent.Options {
  const uri = `${isTls ? "https" : "http"}://${shown}`
  return { uri, proxyTunnel: false, ...(authorization && { token: authorization }) }
}
