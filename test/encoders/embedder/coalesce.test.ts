import { describe, expect, it } from "vitest"
import { coalesce } from "../../../src/encoders/embedder/coalesce.ts"

describe("coalesce", () => {
  it("joins the calls of one turn and sends equal items once", async () => {
    const seen: string[][] = []
    const ask = coalesce(async (items: readonly string[]) => {
      seen.push([...items])
      return items.map((item) => item.toUpperCase())
    })
    expect(await Promise.all([ask(["a", "b"]), ask(["b", "c", "b"])])).toEqual([
      ["A", "B"],
      ["B", "C", "B"],
    ])
    expect(seen).toEqual([["a", "b", "c"]])
  })

  it("fails all callers together", async () => {
    const ask = coalesce(() => Promise.reject(new Error("broken")))
    const results = await Promise.allSettled([ask(["a"]), ask(["b"])])
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"])
  })

  it("lets a caller go who aborts, and stops when nobody is left", async () => {
    let stopped = false
    const ask = coalesce(
      (_items: readonly string[], signal) =>
        new Promise<string[]>((_, reject) =>
          signal.addEventListener("abort", () => {
            stopped = true
            reject(signal.reason)
          }),
        ),
    )
    const [first, second] = [new AbortController(), new AbortController()]
    const calls = [ask(["a"], first.signal), ask(["b"], second.signal)]
    await new Promise((resolve) => setImmediate(resolve))
    first.abort(new Error("first left"))
    await expect(calls[0]).rejects.toThrow("first left")
    expect(stopped).toBe(false)
    second.abort(new Error("second left"))
    await expect(calls[1]).rejects.toThrow("second left")
    expect(stopped).toBe(true)
  })
})
