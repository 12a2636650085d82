import { afterAll, afterEach, describe, expect, it } from "vitest"
import { startFaultServer } from "../support/fault-server.ts"
import { serveLoopback, streamChat } from "../support/loopback.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { chat, send, startShadow } from "./world.ts"

const faults = await startFaultServer()
afterAll(() => faults.close())
const primary = await serveLoopback((_request, response) => streamChat(response, "hello back", 5, 10))

let close = async (): Promise<void> => {}
const shadow = async (candidate: string, more?: Parameters<typeof startShadow>[3]) => {
  const made = await startShadow(scratchDirectory(), primary.url, candidate, more)
  close = made.close
  return made
}
afterEach(() => close())

describe("a candidate in any state", () => {
  it.each([
    ["none", "success"],
    ["serverError", "http_5xx"],
    ["rateLimited", "rate_limited"],
    ["reset", "connection"],
    ["hangBeforeHeaders", "timeout_first_token"],
    ["resetInside", "connection"],
    ["endlessDrip", "timeout_total"],
    ["large", "malformed"],
    ["htmlPage", "malformed"],
  ] as const)(
    "that does %s changes nothing for the caller, and is stored as it was: %s",
    async (fault, state) => {
      const { url, ended, rows } = await shadow(faults.url(fault), { maxConcurrency: 1 })
      const direct = await send(`${primary.origin}/v1/chat/completions`, chat("hello", { stream: true }))
      const beganMs = performance.now()
      const replies = await Promise.all(Array.from({ length: 3 }, () => send(url, chat("hello", { stream: true }))))
      expect(performance.now() - beganMs).toBeLessThan(1500)
      for (const { status, isCut, body } of replies)
        expect([status, isCut, body]).toEqual([direct.status, false, direct.body])
      expect(await ended(3, 20_000)).toMatchObject({ failed: state === "success" ? 0 : 3 })
      const [first, second] = rows() as [Record<string, unknown>, Record<string, unknown>]
      expect(first).toMatchObject({ model_group: "primary", status: "success" })
      expect(second).toMatchObject(
        state === "success" ? { status: state } : { status: "failure", error_information: { error_class: state } },
      )
      expect(second).toMatchObject({ model_group: "candidate", trace_id: first.trace_id, session_id: first.session_id })
    },
    30_000,
  )

  it("that cannot be reached is stored as a failure", async () => {
    const { url, ended, rows } = await shadow("http://127.0.0.1:9/v1")
    expect((await send(url, chat("hello"))).status).toBe(200)
    await ended(1)
    expect(rows()[1]).toMatchObject({ error_information: { error_class: "connection" } })
  })
})
