import { describe, expect, it } from "vitest"
import { entryFiles, groupFiles, publicNames, unnamedTypes } from "../../scripts/reference/public-names.ts"
import * as evalkit from "../../src/index.ts"

const entries = [...entryFiles()].map(([entry, file]) => ({ entry, file, names: publicNames(file) }))

describe("the public names", () => {
  it("come from the entry and its sub-paths", () => {
    expect(entries.map(({ entry }) => entry)).toEqual(
      expect.arrayContaining(
        [
          "",
          "/metrics",
          "/judges",
          "/datasets",
          "/providers",
          "/stats",
          "/reports",
          "/bench",
          "/engine",
          "/vitest",
        ].map((path) => `evalkit${path}`),
      ),
    )
    for (const { entry, names } of entries) expect(names.size, entry).toBeGreaterThan(0)
  })

  it("are each marked @public or @experimental in their doc comment", () => {
    const groups = entries.flatMap(({ file }) => groupFiles(file)).map((file) => publicNames(file))
    const unmarked = [...entries.map(({ names }) => names), ...groups].flatMap((names) =>
      [...names].flatMap(([name, { file, comment }]) => {
        const marks = comment?.match(/@(?:public|experimental)\b/g) ?? []
        return marks.length === 1 ? [] : [`${name} (${file})`]
      }),
    )
    expect([...new Set(unmarked)], "say @public or @experimental at the end of the doc comment").toEqual([])
  })

  it("mean one thing each, whichever entry they come from", () => {
    const places = new Map<string, Set<string>>()
    // A test file says evaluate() as a program says it to the engine; no file imports both.
    for (const { names } of entries.filter(({ entry }) => entry !== "evalkit/vitest"))
      for (const [name, { file, symbol }] of names)
        places.set(name, (places.get(name) ?? new Set()).add(`${file}#${symbol}`))
    expect([...places].filter(([, meanings]) => meanings.size > 1)).toEqual([])
  })

  it("are those of the list, which changes with a line in the changelog", async () => {
    const lines = entries.flatMap(({ entry, names }) =>
      [...names].map(
        ([name, { comment }]) => `${entry} ${name}${/@experimental\b/.test(comment ?? "") ? " (experimental)" : ""}`,
      ),
    )
    await expect(`${lines.sort().join("\n")}\n`).toMatchFileSnapshot("../golden/public-names.txt")
  })

  it("have names for all types of their signatures", () => {
    expect([...unnamedTypes()]).toEqual([])
  })

  it("of the front door are few enough to be read, and what a config names", () => {
    const values = Object.keys(evalkit)
    expect(values.length).toBeLessThanOrEqual(180)
    expect(values).toEqual(
      expect.arrayContaining(["defineConfig", "variant", "dataset", "openai", "exactMatch", "rubric"]),
    )
  })

  it("give both the metric and the rubric that are called toxicity", () => {
    expect(evalkit.toxicity().name).toBe("toxicity")
    expect(evalkit.rubrics.toxicity.name).toBe("toxicity")
    expect(evalkit.rubrics.toxicity).toHaveProperty("choices")
  })
})
