import { describe, expect, it } from "vitest"
import { startCall } from "../../src/calls/cold-start.ts"
import type { Answer } from "../../src/core/generation.ts"
import type { ProviderSession } from "../../src/core/provider.ts"
import { fakeAnswer } from "../support/fake-provider.ts"

const session = () => ({}) as ProviderSession
const answered = (connectMs: number | null): Pick<Answer, "log"> => ({ log: { ...fakeAnswer("").log, connectMs } })

describe("a cold start", () => {
  it("is the first call of a session, whether it had to connect or not", () => {
    for (const connectMs of [null, 3]) expect(startCall(session()).answered(answered(connectMs))).toBe(true)
  })

  it("is a call that connected before the session had an answer, and none that was sent later", () => {
    const own = session()
    const [first, beside, warm] = [startCall(own), startCall(own), startCall(own)]
    expect(first.answered(answered(3))).toBe(true)
    const later = startCall(own)
    expect([beside.answered(answered(3)), warm.answered(answered(null))]).toEqual([true, false])
    // A server that closes each connection after its answer.
    expect(later.answered(answered(3))).toBe(false)
  })

  it("is known for each session by itself", () => {
    const [first, second] = [session(), session()]
    startCall(first).answered(answered(null))
    expect(startCall(second).answered(answered(null))).toBe(true)
    expect(startCall(first).answered(answered(null))).toBe(false)
  })
})
