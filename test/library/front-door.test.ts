import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { evaluate, exactMatch, inline, rouge, score, variant } from "../../src/index.ts"
import { type FunctionCall, fromFunction } from "../../src/providers.ts"
import { temporaryFolder } from "../support/browser.ts"

const questions = Array.from({ length: 12 }, (_, i) => ({ id: `q${i}`, input: `${i} + 1?`, reference: `${i + 1}` }))
const plus = (text: string) => String(Number.parseInt(text, 10) + 1)
const asked = ({ messages }: FunctionCall) => String(messages.at(-1)?.content)
const config = (directory: string) => ({
  name: "sums",
  dataset: inline(questions),
  variants: [
    variant({ name: "now", provider: fromFunction((call) => plus(asked(call))) }),
    variant({ name: "new", provider: fromFunction((call) => (asked(call).startsWith("1") ? "?" : plus(asked(call)))) }),
  ],
  metrics: [exactMatch()],
  directory,
})

describe("evaluate", () => {
  it("runs a config in one call: decision, figures, and the run in any format", async () => {
    const folder = await temporaryFolder()
    const seen: number[] = []
    const result = await evaluate(config(folder.path), { onProgress: ({ variants }) => seen.push(variants.length) })
    expect(result).toMatchObject({ status: "finished", reason: null })
    expect(result.decision).toMatchObject({ baseline: "now", about: "new" })
    const figures = result.figures().filter(({ figure }) => figure === "exactMatch")
    expect(figures).toMatchObject([
      { variant: "now", status: "known", value: 1 },
      { variant: "new", status: "known", value: 0.75 },
    ])
    expect(await result.render("markdown")).toMatch(/^## (KEEP|INCONCLUSIVE): /)
    const file = join(folder.path, "report.json")
    expect(await result.render("json", file)).toBe("")
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ run: { id: result.id } })
    await expect(result.render("pdf")).rejects.toThrow('there is no format "pdf"')
    await expect(result.render("parquet")).rejects.toThrow("parquet is not text")
    await expect(result.render("json", join(file, "below.json"))).rejects.toThrow("cannot be written")
    await folder.remove()
  })

  it("waits for a store that another run writes to, until it is told to end", async () => {
    const folder = await temporaryFolder()
    const [first, second] = await Promise.all([evaluate(config(folder.path)), evaluate(config(folder.path))])
    expect(first.id).not.toBe(second.id)
    expect([first.status, second.status]).toEqual(["finished", "finished"])
    const ended = AbortSignal.abort(new Error("enough"))
    await expect(evaluate(config(folder.path), { signal: ended })).rejects.toThrow("enough")
    await folder.remove()
  })

  it("refuses a config that cannot be run before anything is asked", async () => {
    let calls = 0
    const provider = fromFunction(() => String(calls++))
    await expect(
      evaluate({ ...config("x"), variants: [variant({ name: "a", provider }), variant({ name: "a", provider })] }),
    ).rejects.toThrow(/a/)
    expect(calls).toBe(0)
  })
})

describe("score", () => {
  it("scores answers that are there already, with a figure and its interval", async () => {
    const { figures, answers } = await score(
      [
        { output: "Paris", reference: "Paris", input: "The capital of France?" },
        { output: "Lyon", reference: "Paris" },
        { output: "Paris" },
      ],
      [exactMatch(), rouge()],
    )
    expect(answers.map(({ exactMatch: entry }) => entry)).toEqual([
      { status: "scored", value: 1 },
      { status: "scored", value: 0 },
      { status: "unscored", reason: expect.stringContaining("reference") },
    ])
    expect(figures.exactMatch).toMatchObject({ status: "known", value: 0.5, n: 2, low: expect.any(Number) })
    expect(Object.keys(figures)).toHaveLength(2)
  })

  it("takes answers to one question together", async () => {
    const input = Array.from({ length: 40 }, (_, i) => ({
      output: i % 2 ? "a" : "b",
      reference: "a",
      input: `q${i % 4}?`,
    }))
    const { figures } = await score(input, [exactMatch()])
    const alone = await score(
      input.map((entry, i) => ({ ...entry, input: `q${i}?` })),
      [exactMatch()],
    )
    expect(figures.exactMatch).toMatchObject({ value: 0.5, method: expect.stringContaining("cluster") })
    expect(alone.figures.exactMatch).toMatchObject({ value: 0.5, method: expect.not.stringContaining("cluster") })
  })

  it.each([
    ["an answer without text", [{ reference: "x" } as never], [exactMatch()], "an answer needs its text in `output`"],
    [
      "a metric without what it depends on",
      [],
      [{ ...exactMatch(), name: "b", dependsOn: ["a"] }],
      "the metric b needs the metric a",
    ],
  ] as const)("refuses %s", async (_, answers, metrics, message) => {
    await expect(score(answers, metrics as never)).rejects.toThrow(message)
  })
})
