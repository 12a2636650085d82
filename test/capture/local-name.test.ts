import { createServer } from "node:http"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openConnections } from "../../src/capture/connections.ts"
import { openCaptureThreads } from "../../src/capture/threads/capture-threads.ts"
import { openWireConnections } from "../../src/capture/wire-connections.ts"
import { systemClock } from "../../src/core/clock.ts"
import { isLocalName, lookupOf } from "../../src/platform/local-name.ts"
import { requestInTime } from "../../src/platform/request-in-time.ts"

const server = createServer((_request, response) => response.end("here"))
let port = 0
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "::1", resolve))
  const address = server.address()
  port = typeof address === "object" ? (address?.port ?? 0) : 0
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

describe("localhost, where a server listens on ::1 alone", () => {
  it.each([
    ["undici", openConnections],
    ["the wire client", (origin: string) => openWireConnections(origin)],
    ["a capture thread", (origin: string) => openCaptureThreads(origin, 1, "auto")],
  ] as const)("is found by %s", async (_, open) => {
    const connections = await open(`http://localhost:${port}`)
    const timeouts = { connectMs: 5000, firstTokenMs: 5000, gapMs: 5000, totalMs: 5000 }
    const options = { clock: systemClock, timeouts, signal: new AbortController().signal, maxAnswerBytes: 1e6 }
    const exchange = await connections.capture({ method: "GET", path: "/", headers: {}, body: null }, options)
    await connections.close()
    expect(exchange).toMatchObject({ status: 200, interruption: null })
  })

  it("is found by what is asked beside the measurement", async () => {
    const url = `http://localhost:${port}/`
    expect(await requestInTime(url, { timeoutMs: 5000 }, (response) => response.text())).toBe("here")
  })
})

it("has both loopback addresses, whichever the machine's table knows", async () => {
  const result = await new Promise((resolve) =>
    lookupOf("llm.localhost").lookup?.("llm.localhost", { all: true }, (_, all) => resolve(all)),
  )
  expect(result).toEqual(
    expect.arrayContaining([
      { address: "127.0.0.1", family: 4 },
      { address: "::1", family: 6 },
    ]),
  )
  expect(isLocalName("localhost.example.org")).toBe(false)
  expect(lookupOf("example.org")).toEqual({})
})
