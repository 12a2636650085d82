import { expect, it } from "vitest"
import { createRounds } from "../../../../src/local-model/serve/evaluate/rounds.ts"

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Answers of so many steps each; what each round had in it. */
async function answered(steps: readonly number[], { late = 0 } = {}): Promise<string[]> {
  const rounds = createRounds()
  const log: string[] = []
  let current: string[] = []
  await Promise.all(
    steps.map(async (count, name) => {
      for (let i = 0; i < late * name; i++) await turn()
      for (let step = 0; step < count; step++) {
        await rounds.take(async (isOnly) => {
          if (current.length === 0) void turn().then(() => log.push(current.splice(0).sort().join("")))
          current.push(`${name}${isOnly ? "!" : ""}`)
          // As samples of one batch come one after the other.
          for (let i = 0; i < 2 + name; i++) await turn()
        })
        for (let hops = 0; hops < 50; hops++) await Promise.resolve()
      }
    }),
  )
  await rounds.settled()
  return log
}

it("puts all answers into each round, those whose samples come last and those that begin in the middle of one, too", async () => {
  // The first one finds nobody else; from then on they are together.
  expect(await answered([4, 3, 3])).toEqual(["0!", "012", "012", "012"])
  const late = await answered([9, 6, 4], { late: 3 })
  expect(late.filter((round) => round === "012")).toHaveLength(4)
})

it("tells an answer that nobody else is in its round, and keeps it waiting for nobody", async () => {
  const rounds = createRounds()
  let turns = 0
  const counting = setImmediate(() => turns++)
  for (let step = 0; step < 5; step++) expect(await rounds.take(async (isOnly) => isOnly)).toBe(true)
  expect(turns).toBe(0)
  clearImmediate(counting)
  expect(await answered([3])).toEqual(["0!", "0!", "0!"])
})

it("changes a sequence only while nothing is evaluated, and before the next round", async () => {
  const rounds = createRounds()
  const log: string[] = []
  let end = () => {}
  const step = rounds.take(() => new Promise<void>((resolve) => (end = resolve))).then(() => log.push("step"))
  const change = rounds.between(async () => log.push("change")).then(() => rounds.take(async () => log.push("first step")))
  const next = rounds.take(async (isOnly) => log.push(`next step${isOnly ? " alone" : ""}`))
  await turn()
  expect(log).toEqual([])
  end()
  await Promise.all([step, change, next])
  expect(log).toEqual(["step", "change", "next step", "first step"])
})

it("goes on after work that fails, and its error reaches who took it", async () => {
  const rounds = createRounds()
  const failed = rounds.take(() => Promise.reject(new Error("no slot")))
  const other = rounds.take(async () => "done")
  await expect(failed).rejects.toThrow("no slot")
  await expect(rounds.between(() => Promise.reject(new Error("no room")))).rejects.toThrow("no room")
  expect(await other).toBe("done")
  await rounds.settled()
})
