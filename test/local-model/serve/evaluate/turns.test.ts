import { expect, it } from "vitest"
import { createTurns } from "../../../../src/local-model/serve/evaluate/turns.ts"

it("who enters in the middle of a step waits for its end, and the answer is alone no longer", async () => {
  const turns = createTurns()
  await turns.enter()
  expect(turns.isAlone).toBe(true)
  const said: string[] = []
  let end = () => {}
  const step = turns.step(() => new Promise<void>((resolve) => (end = resolve))).then(() => said.push("step"))
  const entered = turns.enter().then(() => said.push("entered"))
  expect(turns.isAlone).toBe(false)
  await new Promise((resolve) => setImmediate(resolve))
  expect(said).toEqual([])
  end()
  await Promise.all([step, entered])
  expect(said).toEqual(["step", "entered"])
  turns.leave()
  expect(turns.isAlone).toBe(true)
})

it("a step that fails keeps nobody waiting, and its error reaches who took it", async () => {
  const turns = createTurns()
  await turns.enter()
  const failed = turns.step(() => Promise.reject(new Error("no slot")))
  const entered = turns.enter()
  await expect(failed).rejects.toThrow("no slot")
  await entered
  await turns.settled()
})
