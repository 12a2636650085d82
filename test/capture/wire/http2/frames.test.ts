import type { TLSSocket } from "node:tls"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { Connections } from "../../../../src/capture/connections.ts"
import type { Exchange } from "../../../../src/capture/exchange.ts"
import { openWireConnections } from "../../../../src/capture/wire-connections.ts"
import { systemClock } from "../../../../src/core/clock.ts"
import type { Timeouts } from "../../../../src/core/provider.ts"
import { testTimeouts } from "../../../support/ask.ts"
import {
  allows,
  data,
  type FrameServer,
  frame,
  goaway,
  lastData,
  okHead,
  reset,
  serveFrames,
} from "../../../support/servers/http2-frames.ts"
import { trustAnyCertificate } from "../../../support/servers/trust-any.ts"

trustAnyCertificate()

const opened: { readonly server: FrameServer; readonly connections: Connections }[] = []
afterEach(async () => {
  for (const { server, connections } of opened.splice(0)) {
    await connections.close()
    await server.close()
  }
})

async function serve(onRequest: (socket: TLSSocket, stream: number, nth: number) => void, settings?: Buffer | null) {
  const server = await serveFrames(onRequest, settings)
  const connections = await openWireConnections(server.origin)
  opened.push({ server, connections })
  const ask = (timeouts: Timeouts = testTimeouts, signal = new AbortController().signal): Promise<Exchange> =>
    connections.capture(
      { method: "POST", path: "/", headers: {}, body: "hi" },
      { clock: systemClock, timeouts, signal, maxAnswerBytes: 1000 },
    )
  return { server, ask }
}

const textOf = ({ chunks }: Exchange) => Buffer.concat(chunks).toString()
const whole = (stream: number, text: string) => Buffer.concat([okHead(stream), lastData(stream, text)])
const begun = (stream: number) => Buffer.concat([okHead(stream), data(stream, "abc")])

/** HTTP/2's error codes. */
const [noError, internalError, refused, cancelled, calm, http11] = [0, 2, 7, 8, 11, 13]

describe("a stream that the server did not begin", () => {
  it("is sent again when it was refused, and counted", async () => {
    const { ask, server } = await serve((socket, stream, nth) =>
      socket.write(nth === 1 ? reset(stream, refused) : whole(stream, "again")),
    )
    const exchange = await ask()
    expect([textOf(exchange), exchange.interruption, exchange.lost?.length]).toEqual(["again", null, 1])
    expect(exchange.lost?.[0]?.message).toBe("the stream was reset: REFUSED_STREAM")
    expect([exchange.connectMs, server.sockets.size]).toEqual([null, 1])
  })

  it("is given up as a lost connection after three more tries", async () => {
    let requests = 0
    const { ask } = await serve((socket, stream, nth) => {
      requests = nth
      socket.write(reset(stream, refused))
    })
    const exchange = await ask()
    expect(exchange.interruption).toMatchObject({ outcome: "connection", code: "HTTP2_REFUSED_STREAM" })
    expect([exchange.lost?.length, requests]).toEqual([3, 4])
  })

  it.each([
    ["in peace", noError],
    ["for an error", calm],
  ])("is sent again on another connection when it is behind the last of a GOAWAY, sent %s", async (_, code) => {
    const { ask, server } = await serve((socket, stream, nth) => {
      if (nth === 1) setTimeout(() => socket.write(goaway(0, code)), 20)
      else socket.write(whole(stream, "again"))
    })
    const exchange = await ask()
    expect([textOf(exchange), exchange.lost?.length, server.sockets.size]).toEqual(["again", 1, 2])
  })

  it("is not sent again when an answer had begun", async () => {
    const { ask } = await serve((socket, stream) => {
      socket.write(begun(stream))
      setTimeout(() => socket.write(reset(stream, refused)), 20)
    })
    const exchange = await ask()
    expect([exchange.interruption?.outcome, exchange.lost, textOf(exchange)]).toEqual(["connection", undefined, "abc"])
  })
})

describe("a server that ends a connection", () => {
  it("ends the answers that it has begun, and gets others on a new connection", async () => {
    const { ask, server } = await serve((socket, stream, nth) => {
      if (nth > 1) {
        socket.write(whole(stream, `answer ${nth}`))
        return
      }
      socket.write(Buffer.concat([begun(stream), goaway(stream, noError)]))
      setTimeout(() => socket.write(lastData(stream, "def")), 500)
    })
    const first = ask()
    await new Promise((resolve) => setTimeout(resolve, 200))
    const second = await ask()
    expect([textOf(await first), (await first).interruption, (await first).lost]).toEqual(["abcdef", null, undefined])
    expect([textOf(second), second.interruption]).toEqual([`answer ${2 + (second.lost?.length ?? 0)}`, null])
    expect(server.sockets.size).toBe(2)
  })

  it("says why it did so", async () => {
    const { ask } = await serve((socket, stream) => {
      socket.write(begun(stream))
      setTimeout(() => socket.write(goaway(stream, calm)), 20)
    })
    const { interruption, lost } = await ask()
    expect(interruption).toEqual({
      outcome: "connection",
      message: "the server ended the connection: ENHANCE_YOUR_CALM",
      code: "HTTP2_ENHANCE_YOUR_CALM",
    })
    expect(lost).toBeUndefined()
  })

  it.each([
    ["properly", (socket: TLSSocket) => socket.end()],
    ["at once", (socket: TLSSocket) => socket.destroy()],
  ])("loses all answers midway when it closes %s, and keeps what had come of each", async (_, close) => {
    const { ask, server } = await serve((socket, stream, nth) => {
      socket.write(begun(stream))
      if (nth === 5) setTimeout(() => close(socket), 20)
    })
    const exchanges = await Promise.all(Array.from({ length: 5 }, () => ask()))
    for (const exchange of exchanges) {
      expect(exchange.interruption).toMatchObject({ outcome: "connection", code: "UND_ERR_SOCKET" })
      expect([textOf(exchange), exchange.status, exchange.lost, exchange.protocol]).toEqual([
        "abc",
        200,
        undefined,
        "h2",
      ])
    }
    expect(server.sockets.size).toBe(1)
  })

  it("is asked again, as over HTTP/1.1, where a warm connection was just closing", async () => {
    const { ask, server } = await serve((socket, stream, nth) => {
      if (nth === 2) socket.destroy()
      else socket.write(whole(stream, `answer ${nth}`))
    })
    await ask()
    const second = await ask()
    expect([textOf(second), second.lost?.length, server.sockets.size]).toEqual(["answer 3", 1, 2])
  })

  it("is not asked again where a new connection was lost", async () => {
    const { ask, server } = await serve((socket) => socket.destroy())
    const { interruption, lost } = await ask()
    expect([interruption?.outcome, lost, server.sockets.size]).toEqual(["connection", undefined, 1])
  })
})

describe("a stream that is reset midway", () => {
  it.each([
    [internalError, "HTTP2_INTERNAL_ERROR"],
    [cancelled, "HTTP2_CANCEL"],
  ])("by error %i ends as a lost connection, and leaves the others alone", async (code, name) => {
    const { ask, server } = await serve((socket, stream, nth) => {
      if (nth > 1) socket.write(whole(stream, "whole"))
      else {
        socket.write(begun(stream))
        setTimeout(() => socket.write(reset(stream, code)), 20)
      }
    })
    const [first, second] = await Promise.all([ask(), ask()])
    expect(first.interruption).toMatchObject({ outcome: "connection", code: name })
    expect([textOf(first), textOf(second), second.interruption]).toEqual(["abc", "whole", null])
    expect(textOf(await ask())).toBe("whole")
    expect(server.sockets.size).toBe(1)
  })

  it("is complete when the answer had ended before", async () => {
    const { ask } = await serve((socket, stream) =>
      socket.write(Buffer.concat([whole(stream, "whole"), reset(stream, noError)])),
    )
    const exchange = await ask()
    expect([textOf(exchange), exchange.interruption]).toEqual(["whole", null])
  })
})

describe("the limit of streams", () => {
  it("is the server's: what is above it goes to other connections", async () => {
    const waiting: (() => void)[] = []
    const { ask, server } = await serve((socket, stream) => {
      waiting.push(() => socket.write(whole(stream, "ok")))
      if (waiting.length === 5) for (const answer of waiting) answer()
    }, allows(2))
    const exchanges = await Promise.all(Array.from({ length: 5 }, () => ask()))
    expect(exchanges.map(({ lost, interruption }) => [lost, interruption])).toEqual(Array(5).fill([undefined, null]))
    expect(server.sockets.size).toBe(3)
  })

  it("of none ends requests instead of opening one connection after another", async () => {
    const { ask, server } = await serve(() => {}, allows(0))
    expect((await ask()).interruption?.outcome).toBe("connection")
    expect(server.sockets.size).toBe(1)
  })

  it("opens no second connection for a request that follows an answer", async () => {
    const { ask, server } = await serve((socket, stream) => socket.write(whole(stream, "ok")), allows(1))
    for (let i = 0; i < 10; i++) expect(textOf(await ask())).toBe("ok")
    expect(server.sockets.size).toBe(1)
  })
})

describe("a request that is over before its time", () => {
  it("resets its stream when it is cancelled, and leaves the connection to others", async () => {
    const { ask, server } = await serve((socket, stream, nth) =>
      socket.write(nth === 1 ? begun(stream) : whole(stream, "ok")),
    )
    const stop = new AbortController()
    const first = ask(testTimeouts, stop.signal)
    setTimeout(() => stop.abort(), 100)
    expect((await first).interruption?.outcome).toBe("cancelled")
    expect(textOf(await ask())).toBe("ok")
    await vi.waitFor(() => expect([server.resets, server.sockets.size]).toEqual([[1], 1]))
  })

  it("ends when its limit runs out; a connection that was silent all the time takes no more", async () => {
    const { ask, server } = await serve((socket, stream, nth) => {
      if (nth > 1) socket.write(whole(stream, "ok"))
    })
    expect((await ask({ ...testTimeouts, firstTokenMs: 100 })).interruption?.outcome).toBe("timeout_first_token")
    expect(textOf(await ask())).toBe("ok")
    expect(server.sockets.size).toBe(2)
  })

  it("ends when the server never says how it wants to speak", async () => {
    const { ask, server } = await serve(() => {}, null)
    const asked = await Promise.all([1, 2].map(() => ask({ ...testTimeouts, connectMs: 100 })))
    expect(asked.map(({ interruption }) => interruption?.outcome)).toEqual(["timeout_connect", "timeout_connect"])
    expect(server.sockets.size).toBe(1)
    expect((await ask({ ...testTimeouts, connectMs: 100 })).interruption?.outcome).toBe("timeout_connect")
    expect(server.sockets.size).toBe(2)
  })

  it("is cut off when its answer grows beyond what is kept", async () => {
    const { ask, server } = await serve((socket, stream) =>
      socket.write(Buffer.concat([okHead(stream), data(stream, "a".repeat(5000))])),
    )
    expect((await ask()).interruption).toMatchObject({ outcome: "malformed", code: "too_large" })
    await ask()
    await vi.waitFor(() => expect(server.resets).toEqual([1, 3]))
    expect(server.sockets.size).toBe(1)
  })
})

describe("a server that answers strangely", () => {
  it("by what is no HTTP/2 ends what is under way at its limit, and gets others on a new connection", async () => {
    const { ask, server } = await serve((socket, stream, nth) =>
      socket.write(
        nth === 1 ? Buffer.concat([okHead(stream), Buffer.from("HTTP/1.1 200 OK\r\n\r\n")]) : whole(stream, "ok"),
      ),
    )
    expect((await ask({ ...testTimeouts, firstTokenMs: 200 })).interruption?.outcome).toBe("timeout_first_token")
    expect([textOf(await ask()), server.sockets.size]).toEqual(["ok", 2])
  })

  it("is asked over HTTP/1.1 where it says so, and that fails where it speaks only HTTP/2", async () => {
    const { ask } = await serve((socket, stream) => socket.write(reset(stream, http11)))
    const { interruption, lost } = await ask()
    expect([interruption?.outcome, lost?.length]).toEqual(["connection", 1])
  })

  it("cannot put a field into the head by a line end in a value", async () => {
    const field = Buffer.concat([
      Buffer.from([0x88, 0x00, 1]),
      Buffer.from("a"),
      Buffer.from([4]),
      Buffer.from("b\r\nc"),
    ])
    const { ask } = await serve((socket, stream) => socket.write(Buffer.concat([frame(1, 5, stream, field)])))
    expect([...(await ask()).headers]).toEqual([])
  })
})
