import { describe, expect, it } from "vitest"
import { dataset, inline } from "../../src/datasets.ts"
import { evaluate, exactMatch, fromFunction, variant } from "../../src/index.ts"
import { scratchDirectory } from "../support/scratch.ts"

const questions = [{ input: "one" }, { input: "two" }, { input: "three" }]
const inputsOf = async (options: ReturnType<typeof inline>) => {
  const inputs: unknown[] = []
  for await (const { input } of options.samples()) inputs.push(input)
  return inputs
}
async function* slowly() {
  for (const row of questions) {
    await new Promise((resolve) => setImmediate(resolve))
    yield row
  }
}

describe("rows that code gives", () => {
  it.each([
    ["a list", () => questions],
    ["a set", () => new Set(questions)],
    ["a generator", () => questions.values()],
    ["an async generator", () => slowly()],
    [
      "a stream",
      () => new Blob([questions.map((row) => JSON.stringify(row)).join("\n")]).stream().pipeThrough(rowsOf()),
    ],
    ["a function", () => () => questions],
    ["an async generator function", () => slowly],
  ])("are the same in every pass, also of two at once: %s", async (_, make) => {
    const options = dataset.from(make())
    const passes = await Promise.all([inputsOf(options), inputsOf(options)])
    expect([...passes, await inputsOf(options)]).toEqual(Array.from({ length: 3 }, () => ["one", "two", "three"]))
    expect(await options.fingerprint()).toBe(await inline(questions).fingerprint())
  })

  it("are read anew from a function, and once from a generator", async () => {
    let times = 0
    const counted = function* () {
      times++
      yield* questions
    }
    const fresh = dataset.from(counted)
    await inputsOf(fresh)
    await inputsOf(fresh)
    expect(times).toBe(2)
    const once = dataset.from(counted())
    await inputsOf(once)
    await inputsOf(once)
    expect(times).toBe(3)
  })

  it("are refused at once where they are none", () => {
    for (const odd of [5, null, "rows", {}])
      expect(() => dataset.from(odd as never)).toThrow("expected rows: a list, a generator, or a function")
  })

  it("fail with their own error, in each pass", async () => {
    const broken = dataset.from(
      (async function* () {
        yield { input: "one" }
        throw new RangeError("the database is gone")
      })(),
    )
    for (const _ of [1, 2]) await expect(inputsOf(broken)).rejects.toThrow(new RangeError("the database is gone"))
  })
})

describe("what is wrong in code", () => {
  const cwd = scratchDirectory()
  const config = (over: object) => {
    const provider = fromFunction(() => {
      calls++
      return "x"
    })
    return {
      ...{ dataset: dataset.from(questions), variants: [variant({ name: "a", provider })], metrics: [exactMatch()] },
      directory: cwd,
      ...over,
    }
  }
  let calls = 0

  it.each([
    [null, "expected an object, got null"],
    [{ id: 1, input: "x" }, "id: expected a text"],
    [{ id: "1", input: 5 }, "input: expected a text, turns {role, content}, or null"],
    [{ id: "1", question: "x" }, "input: expected a text"],
    [{ id: "1", input: [{ text: "x" }] }, "input: expected a text"],
    [{ id: "1", input: "x", references: "x" }, "references: expected a list"],
    [
      { id: "1", input: "x", references: [], context: [], choices: [], expectedTools: [] },
      "metadata: expected an object",
    ],
  ])("a sample of a data set of one's own stops the run before anything is asked: %j", async (sample, words) => {
    calls = 0
    const own = {
      ...{ name: "own", source: "own", fingerprint: async () => "0123456789abcdef", skipped: () => [] },
      async *samples() {
        yield sample
      },
    }
    await expect(evaluate(config({ dataset: own }) as never)).rejects.toMatchObject({
      name: "UsageError",
      code: "bad_row",
      message: expect.stringContaining(`the data set gives something else than a sample: ${words}`),
    })
    expect(calls).toBe(0)
  })

  it("keeps the stack of a function that threw", async () => {
    const provider = fromFunction(() => {
      throw new TypeError("mine is broken")
    })
    const session = await provider.open({} as never)
    const controller = new AbortController()
    const answer = await session.request(
      { messages: [], parameters: {} } as never,
      {
        ...{ clock: { now: () => 0 }, originMs: 0, scheduledMs: 0, signal: controller.signal },
        timeouts: { totalMs: 1000 },
      } as never,
    )
    expect(answer.failure).toMatchObject({
      message: "mine is broken",
      stack: expect.stringMatching(/^TypeError: mine is broken\n +at .*rows-of-code\.test\.ts:\d+/),
    })
  })
})

/** Lines of JSON as rows. */
function rowsOf() {
  const decoder = new TextDecoder()
  let text = ""
  return new TransformStream<Uint8Array, { input: string }>({
    transform(bytes) {
      text += decoder.decode(bytes, { stream: true })
    },
    flush(controller) {
      for (const line of text.split("\n")) controller.enqueue(JSON.parse(line))
    },
  })
}
