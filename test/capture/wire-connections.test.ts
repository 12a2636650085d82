import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { afterEach, expect, it } from "vitest"
import type { CaptureOptions, Connections } from "../../src/capture/connections.ts"
import { openWireConnections } from "../../src/capture/wire-connections.ts"
import { systemClock } from "../../src/core/clock.ts"

let server: Server
let connections: Connections
afterEach(async () => {
  await connections.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<void> {
  server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  connections = await openWireConnections(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`)
}

const timeouts = { connectMs: 5000, firstTokenMs: 5000, gapMs: 5000, totalMs: 5000 }
const options: CaptureOptions = {
  clock: systemClock,
  timeouts,
  signal: new AbortController().signal,
  maxAnswerBytes: 1e6,
}
const request = { method: "POST", path: "/", headers: {}, body: "{}" } as const
const textOf = ({ chunks }: { readonly chunks: readonly Uint8Array[] }) => Buffer.concat(chunks).toString()

it("gives each answer in memory of its own: the next one does not change it", async () => {
  let nth = 0
  await serve((_request, response) => response.end(`answer ${++nth}`))
  const first = await connections.capture(request, options)
  const second = await connections.capture(request, options)
  expect([textOf(first), textOf(second)]).toEqual(["answer 1", "answer 2"])
  expect(first.connectMs).toBeGreaterThan(0)
  expect([second.connectMs, second.status, second.interruption]).toEqual([null, 200, null])
})

it("stamps on the clock of who asks", async () => {
  await serve((_request, response) => response.end("a"))
  const later = { ...systemClock, now: () => systemClock.now() + 1e6 }
  const beforeMs = later.now()
  const { sendMs, headersMs, stampsMs, endMs } = await connections.capture(request, { ...options, clock: later })
  const stamps = [beforeMs, sendMs, headersMs, ...stampsMs, endMs, later.now()]
  expect(stamps).toEqual([...stamps].sort((a, b) => Number(a) - Number(b)))
})

it("reads events as the service writes them when the first token is due", async () => {
  await serve((_request, response) => void response.write("data: {}\n\n"))
  const limits = { ...timeouts, firstTokenMs: 50, totalMs: 400 }
  const saw = (bytes: number): CaptureOptions["read"] => {
    const events = [{ atMs: 0, kind: "content", tokens: null, bytes }] as const
    return () => ({ events }) as unknown as ReturnType<NonNullable<CaptureOptions["read"]>>
  }
  const without = connections.capture(request, { ...options, timeouts: limits, read: saw(0) })
  const withText = connections.capture(request, { ...options, timeouts: limits, read: saw(1) })
  expect((await without).interruption?.outcome).toBe("timeout_first_token")
  expect((await withText).interruption?.outcome).toBe("timeout_total")
})

it("ends what is under way when its signal aborts, and sends nothing on one that has", async () => {
  let requests = 0
  await serve(() => void requests++)
  const abort = new AbortController()
  const running = connections.capture(request, { ...options, signal: abort.signal })
  while (requests === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  abort.abort()
  expect((await running).interruption?.outcome).toBe("cancelled")
  expect((await connections.capture(request, { ...options, signal: abort.signal })).interruption?.outcome).toBe(
    "cancelled",
  )
  expect(requests).toBe(1)
})

it("sends nothing that would be read as another request, and nothing once it is closed", async () => {
  let requests = 0
  await serve((_request, response) => {
    requests++
    response.end()
  })
  const bad = await connections.capture({ ...request, headers: { a: "b\r\nc: d" } }, options)
  await connections.close()
  const late = await connections.capture(request, options)
  expect([bad.interruption?.outcome, late.interruption?.outcome, requests]).toEqual(["connection", "connection", 0])
})
