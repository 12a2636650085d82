import { figureValue } from "evalkit/reports"
import { describe, expect, it } from "vitest"
import type { GenerateObserver } from "../../src/calls/observer.ts"
import type { Generation } from "../../src/core/generation.ts"
import type { ProviderSession } from "../../src/core/provider.ts"
import { serverWindow } from "../../src/perf/server/server-window.ts"
import type { RunStage } from "../../src/run/run-stage.ts"
import { createServerWatches } from "../../src/run/server-watches.ts"

/** A server that has read so many prompts, of 100 tokens and 40 ms each; undefined: it cannot be reached. */
function serverOf(pages: (number | undefined)[]): ProviderSession {
  const text = (prompts: number) =>
    `llamacpp:prompt_tokens_total ${prompts * 100}\nllamacpp:prompt_seconds_total ${prompts * 0.04}\n`
  const metricsText = () => {
    const prompts = pages.shift()
    return Promise.resolve(prompts === undefined ? null : text(prompts))
  }
  return { metricsText } as unknown as ProviderSession
}

const stage = {
  store: { variantState: () => null },
  record: { id: "r" },
  control: {
    signal: new AbortController().signal,
    clock: { now: () => 0, sleep: (_: number, signal: AbortSignal) => untilAborted(signal) },
  },
} as unknown as RunStage

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))))
}

const answer = {
  source: "measured",
  outcome: "ok",
  retries: [],
  usage: { promptTokens: 100, cachedPromptTokens: null, completionTokens: 2, reasoningTokens: null },
  log: {
    scheduledMs: 0,
    sendMs: 0,
    connectMs: null,
    headersMs: 40,
    endMs: 80,
    events: [
      { atMs: 50, kind: "content", bytes: 4, tokens: null },
      { atMs: 80, kind: "content", bytes: 4, tokens: null },
    ],
  },
} as unknown as Generation

describe("the watch over a server's metrics", () => {
  it("counts no request of a phase whose end could not be read: the time of the others is not shared out over it", async () => {
    const watches = createServerWatches(stage)
    const observer = { callSaved: () => {} } as unknown as GenerateObserver
    const session = serverOf([0, 10, 10, undefined])
    for (let phase = 0; phase < 2; phase++) {
      const watch = await watches.begin("a", session, observer)
      for (let i = 0; i < 10; i++) watch.observer.callSaved(answer)
      await watch.end()
    }
    const totals = watches.totals("a")
    expect(totals?.client).toMatchObject({ requests: 10, answers: 10 })
    // 0.4 s for ten prompts: 40 ms each, not 20.
    expect(totals && figureValue(serverWindow(totals, totals.client?.requests ?? null).times.prefillMs)).toBeCloseTo(40)
  })
})
