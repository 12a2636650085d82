import { expect, it } from "vitest"
import { createRunControl } from "../../src/calls/control.ts"
import { createModelCaller } from "../../src/calls/model-caller.ts"
import { openSessions } from "../../src/calls/open-sessions.ts"
import type { ModelCall } from "../../src/core/run/run-store.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { createFakeClock } from "../support/fake-clock.ts"
import { fakeAnswer, fakeProvider } from "../support/fake-provider.ts"
import { scratchDirectory } from "../support/scratch.ts"

const { signal } = new AbortController()

it("sends the next call only when one before is in the store: a kill loses no more than may be in flight", async () => {
  const clock = createFakeClock()
  const store = openRunStore(scratchDirectory())
  const sessions = openSessions({ clock, signal, environment: {}, cacheDirectory: "", progress: () => {} })
  const saving: (() => void)[] = []
  const saved: ModelCall[] = []
  const judge = fakeProvider("judge", () => fakeAnswer("yes"))
  const models = createModelCaller({
    evaluation: { timeouts: {}, retry: { retries: 0 }, seed: 1 } as never,
    store,
    variant: "v",
    control: createRunControl({ clock, signal, sessions, concurrency: 2 }),
    save: (call) =>
      new Promise<void>((resolve) => {
        saving.push(() => {
          saved.push(call)
          resolve()
        })
      }),
  })
  const calls = Array.from({ length: 6 }, (_, i) =>
    models.call(judge, { messages: [{ role: "user", content: `question ${i}` }], parameters: {} }, "judge"),
  )
  const settle = () => new Promise((resolve) => setTimeout(resolve, 20))
  const unsaved: number[] = []
  while (saved.length < calls.length) {
    await settle()
    unsaved.push(judge.requests.length - saved.length)
    for (const done of saving.splice(0, 1)) done()
  }
  await Promise.all(calls)
  expect(Math.max(...unsaved)).toBe(2)
  await sessions.closeAll()
  store.close()
})
