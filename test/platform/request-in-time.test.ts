import { execFile } from "node:child_process"
import { createServer, type Server } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { readBoundedText, requestInTime } from "../../src/platform/request-in-time.ts"

let server: Server
afterEach(() => new Promise((resolve) => server.close(resolve)))

async function listen(onSocket: Parameters<typeof createServer>[1]): Promise<string> {
  server = createServer(onSocket)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`
}

describe("a request beside the measurement", () => {
  it("ends in time where the port says nothing, or only begins to answer", async () => {
    const silent = await listen((socket) => void socket.on("error", () => {}).resume())
    await expect(requestInTime(silent, { timeoutMs: 80 }, () => 1)).rejects.toThrow("no answer within 0.08 s")
    await new Promise((resolve) => server.close(resolve).on("close", resolve))
    const begun = await listen(
      (socket) =>
        void socket
          .on("error", () => {})
          .resume()
          .write("HTTP/1.1 200 OK\r\n\r\nhalf"),
    )
    await expect(requestInTime(begun, { timeoutMs: 80 }, (response) => response.text())).rejects.toThrow("0.08 s")
  })

  it("settles where the port takes connections and closes them, and keeps the process until then", async () => {
    const closing = await listen((socket) => void socket.on("error", () => {}).end())
    const program = `
      import { createJiti } from "jiti"
      const { requestInTime } = await createJiti(import.meta.url).import("./src/platform/request-in-time.ts")
      await requestInTime("${closing}", { timeoutMs: 1500 }, () => 1).then(console.log, (error) => console.log("settled"))`
    const child = execFile(process.execPath, ["--input-type=module", "-e", program])
    let printed = ""
    child.stdout?.on("data", (text) => (printed += text))
    const status = await new Promise((resolve) => child.on("close", resolve))
    expect([printed.trim(), status]).toEqual(["settled", 0])
  })

  it("ends with its signal, and gives what is read of the reply, bounded", async () => {
    const reply = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello"
    const url = await listen((socket) => void socket.on("error", () => {}).once("data", () => socket.end(reply)))
    expect(await requestInTime(url, { timeoutMs: 5000 }, (response) => readBoundedText(response, 10))).toBe("hello")
    expect(await requestInTime(url, { timeoutMs: 5000 }, (response) => readBoundedText(response, 4))).toBeNull()
    const ended = AbortSignal.abort(new Error("stop"))
    await expect(requestInTime(url, { timeoutMs: 5000, signal: ended }, () => 1)).rejects.toThrow("stop")
  })
})
