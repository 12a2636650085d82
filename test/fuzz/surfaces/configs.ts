import { writeFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { exactMatch } from "../../../metrics/match/exact-match.ts"
import { validateConfig } from "../../../src/config/validate.ts"
import { scored } from "../../../src/core/metric/metric.ts"
import { fakeAnswer, fakeProvider } from "../../support/fake-provider.ts"
import { faultOf, faultOfCommand } from "../faults.ts"
import { editJson, type JsonEdit, jsonEdits, junk, texts } from "../inputs.ts"
import { surface } from "../surface.ts"

const fail = () => {
  throw new Error("it was touched")
}

/** Answers that are a record: no client's error is measured, which takes seconds. */
const provider = (text: string) => fakeProvider(text, () => fakeAnswer(text), { traits: { isRecord: true } })

/** Values that no JSON file can hold, made anew at each call, so that no input changes another. */
const traps: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  NaN: () => Number.NaN,
  bigint: () => 1n,
  symbol: () => Symbol("x"),
  function: () => () => 1,
  "async function": () => async () => {},
  "function that throws": () => fail,
  "function that rejects": () => () => Promise.reject(new Error("rejected")),
  "function that throws null": () => () => {
    throw null
  },
  class: () => class {},
  "bad date": () => new Date(Number.NaN),
  map: () => new Map(),
  pattern: () => /x/,
  getter: () => Object.defineProperty({}, "name", { get: fail, enumerable: true }),
  proxy: () => new Proxy({}, { get: fail, has: fail, ownKeys: fail, getPrototypeOf: fail }),
  "null prototype": () => Object.assign(Object.create(null), { name: "x" }),
  // biome-ignore lint/suspicious/noThenProperty: that it is one is what is tried
  then: () => JSON.parse('{"then":1}'),
  frozen: () => Object.freeze([Object.freeze({})]),
  "text that throws": () => ({ toString: fail, [Symbol.toPrimitive]: fail, toJSON: fail }),
  "error that throws": () => () => {
    throw { toString: fail, [Symbol.toPrimitive]: fail }
  },
  cycle: () => {
    const cycle: Record<string, unknown> = {}
    cycle.self = cycle
    return cycle
  },
}

const edits = (most: number) =>
  jsonEdits(
    most,
    fc.oneof(
      junk,
      fc.constantFrom(...Object.keys(traps)).map((name) => `TRAP ${name}`),
    ),
  )

/** The config with the changes made. */
function changed(list: readonly JsonEdit[]): unknown {
  const made = (value: unknown) =>
    typeof value === "string" && value.startsWith("TRAP ") ? traps[value.slice(5)]!() : value
  return editJson(
    base(),
    list.map((edit) => ({ ...edit, value: made(edit.value) })),
  )
}

const base = () => ({
  name: "x",
  dataset: [{ id: "a", input: "1", reference: "1" }],
  variants: [
    {
      name: "one",
      provider: provider("1"),
      prompt: "{{input}}",
      parameters: { temperature: 0 },
      price: null,
    },
    { name: "two", provider: provider("2"), limits: { concurrency: 2 } },
  ],
  metrics: [exactMatch(), { ...exactMatch(), name: "own", measure: () => scored(1) }],
  primary: ["exactMatch"],
  baseline: "one",
  margin: 0.01,
  alpha: 0.05,
  repeats: 1,
  timeouts: { totalMs: 500 },
  retry: { retries: 0 },
  budget: "5 requests",
  axes: ["exactMatch", "e2eMs.p50"],
  constraints: ["exactMatch > 0.1"],
  gate: [{ figure: "exactMatch", min: 0.1 }],
})

/** Configs of other shapes, checked by the library. */
export const configObjects = surface(
  "config objects",
  9,
  () => edits(3),
  (list) => faultOf(() => validateConfig(changed(list))),
)

/** Configs of other shapes, with metrics and providers of other shapes in them, run to the end. */
export const runConfigs = surface(
  "configs that are run",
  0.5,
  () => edits(2),
  async (list, room) => {
    Reflect.set(globalThis, "evalkitFuzzConfig", changed(list))
    const name = `fuzz-${++files}.config.mjs`
    writeFileSync(join(room.cwd, name), "export default globalThis.evalkitFuzzConfig")
    const ended = await room.command(["run", name, "--directory", ".fuzz", "--no-html"], 5000)
    room.reset()
    return faultOfCommand(ended)
  },
)

/** Node imports a file of one name once: each config has a name of its own. */
let files = 0

/** Statements that a config may consist of. */
const statements = [
  "throw new Error(TEXT)",
  "throw TEXT",
  "throw null",
  "throw { toString() { throw 1 } }",
  "throw Object.defineProperty(new Error(), 'message', { get() { throw 2 } })",
  "throw Object.assign(new Error(TEXT), { stack: null, name: 5 })",
  "throw new Proxy({}, { get() { throw 3 } })",
  "export default TEXT",
  "export default () => { throw new Error(TEXT) }",
  "export default async () => { throw null }",
  "export default () => TEXT",
  "export default () => () => ({})",
  "export default { then(done) { done({}) } }",
  "export default { then(_, fail) { fail(TEXT) } }",
  "export default new Proxy({}, { get() { throw new Error(TEXT) }, ownKeys() { throw new Error(TEXT) } })",
  "export default { get variants() { throw new Error(TEXT) } }",
  "export default { variants: [{ name: TEXT, provider: TEXT }] }",
  "export default { dataset: TEXT }",
  "export default { [TEXT]: 1 }",
  "export default { budget: TEXT, constraints: [TEXT], gate: [{ figure: TEXT, min: 0 }], axes: [TEXT] }",
  "import x from TEXT",
  "import { nothing } from 'evalkit'; nothing()",
  "import { exactMtch } from 'evalkit'; export default { metrics: [exactMtch()] }",
  "import './absent.mjs'",
  "export default",
  "const",
  "await Promise.reject(TEXT)",
  "module.exports = TEXT",
]

/** Config files: code that throws, exports something else, or is none. */
export const configModules = surface(
  "config files",
  1,
  () =>
    fc.record({
      body: fc.oneof(
        {
          weight: 6,
          arbitrary: fc
            .tuple(fc.constantFrom(...statements), texts)
            .map(([code, text]) => code.replaceAll("TEXT", JSON.stringify(text))),
        },
        { weight: 1, arbitrary: texts },
      ),
      extension: fc.constantFrom("mjs", "ts"),
      command: fc.constantFrom("run", "doctor", "score"),
    }),
  async ({ body, extension, command }, room) => {
    const name = `fuzz-${++files}.config.${extension}`
    writeFileSync(join(room.cwd, name), body)
    const args = command === "score" ? ["score", "outputs.csv", "--config", name] : [command, name]
    return faultOfCommand(await room.command(args))
  },
)
