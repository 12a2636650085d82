import { createServer, type Server, type Socket } from "node:net"
import { createServer as createTlsServer } from "node:tls"
import { afterEach, describe, expect, it } from "vitest"
import { readOrigin, writeHead } from "../../../src/capture/wire/request-head.ts"
import { createWire, type Wire } from "../../../src/capture/wire/wire.ts"
import { WireJob } from "../../../src/capture/wire/wire-job.ts"
import type { Timeouts } from "../../../src/core/provider.ts"
import { testTimeouts } from "../../support/ask.ts"
import { selfSigned } from "../../support/chaos/certificates.ts"

const sockets = new Set<Socket>()
const opened: { readonly server: Server; readonly wire: Wire }[] = []
afterEach(async () => {
  for (const { wire } of opened) wire.close()
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  await Promise.all(opened.splice(0).map(({ server }) => new Promise((resolve) => server.close(resolve))))
})

/** What a server does with the n-th request, from 1, of one of its connections. */
type Reply = (socket: Socket, nth: number, body: string) => void

interface Asker {
  ask(body?: string | Uint8Array, timeouts?: Timeouts): Promise<WireJob>
  readonly wire: Wire
  connections(): number
}

async function serve(reply: Reply, isTls = false): Promise<Asker> {
  let connections = 0
  const onSocket = (socket: Socket) => {
    connections++
    sockets.add(socket)
    let nth = 0
    let held = Buffer.alloc(0)
    socket.on("error", () => {})
    socket.on("data", (bytes) => {
      held = Buffer.concat([held, bytes as Buffer])
      const head = held.indexOf("\r\n\r\n")
      const length = Number(/content-length: (\d+)/i.exec(held.toString("latin1"))?.[1])
      if (head < 0 || held.length < head + 4 + length) return
      const body = held.subarray(head + 4).toString("utf8")
      held = Buffer.alloc(0)
      reply(socket, ++nth, body)
    })
  }
  const server = isTls ? createTlsServer(selfSigned, onSocket) : createServer(onSocket)
  if (isTls) server.on("tlsClientError", () => {})
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address ? address.port : 0
  const origin = readOrigin(`${isTls ? "https" : "http"}://127.0.0.1:${port}`)
  const waiting = new Map<WireJob, (job: WireJob) => void>()
  const wire = await createWire(
    origin,
    () => performance.now(),
    (job) => waiting.get(job)?.(job),
  )
  opened.push({ server, wire })
  const head = writeHead({ method: "POST", path: "/", headers: {} }, origin)
  return {
    wire,
    connections: () => connections,
    ask: (body = "hi", timeouts = testTimeouts) =>
      new Promise((resolve) => {
        const job = new WireJob(1, { head, timeouts, maxAnswerBytes: 1000 }, Buffer.from(body))
        waiting.set(job, resolve)
        wire.start(job)
      }),
  }
}

const whole = (body: string, fields = "") =>
  `HTTP/1.1 200 OK\r\n${fields}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

const textOf = ({ recording }: WireJob) => Buffer.from(recording.bytes.subarray(0, recording.length)).toString()

describe("a wire", () => {
  it("uses a connection again, and says what connecting took only where it connected", async () => {
    const { ask, connections } = await serve((socket, nth, body) => socket.write(whole(`${nth} ${body}`)))
    const first = await ask()
    const second = await ask("grüße")
    const third = await ask(Buffer.from("grüße"))
    expect([first, second, third].map(textOf)).toEqual(["1 hi", "2 grüße", "3 grüße"])
    expect(first.connectMs).toBeGreaterThan(0)
    expect([second.connectMs, third.connectMs, connections()]).toEqual([null, null, 1])
    expect(first.headersMs).toBeGreaterThanOrEqual(first.sendMs)
  })

  it("opens connections beforehand, which then are used", async () => {
    const { ask, wire, connections } = await serve((socket) => socket.write(whole("ok")))
    await wire.open(20)
    const jobs = await Promise.all(Array.from({ length: 20 }, () => ask()))
    expect(jobs.every(({ connectMs, status }) => connectMs === null && status === 200)).toBe(true)
    expect(connections()).toBe(20)
  })

  it("gives up connections that a server takes and does not finish opening", async () => {
    const silent = createServer((socket) => void socket.on("error", () => {}).resume())
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve))
    const { port } = silent.address() as { port: number }
    const wire = await createWire(
      readOrigin(`https://127.0.0.1:${port}`),
      () => performance.now(),
      () => {},
    )
    opened.push({ server: silent, wire })
    await wire.open(3, 50)
    const left = await new Promise((resolve) => setTimeout(() => silent.getConnections((_, n) => resolve(n)), 50))
    expect(left).toBe(0)
  })

  it("sends no second request behind bytes that nobody asked for", async () => {
    const { ask, connections } = await serve((socket) => socket.write(`${whole("a")}${whole("poisoned")}`))
    expect([textOf(await ask()), textOf(await ask())]).toEqual(["a", "a"])
    expect(connections()).toBe(2)
  })

  it("takes no answer from an idle connection on which something came", async () => {
    const { ask, connections } = await serve((socket) => {
      socket.write(whole("a"))
      setTimeout(() => socket.write(whole("poisoned")), 20)
    })
    await ask()
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect([textOf(await ask()), connections()]).toEqual(["a", 2])
  })

  it.each(["connection: close\r\n", "keep-alive: timeout=1\r\n"])("makes a new connection after %j", async (fields) => {
    const { ask, connections } = await serve((socket) => socket.write(whole("a", fields)))
    await ask()
    expect([textOf(await ask()), connections()]).toEqual(["a", 2])
  })

  it("sends again what met a connection that was just closing, and says so", async () => {
    const { ask, connections } = await serve((socket, nth) => (nth === 1 ? socket.write(whole("a")) : socket.destroy()))
    await ask()
    const second = await ask()
    expect([textOf(second), second.status, second.lost?.length, connections()]).toEqual(["a", 200, 1, 2])
    expect(second.connectMs).toBeGreaterThan(0)
  })

  it("does not send again what the server worked on before it closed", async () => {
    const { ask, connections } = await serve((socket, nth) =>
      nth === 1 ? socket.write(whole("a")) : setTimeout(() => socket.destroy(), 400),
    )
    await ask()
    const job = await ask()
    expect(job.interruption).toMatchObject({ outcome: "connection" })
    expect([job.lost, connections()]).toEqual([null, 1])
  })

  it("does not send again what a new connection lost", async () => {
    const { ask, connections } = await serve((socket) => socket.destroy())
    const job = await ask()
    expect(job.interruption).toMatchObject({ outcome: "connection" })
    expect([job.lost, connections()]).toEqual([null, 1])
  })

  it("gives up sending again after three lost connections", async () => {
    const { ask, wire, connections } = await serve((socket) => socket.destroy())
    await wire.open(8)
    const job = await ask()
    expect(job.interruption).toMatchObject({ outcome: "connection" })
    expect([job.lost?.length, connections()]).toEqual([3, 8])
  })

  it.each([
    ["in the head", "HTTP/1.1 200 OK\r\ncont", null],
    ["in the body", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc", 200],
    ["in a chunk", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\nabc", 200],
  ])("calls an answer that ends %s a lost connection, with what had come", async (_, input, status) => {
    const { ask } = await serve((socket) => socket.end(input))
    const job = await ask()
    expect(job.interruption).toMatchObject({ outcome: "connection", message: "other side closed" })
    expect([job.status, textOf(job)]).toEqual([status, status === null ? "" : "abc"])
  })

  it("calls what is no HTTP a lost connection, and goes on with the next", async () => {
    const { ask, wire } = await serve((socket, _, body) =>
      socket.write(body === "bad" ? "SSH-2.0-OpenSSH_9.0\r\n\r\n" : whole("a")),
    )
    expect((await ask("bad")).interruption).toMatchObject({ outcome: "connection", code: "HPE_INVALID" })
    expect(textOf(await ask())).toBe("a")
    expect(wire.inFlight).toBe(0)
  })

  it("cuts an answer off that grows beyond what is kept, also inside one chunk", async () => {
    const { ask } = await serve((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nffffff\r\n${"a".repeat(5000)}`),
    )
    const job = await ask()
    expect(job.interruption).toMatchObject({ outcome: "malformed", code: "too_large" })
  })

  it("ends a request of a server that says nothing when its limit has run out, and forgets the connection", async () => {
    const { ask, connections } = await serve((socket, _, body) => {
      if (body !== "silent") socket.write(whole("a"))
    })
    const begin = performance.now()
    const job = await ask("silent", { ...testTimeouts, firstTokenMs: 100 })
    expect(job.interruption?.outcome).toBe("timeout_first_token")
    expect(performance.now() - begin).toBeLessThan(2000)
    expect([textOf(await ask()), connections()]).toEqual(["a", 2])
  })

  it("answers a request at a port where nobody listens", async () => {
    const { ask } = await serve(() => {})
    const origin = readOrigin("http://127.0.0.1:1")
    const ended = new Promise<WireJob>((resolve) => {
      void createWire(origin, () => performance.now(), resolve).then((wire) =>
        wire.start(new WireJob(1, { head: "GET / HTTP/1.1\r\n", timeouts: testTimeouts, maxAnswerBytes: 1 }, null)),
      )
    })
    expect((await ended).interruption).toMatchObject({ outcome: "connection", code: "ECONNREFUSED" })
    expect(ask).toBeDefined()
  })

  it("ends what is under way when it is closed", async () => {
    const { ask, wire } = await serve(() => {})
    const asked = ask()
    wire.close()
    expect((await asked).interruption?.outcome).toBe("connection")
  })

  it("speaks over TLS, and refuses a certificate that nobody vouches for", async () => {
    const { ask, connections } = await serve((socket, nth) => socket.write(whole(`answer ${nth}`)), true)
    expect((await ask()).interruption).toMatchObject({ outcome: "connection", code: "DEPTH_ZERO_SELF_SIGNED_CERT" })
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0"
    try {
      expect([textOf(await ask()), textOf(await ask())]).toEqual(["answer 1", "answer 2"])
      expect(connections()).toBeLessThanOrEqual(2)
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
    }
  })
})
