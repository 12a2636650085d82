import { readFileSync } from "node:fs"
import { describe, expect, it, vi } from "vitest"
import { entryFiles, groupFiles, publicNames } from "../../scripts/reference/public-names.ts"
import { UsageError } from "../../src/core/errors.ts"
import { wrongOptions } from "../support/wrong-options.ts"

type Actual = typeof import("../../src/core/options.ts")

const checks = vi.hoisted((): { known: object }[] => [])

vi.mock("../../src/core/options.ts", async (load) => {
  const actual = await load<Actual>()
  const checkOptions: Actual["checkOptions"] = (factory: string, options: object | undefined, table = factory) => {
    checks.push({ known: Object(actual.optionTable(table as "rouge")) })
    actual.checkOptions(factory, options, table as "rouge")
  }
  return { ...actual, checkOptions }
})

/** Entries whose functions a config calls; the other ones are called by programs. */
const called = [
  "evalkit",
  "evalkit/metrics",
  "evalkit/judges",
  "evalkit/datasets",
  "evalkit/providers",
  "evalkit/reports",
]

/** Folders whose functions are called while a run is judged, with what the engine gives them. */
const inner = /^src\/(analyse|bench|calls|core\/report|estimate|pipeline|rows|run|score|stats)\//

interface Factory {
  readonly name: string
  readonly symbol: string
  readonly file: string
  /** Place of its options among its parameters. */
  readonly at: number
}

/**
 * Every public function that takes options: the parameter is called `options`, or its type is named so. Found in the
 * text, so that a new one is found without being listed.
 */
function factories(): Factory[] {
  const files = [...entryFiles()].flatMap(([entry, file]) =>
    called.includes(entry) ? [file, ...groupFiles(file)] : [],
  )
  const result = new Map<string, Factory>()
  for (const [name, { file, symbol }] of files.flatMap((file) => [...publicNames(file)])) {
    if (inner.test(file) || symbol === "*") continue
    const at = parametersOf(readFileSync(file, "utf8"), symbol).findIndex(
      (parameter) => /^options\b/.test(parameter) || /: \w*(Options|Window)\b/.test(parameter),
    )
    if (at >= 0) result.set(`${file}#${symbol}`, { name, symbol, file, at })
  }
  return [...result.values()]
}

/** The parameters of a function as they are written: `options: BleuOptions = {}`. */
function parametersOf(source: string, symbol: string): string[] {
  const declarations = [
    ...source.matchAll(new RegExp(`^export (?:async )?function\\*? ${symbol}\\b(?:<[^(]*>)?\\(`, "gm")),
  ]
  const last = declarations.at(-1)
  if (!last) return []
  const parameters: string[] = [""]
  let depth = 1
  for (const letter of source.slice(last.index + last[0].length)) {
    if ("({[<".includes(letter)) depth++
    if (")}]>".includes(letter) && --depth === 0) break
    if (letter === "," && depth === 1) parameters.push("")
    else parameters[parameters.length - 1] += letter
  }
  return parameters.map((parameter) => parameter.trim())
}

/** A generator does nothing before its first value is asked for. */
function isStream(made: unknown): made is AsyncGenerator {
  return typeof made === "object" && made !== null && "next" in made
}

describe("every public factory", () => {
  const all = factories()

  it("that takes options is found", () => {
    expect(all.length).toBeGreaterThan(110)
    expect(all.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["openai", "exactMatch", "rubric", "dataset", "local", "html", "custom", "classifier"]),
    )
  })

  it.each(all.map((factory) => [factory.name, factory] as const))(
    "%s refuses an option that it does not have",
    async (_, factory) => {
      const error = await faultOf(factory, { notAnOption: 1 })
      expect(error, `call checkOptions first in ${factory.file}`).toBeInstanceOf(UsageError)
      expect(error).toMatchObject({
        code: "unknown_option",
        what: expect.stringContaining('has no option "notAnOption"'),
      })
    },
  )

  it("refuses every word, field and item that an option does not know", async () => {
    const passed: string[] = []
    let tried = 0
    for (const factory of all) {
      checks.length = 0
      await faultOf(factory, {})
      for (const { path, options } of wrongOptions(checks[0]?.known ?? {})) {
        tried++
        const error = await faultOf(factory, options)
        const isNamed =
          error instanceof UsageError && ["unknown_option", "unknown_word", "option_type"].includes(error.code)
        if (!isNamed) passed.push(`${factory.name}({ ${path} }): ${JSON.stringify(options)} gives ${String(error)}`)
      }
    }
    expect(passed).toEqual([])
    expect(tried).toBeGreaterThan(2000)
  }, 60_000)
})

/** What a factory throws for its options; null where it throws nothing. */
async function faultOf({ file, symbol, at }: Factory, options: object): Promise<unknown> {
  const module = (await import(`../../${file}`)) as Record<string, (...args: unknown[]) => unknown>
  const input = [...Array.from({ length: at }, () => "x"), options]
  return Promise.resolve()
    .then(() => module[symbol]?.(...input))
    .then((made) => (isStream(made) ? made.next() : made))
    .then(
      () => null,
      (thrown: unknown) => thrown,
    )
}
