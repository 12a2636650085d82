import { expect, it } from "vitest"
import { sideBySide } from "../../../src/analyse/summary/side-by-side.ts"
import { interrupted } from "../../../src/core/interruption.ts"

type Options = Parameters<typeof sideBySide<number, string, string>>[1]

const options: Options = {
  threads: 1,
  here: async (task) => `${task} here`,
  there: async (task) => `${task} there`,
  finish: async (_, measures) => `${measures}, finished`,
  failed: (error) => expect.fail(String(error)),
  turn: () => undefined,
}

/** A promise that is kept from outside. */
function later<T>() {
  let keep: (value: T) => void = () => {}
  let fail: (error: unknown) => void = () => {}
  const promise = new Promise<T>((resolve, reject) => {
    keep = resolve
    fail = reject
  })
  return { promise, keep, fail }
}

it("gives what was made in the order of the tasks, whoever was faster", async () => {
  const slow = later<void>()
  const made = sideBySide([0, 1, 2, 3], {
    ...options,
    async here(task) {
      await slow.promise
      return `${task} here`
    },
    async there(task) {
      if (task === 3) slow.keep()
      return `${task} there`
    },
  })
  expect(await made).toEqual(["0 here, finished", "1 there, finished", "2 there, finished", "3 there, finished"])
})

it("takes the next task while another thread still has the one before", async () => {
  const slow = later<string>()
  const made = sideBySide([0, 1, 2], {
    ...options,
    there: () => slow.promise,
    async finish(task, measures) {
      if (task === 2) slow.keep("1 there")
      return measures
    },
  })
  expect(await made).toEqual(["0 here", "1 there", "2 here"])
})

it("does everything in this thread where there is no other, each task once", async () => {
  const done: number[] = []
  const made = await sideBySide([5, 6], {
    ...options,
    threads: 0,
    async here(task) {
      done.push(task)
      return `${task}`
    },
    there: () => expect.fail("there is no other thread"),
  })
  expect([made, done]).toEqual([
    ["5, finished", "6, finished"],
    [5, 6],
  ])
})

it("does here what a thread failed at, says why, and gives that thread nothing more", async () => {
  const failures: string[] = []
  const asked: number[] = []
  const made = await sideBySide([0, 1, 2], {
    ...options,
    async there(task) {
      asked.push(task)
      throw new Error("no memory")
    },
    failed: (error) => failures.push(String(error)),
  })
  expect(made).toEqual(["0 here, finished", "1 here, finished", "2 here, finished"])
  expect([asked, failures]).toEqual([[1], ["Error: no memory"]])
})

it("fails with what fails in this thread", async () => {
  const hangs = later<string>()
  const made = sideBySide([0, 1], {
    ...options,
    async here() {
      throw new Error("the metric is broken")
    },
    there: () => hangs.promise,
  })
  await expect(made).rejects.toThrow("the metric is broken")
})

it("is interrupted while it waits for another thread", async () => {
  const hangs = later<string>()
  const made = sideBySide([0, 1], {
    ...options,
    there: () => hangs.promise,
    turn: () => Promise.reject(interrupted()),
  })
  await expect(made).rejects.toThrow("interrupted")
})

it("does nothing where there are no tasks", async () => {
  expect(await sideBySide([], { ...options, threads: 2, there: () => expect.fail("there is no task") })).toEqual([])
})
