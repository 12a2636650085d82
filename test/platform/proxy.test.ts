import { describe, expect, it } from "vitest"
import { proxyFor } from "../../src/platform/proxy.ts"

const named = (address: string, environment: Record<string, string>) => proxyFor(address, environment)?.shown ?? null

describe("the proxy of an address", () => {
  it("is named by its scheme, in lower case first, with or without a scheme of its own", () => {
    const both = { HTTP_PROXY: "http://a:1", HTTPS_PROXY: "https://b" }
    expect(named("http://x.example/v1", both)).toBe("a:1")
    expect(named("https://x.example/v1", both)).toBe("b:443")
    expect(named("https://x.example/v1", { ...both, https_proxy: "c:3128" })).toBe("c:3128")
    expect(named("https://x.example/v1", { ...both, https_proxy: "" })).toBe("b:443")
    expect(named("https://x.example", { HTTP_PROXY: "http://a:1" })).toBeNull()
    expect(named("http://x.example", { HTTP_PROXY: "http://[fd00::1]" })).toBe("[fd00::1]:80")
  })

  it("has its credentials beside it, decoded, and not in what is shown", () => {
    const proxy = proxyFor("https://x.example", { HTTPS_PROXY: "http://me:p%40ss@a:1" })
    expect(proxy?.authorization).toBe(`Basic ${Buffer.from("me:p@ss").toString("base64")}`)
    expect(proxy).toMatchObject({ shown: "a:1", host: "a", port: 1, isTls: false, variable: "HTTPS_PROXY" })
  })

  it.each(["socks5://a:1080", "http://", "http://a:x"])("is refused where it is none: %s", (HTTPS_PROXY) => {
    expect(() => proxyFor("https://x.example", { HTTPS_PROXY })).toThrow("is no address that starts with http://")
  })

  it.each([
    ["https://api.x.example", "*", true],
    ["https://api.x.example", "x.example", true],
    ["https://api.x.example", ".x.example", true],
    ["https://api.x.example", "*.x.example", true],
    ["https://x.example", ".X.Example.", true],
    ["https://x.example.", "x.example", true],
    ["https://myx.example", "x.example", false],
    ["https://x.example", "api.x.example", false],
    ["https://x.example", "a.example, x.example:443", true],
    ["https://x.example", "a.example x.example:8443", false],
    ["https://x.example:8443", "x.example:8443", true],
    ["https://10.1.2.3", "10.0.0.0/8", true],
    ["https://11.1.2.3", "10.0.0.0/8,10.0.0.0/99", false],
    ["https://10.1.2.3", "2.3", false],
    ["https://10.1.2.3:8000", "10.1.2.3", true],
    ["https://[fd00::7]:8000", "[fd00::7]:8000", true],
    ["https://[fd00::7]", "fd00::7", true],
    ["https://[fd00::7]", "fd00::/8", true],
    ["https://x.example", "", false],
  ])("is none for %s where NO_PROXY is %j: %s", (address, NO_PROXY, isExcepted) => {
    expect(named(address, { HTTPS_PROXY: "a:1", NO_PROXY })).toBe(isExcepted ? null : "a:1")
  })

  it("is none for loopback unless that is asked for", () => {
    for (const host of ["localhost", "a.localhost", "127.0.0.1", "127.9.9.9", "[::1]", "0.0.0.0", "[::]"]) {
      expect(named(`http://${host}:8000/v1`, { HTTP_PROXY: "a:1" })).toBeNull()
      expect(named(`http://${host}:8000/v1`, { HTTP_PROXY: "a:1", NO_PROXY: "x.example,<-loopback>" })).toBe("a:1")
    }
  })
})
