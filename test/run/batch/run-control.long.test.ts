import { afterEach, describe, expect, it } from "vitest"
import { isOpen } from "../../../src/core/batch/batch-record.ts"
import type { BatchLimits } from "../../../src/core/batch/batch-service.ts"
import type { Provider } from "../../../src/core/provider.ts"
import type { RunStore } from "../../../src/core/run/run-store.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { type BatchServiceName, batchServices, runBatched } from "../../support/batch-world.ts"
import { fakeAnswer, fakeProvider } from "../../support/fake-provider.ts"
import type { BatchMock, DeskOptions } from "../../support/mocks/batches/desk.ts"
import { scratchDirectory } from "../../support/scratch.ts"

let mock: BatchMock
let store: RunStore
afterEach(async () => {
  store.close()
  await mock.close()
})

async function open(options: DeskOptions = {}, name: BatchServiceName = "openai") {
  mock = await batchServices[name].start(options)
  store = openRunStore(scratchDirectory())
  return batchServices[name].provider(mock, "model-a")
}

/** The same provider with a service that takes less at a time. */
function limited(provider: Provider, limits: Partial<BatchLimits>): Provider {
  return {
    ...provider,
    async open(context) {
      const session = await provider.open(context)
      const batches = session.batches
      return { ...session, ...(batches && { batches: { ...batches, limits: { ...batches.limits, ...limits } } }) }
    },
  }
}

const costOf = (report: Awaited<ReturnType<typeof runBatched>>["report"]): number => {
  const figure = report.variants[0]?.cost.totalUsd
  return figure?.status === "known" ? Number(figure.value.toFixed(9)) : Number.NaN
}

describe("a run by batch", () => {
  it("is cut into as many batches as the service's limits of requests and bytes need", async () => {
    const provider = await open()
    const { report, status } = await runBatched(store, { a: limited(provider, { requests: 5 }) })
    expect(status).toBe("finished")
    expect(mock.batches.map(({ requests }) => requests.length)).toEqual([5, 5, 1])
    expect(report.variants[0]?.outcomes).toEqual({ ok: 12 })
    const section = report.sections.find(({ title }) => title === "Batches")
    expect(section?.data).toMatchObject({ rows: [{}, {}, {}].map(() => expect.anything()) })

    const bytes = JSON.stringify({ custom_id: "0123456789ab-0", body: mock.batches[0]?.requests[0]?.body }).length
    const second = await runBatched(store, { a: limited(provider, { bytes: 3 * (bytes + 60) }) })
    expect(second.status).toBe("finished")
    expect(mock.batches.slice(3).every(({ requests }) => requests.length <= 3)).toBe(true)
  })

  it("sets aside what a batch may cost before it is sent, and sends no more than the budget has room for", async () => {
    const provider = await open()
    const config = { samples: 40, budget: { usd: 0.1 } }
    const { report, status, reason } = await runBatched(store, { a: provider }, config)
    // A call may cost $0.0041 in a batch (1,024 tokens at $4 per million) and costs $0.003; the live one $0.006.
    expect(status).toBe("incomplete")
    expect(reason).toMatch(/budget of \$0.1 is spent/)
    expect(costOf(report)).toBeLessThanOrEqual(0.1)
    expect(costOf(report)).toBeGreaterThan(0.08)
    expect(mock.batches.length).toBeGreaterThan(1)
    const sent = mock.batches.flatMap(({ requests }) => requests)
    expect(new Set(sent.map(({ body }) => JSON.stringify(body))).size).toBe(sent.length)
  })

  it("goes on at its service when it is interrupted, and its answers are fetched by a resumed run", async () => {
    const provider = await open({ looks: 3 })
    const stop = new AbortController()
    const first = await runBatched(
      store,
      { a: provider },
      {},
      {
        signal: stop.signal,
        onProgress: (look) => {
          const timer = setInterval(() => {
            if (!look().variants[0]?.waiting?.includes("0 of 11 done")) return
            clearInterval(timer)
            stop.abort()
          }, 1)
        },
      },
    )
    expect(first.status).toBe("interrupted")
    expect(first.reason).toBe("interrupted; a batch is left at the service, fetch the answers with --resume")
    expect(store.batches(first.record.id).filter(isOpen)).toHaveLength(1)
    const { report, status } = await runBatched(store, { a: provider }, { batch: false }, { resume: first.record.id })
    expect(status).toBe("finished")
    expect(mock.batches).toHaveLength(1)
    expect(report.variants[0]?.outcomes).toEqual({ ok: 12 })
    expect(costOf(report)).toBe(0.039)
  })

  it("counts what is at a service against the budget of the run that is resumed", async () => {
    const provider = await open({ looks: 3 })
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 1_000)
    const limited = { samples: 60, budget: { usd: 0.1 }, batch: { pollSeconds: 5 } }
    const first = await runBatched(store, { a: provider }, limited, { signal: stop.signal })
    expect(store.batches(first.record.id).filter(isOpen)).toHaveLength(1)
    const { report } = await runBatched(
      store,
      { a: provider },
      { ...limited, batch: { pollSeconds: 0.02 } },
      { resume: first.record.id },
    )
    expect(costOf(report)).toBeLessThanOrEqual(0.1)
  })

  it("comes to its end where the samples that are asked live find no room in the budget beside the batches", async () => {
    const provider = await open({ looks: 3 })
    const limited = { samples: 60, budget: { usd: 0.1 }, batch: { pollSeconds: 0.02, liveShare: 0.3 } }
    const { report, status } = await runBatched(store, { a: provider }, limited)
    expect(status).toBe("incomplete")
    expect(costOf(report)).toBeLessThanOrEqual(0.1)
  })

  it("keeps what a cancelled batch has, and classes the rest", async () => {
    const provider = await open({ looks: 1000, fate: ({ id }) => (Number(id.split("-")[1]) < 4 ? "ok" : "cancelled") })
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 400)
    const first = await runBatched(store, { a: provider }, {}, { signal: stop.signal })
    expect(mock.batches).toHaveLength(1)
    const resumed = { resume: first.record.id, cancelBatches: true }
    const { report } = await runBatched(store, { a: provider }, {}, resumed)
    expect(report.variants[0]?.outcomes).toEqual({ ok: 5, batch_cancelled: 7 })
    expect(costOf(report)).toBe(0.018)
    expect(mock.batches).toHaveLength(1)
  })

  it("does not send a batch again unasked where the service cannot tell whether it has it", async () => {
    const fault: DeskOptions["fault"] = (what, number) =>
      what === "POST /v1/batches" && number === 1 ? { status: 502, after: true } : null
    const provider = await open({ unlisted: true, fault })
    await expect(runBatched(store, { a: provider })).rejects.toThrow(
      /a batch may have been sent, and the service cannot tell.*--resume --resend-batch/,
    )
    const run = store.runs()[0]?.id as string
    await expect(runBatched(store, { a: provider }, {}, { resume: run })).rejects.toThrow(/cannot tell/)
    expect(mock.batches).toHaveLength(1)
    const { status, report } = await runBatched(store, { a: provider }, {}, { resume: run, resendBatches: true })
    expect(status).toBe("finished")
    expect(mock.batches).toHaveLength(2)
    expect(report.variants[0]?.outcomes).toEqual({ ok: 12 })
  })

  it("takes no other batch of as many requests for its own, where batches have no label", async () => {
    const provider = await open({}, "anthropic")
    // Somebody else's: eleven requests, sent a moment before.
    await runBatched(store, { other: provider }, { samples: 12 })
    expect(mock.batches[0]?.requests).toHaveLength(11)
    await mock.close()
    const before = mock.batches[0] as BatchMock["batches"][number]
    mock = await batchServices.anthropic.start({
      fault: (what, number) => (what === "POST /v1/messages/batches" && number === 1 ? { status: 502 } : null),
    })
    ;(mock.batches as (typeof before)[]).push(before)
    const second = batchServices.anthropic.provider(mock, "model-a")
    const { status, report } = await runBatched(store, { a: second }, { samples: 12 })
    expect(status).toBe("finished")
    expect(mock.batches).toHaveLength(2)
    expect(report.variants[0]?.outcomes).toEqual({ ok: 12 })
  })

  it("is on record as refused where the service does not take it, with the service's words", async () => {
    const provider = await open({ fault: (what) => (what === "POST /v1/batches" ? { status: 403 } : null) })
    const { status, reason } = await runBatched(store, { a: provider })
    expect(status).toBe("incomplete")
    expect(reason).toMatch(/the service did not take a batch of 11 requests: HTTP 403: a fault of the moment/)
    expect(store.batches(store.runs()[0]?.id as string)[0]).toMatchObject({ state: "refused", id: null })
  })

  it("waits where the service asks for patience, as for a queue that is full", async () => {
    const provider = await open({
      fault: (what, number) =>
        what === "POST /v1/batches" && number < 3 ? { status: 429, headers: { "retry-after": "0.02" } } : null,
    })
    const { status } = await runBatched(store, { a: provider })
    expect(status).toBe("finished")
    expect(mock.batches).toHaveLength(1)
  })

  it("asks live who takes no batches, and says that costs of two ways do not compare", async () => {
    const provider = await open()
    const plain = fakeProvider("plain", (request) => fakeAnswer(String(request.messages[0]?.content)))
    const { report, status } = await runBatched(store, { a: provider, plain })
    expect(status).toBe("finished")
    expect(plain.requests).toHaveLength(12)
    expect(report.sections.find(({ title }) => title === "Batches")?.caution).toMatch(
      /^plain was asked live and the others by batch/,
    )
    await expect(runBatched(store, { plain })).rejects.toThrow(/no variant can be asked by batch: plain/)
    await expect(runBatched(store, { a: provider }, {}, { untilDecided: true })).rejects.toThrow(
      "--batch and --until do not go together",
    )
  })

  it("goes on in the way in which it began", async () => {
    const provider = await open()
    const { record } = await runBatched(store, { a: provider })
    const other = { batch: { liveShare: 0.5, pollSeconds: 1 } }
    await expect(runBatched(store, { a: provider }, other, { resume: record.id })).rejects.toThrow(
      /begun in another way than it is to go on: by batch, with a live share of 0/,
    )
  })

  it("asks nothing again that an earlier run has in the cache", async () => {
    const provider = await open()
    await runBatched(store, { a: provider }, { cache: true })
    const { report, status } = await runBatched(store, { a: provider }, { cache: true })
    expect(status).toBe("finished")
    expect(mock.batches).toHaveLength(1)
    expect(mock.live).toHaveLength(1)
    expect(report.variants[0]?.speed.replayed).toBe(12)
  })
})
