import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { download } from "../../datasets/download.ts"
import { isPublicAddress, lookUpPublic } from "../../datasets/public-address.ts"

describe("isPublicAddress", () => {
  it.each([
    "127.0.0.1",
    "0.0.0.0",
    "10.1.2.3",
    "172.31.255.255",
    "192.168.0.1",
    "169.254.169.254",
    "100.100.100.200",
    "255.255.255.255",
    "::1",
    "::",
    "::ffff:127.0.0.1",
    "::ffff:a9fe:a9fe",
    "64:ff9b::a9fe:a9fe",
    "fe80::1%eth0",
    "fd00:ec2::254",
    "ff02::1",
    "no address",
  ])("is false for %s", (address) => expect(isPublicAddress(address)).toBe(false))

  it.each(["1.1.1.1", "172.32.0.1", "192.169.0.1", "2606:4700:4700::1111"])("is true for %s", (address) =>
    expect(isPublicAddress(address)).toBe(true),
  )
})

describe("a data set behind a URL", () => {
  let origin: string
  let asked = 0
  const server = createServer((request, response) => {
    asked++
    if (request.url === "/moved.jsonl") return response.writeHead(302, { location: "/data.jsonl" }).end()
    response.end('{"id":"a","input":"x"}')
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  it.each(["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]"])(
    "is not fetched from %s, by whatever name this machine goes",
    async (host) => {
      const url = new URL(`${origin.replace("127.0.0.1", host)}/data.jsonl`)
      await expect(download(url)).rejects.toMatchObject({ code: "private_address", exitCode: 2 })
      expect(asked).toBe(0)
    },
  )

  it("is fetched from there when the config says so, over redirects too", async () => {
    await expect(download(new URL(`${origin}/moved.jsonl`), { privateAddresses: true })).resolves.toContain("data")
    expect(asked).toBe(2)
  })

  it("is refused by the address that a name leads to at the moment of connecting", async () => {
    const failure = await new Promise((resolve) => lookUpPublic("localhost", {}, (error) => resolve(error)))
    expect(failure).toMatchObject({ code: "private_address" })
  })
})
