import { afterEach, describe, expect, it } from "vitest"
import type { RunStore } from "../../../src/core/run/run-store.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { type BatchServiceName, batchServices, runBatched } from "../../support/batch-world.ts"
import type { BatchMock, DeskOptions, Fate } from "../../support/mocks/batches/desk.ts"
import { isNightly } from "../../support/nightly.ts"
import { scratchDirectory } from "../../support/scratch.ts"

let mock: BatchMock
let store: RunStore
afterEach(async () => {
  store.close()
  await mock.close()
})

const names = Object.keys(batchServices) as BatchServiceName[]

async function open(name: BatchServiceName, options: DeskOptions = {}) {
  mock = await batchServices[name].start(options)
  store = openRunStore(scratchDirectory())
  return (model: string) => batchServices[name].provider(mock, model)
}

const usd = (figure: { readonly status: string; readonly value?: number } | undefined) =>
  figure?.status === "known" ? Number(figure.value?.toFixed(9)) : figure

describe.each(names)("a run by batch through %s", (name) => {
  /** Every day the simulated worlds have faults of the network, through all services. */
  const faults = { skip: !isNightly && name !== "openai" }

  it("sends one batch a variant after one live call, bills it at the batch price, and measures no latency", async () => {
    const at = await open(name)
    const { report, status } = await runBatched(store, { a: at("model-a"), b: at("model-b") })
    expect(status).toBe("finished")
    expect(mock.live).toHaveLength(2)
    expect(mock.batches.map(({ requests }) => requests.length)).toEqual([11, 11])
    for (const variant of report.variants) {
      expect(variant.outcomes).toEqual({ ok: 12 })
      expect(usd(variant.cost.totalUsd)).toBe(0.006 + 11 * 0.003)
      expect(variant.quality[0]?.figure).toMatchObject({ status: "known", value: 1 })
      const { ttftMs, e2eMs, tpotMs, systemTokensPerSecond, requestsPerSecond } = variant.speed
      const reason = { status: "unknown", reason: "not measured (batch)" }
      for (const { p50 } of [ttftMs, e2eMs, tpotMs]) expect(p50).toEqual(reason)
      expect([systemTokensPerSecond, requestsPerSecond]).toEqual([reason, reason])
      expect(variant.speed).toMatchObject({ measured: 0, untimed: 12 })
    }
  })

  it("learns what the model refuses from the live call, and leaves it out of the batch", async () => {
    const at = await open(name)
    const { report, status } = await runBatched(store, { a: at("model-new") })
    expect(status).toBe("finished")
    expect(JSON.stringify(mock.batches[0]?.requests)).not.toContain("temperature")
    expect(report.variants[0]?.notes.join()).toContain("temperature: refused")
  })

  it("gives every request of a batch its own class, and asks again only what failed", async () => {
    const fates: readonly Fate[] = ["ok", "error", "overloaded", "cancelled", "missing", "ok"]
    let good = false
    const at = await open(name, {
      fate: ({ id }) => (good ? "ok" : (fates[Number(id.split("-")[1]) % fates.length] as Fate)),
    })
    const providers = { a: at("model-a") }
    const first = await runBatched(store, providers, { samples: 7 })
    // Gemini has no word for a single request that was cancelled, and keeps the order where a reply is missing.
    const cancelled = name === "gemini" ? { http_4xx: 2 } : { http_4xx: 1, batch_cancelled: 1 }
    expect(first.report.variants[0]?.outcomes).toEqual({ ok: 3, http_5xx: 1, batch_missing: 1, ...cancelled })
    expect(first.report.variants[0]?.cost.totalUsd).toMatchObject({ status: "unknown" })
    good = true
    const { report, status } = await runBatched(store, providers, { samples: 7 }, { resume: first.record.id })
    expect(status).toBe("finished")
    expect(report.variants[0]?.outcomes).toEqual({ ok: 7 })
    // One of the four was tried live, the other three in a batch.
    expect(mock.live).toHaveLength(2)
    expect(mock.batches.map(({ requests }) => requests.length)).toEqual([6, 3])
  })

  // Anthropic's batches do not fail as a whole: their requests do.
  const ends = [["expired", "batch_expired"] as const, ["failed", "batch_failed"] as const]
  it.each(ends.slice(0, name === "anthropic" ? 1 : 2))(
    "classes the requests of a batch that %s as a whole, at no cost",
    async (end, outcome) => {
      const at = await open(
        name,
        name === "gemini"
          ? { end: () => end }
          : { end: () => end, fate: () => (end === "expired" ? "expired" : "missing") },
      )
      const { report } = await runBatched(store, { a: at("model-a") })
      expect(report.variants[0]?.outcomes).toEqual({ ok: 1, [outcome]: 11 })
      expect(usd(report.variants[0]?.cost.totalUsd)).toBe(0.006)
    },
  )

  it("stops before the batch when the live call fails", async () => {
    mock = await batchServices[name].start()
    store = openRunStore(scratchDirectory())
    const { status, reason } = await runBatched(
      store,
      { a: batchServices[name].provider(mock, "model-a") },
      {},
      { environment: { OPENAI_API_KEY: "wrong-key", ANTHROPIC_API_KEY: "wrong-key", GEMINI_API_KEY: "wrong-key" } },
    )
    expect(status).toBe("incomplete")
    expect(reason).toMatch(/first call/)
    expect(mock.batches).toEqual([])
  })

  it("finds a batch again whose request was done and whose reply was lost, and sends none twice", faults, async () => {
    const at = await open(name, {
      fault: (what, number) =>
        /^POST .*(\/batches|:batchGenerateContent)$/.test(what) && number === 1 ? { status: 502, after: true } : null,
    })
    const { report, status } = await runBatched(store, { a: at("model-a") })
    expect(status).toBe("finished")
    expect(report.variants[0]?.outcomes).toEqual({ ok: 12 })
    expect(mock.batches).toHaveLength(1)
  })

  it("sends a batch again whose request was not done, after it has looked for it twice", faults, async () => {
    const at = await open(name, {
      fault: (what, number) =>
        /^POST .*(\/batches|:batchGenerateContent)$/.test(what) && number === 1 ? { status: 502 } : null,
    })
    const { status } = await runBatched(store, { a: at("model-a") })
    expect(status).toBe("finished")
    expect(mock.batches).toHaveLength(1)
    expect(mock.asked.filter((what) => /^GET .*\/batches$/.test(what))).toHaveLength(2)
  })

  it("asks on after faults of the moment, and waits as long as the service says", faults, async () => {
    const at = await open(name, {
      looks: 2,
      fault: (what, number) => (/^GET .*\/ID/.test(what) && number % 2 === 1 ? { status: 503 } : null),
    })
    const { status } = await runBatched(store, { a: at("model-a") })
    expect(status).toBe("finished")
    expect(mock.batches).toHaveLength(1)
  })
})
