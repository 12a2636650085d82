import { describe, expect, it } from "vitest"
import { firstCalls } from "../../../src/run/generate/first-calls.ts"

const calls = [0, 1, 2, 3, 4].map((i) => ({ sampleId: `s${i}` }))

/** The first calls of variants whose every call fails, with what is said of the run's control. */
async function tried(options: {
  aborted?: boolean
  spent?: boolean
  httpStatus?: number
  endpoints?: readonly string[]
}) {
  const { aborted = false, spent = false, httpStatus = 500, endpoints = ["a", "b"] } = options
  const sent: string[] = []
  const generation = { outcome: "http_5xx", httpStatus, failure: { message: "no" } }
  const stage = {
    store: { generation: () => generation },
    record: { id: "r" },
    control: { signal: { aborted }, budget: { exceeded: () => (spent ? "calls" : null) } },
  }
  const callers = endpoints.map((endpoint, i) => ({ variant: { name: `v${i}`, provider: { endpoint } }, calls }))
  const failures = await firstCalls(stage as never, callers as never, async ({ variant }, { sampleId }) => {
    sent.push(`${variant.name} ${sampleId}`)
  })
  return { sent, failures: failures && [...failures] }
}

describe("the first calls of variants that nothing answers", () => {
  it("are three of each, and then say why nothing more is asked", async () => {
    const { sent, failures } = await tried({})
    expect(sent.toSorted()).toEqual(["v0 s0", "v0 s1", "v0 s2", "v1 s0", "v1 s1", "v1 s2"])
    expect(failures).toEqual([0, 1].map((i) => [`v${i}`, expect.stringContaining("no (http_5xx)")]))
  })
  it("are one where the account is refused: another sample would get the same", async () => {
    expect((await tried({ httpStatus: 401 })).sent).toEqual(["v0 s0", "v1 s0"])
  })
  it.each([{ aborted: true }, { spent: true }])(
    "are none after %j, which says nothing of an endpoint",
    async (state) => {
      expect(await tried(state)).toEqual({ sent: [], failures: null })
    },
  )
  it("come one variant after the other at one endpoint", async () => {
    const { sent } = await tried({ endpoints: ["a", "a"] })
    expect(sent.map((it) => it.split(" ")[0])).toEqual(["v0", "v0", "v0", "v1", "v1", "v1"])
  })
})
