import { basename, dirname } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { readRows } from "../../../../datasets/read-rows.ts"
import { messageOf, UsageError } from "../../../core/errors.ts"
import type { JsonObject, JsonValue } from "../../../core/json.ts"
import { objectOf, textOf } from "../../../interop/fields.ts"
import { checkOfCell, flatAssertions, type PlacedProvider, readCheck } from "./assertions.ts"
import { fileNamed, pathIn, textIn, yamlValue } from "./files.ts"
import { many, readProvider } from "./providers.ts"
import type { NotConverted, ReadCheck, ReadPrompt, ReadPromptfoo, ReadProvider, ReadTest } from "./types.ts"

/** More tests than a config spells out. */
const maxTests = 10_000

/** Members of a config that are read; what else there is, is said. */
const fields = new Set(["description", "prompts", "providers", "targets", "tests", "defaultTest", "$schema"])

/**
 * Reads a promptfoo config, and the files that it names: those beside it and below, never code.
 *
 * @param path absolute
 * @throws {UsageError} for a file that is no such config, or has no prompt, provider or test that can be converted
 */
export async function readPromptfoo(path: string, file: string): Promise<ReadPromptfoo> {
  const folder = dirname(path)
  const lost: NotConverted[] = []
  const config = objectOf(await yamlValue(await textIn(folder, basename(path), file), file))
  if (!config || !("prompts" in config) || !("providers" in config || "targets" in config))
    throw new UsageError("this is no promptfoo config: it has no prompts or no providers", { where: file })
  for (const name of Object.keys(config))
    if (!fields.has(name)) lost.push({ where: name, reason: "it has no counterpart" })
  const prompts = await readPrompts(config.prompts, folder, lost)
  const providers = many(config.providers ?? config.targets).flatMap(
    (entry, i) => readProvider(entry, `providers[${i}]`, lost) ?? [],
  )
  const defaultTest = objectOf(config.defaultTest) ?? {}
  const graders: PlacedProvider[] = []
  const tests = await readTests(config.tests, defaultTest, folder, lost, graders)
  const value = objectOf(defaultTest.options)?.provider
  if (value !== undefined) graders.unshift({ value, where: "defaultTest.options.provider" })
  const grader = graderOf(graders, lost)
  for (const name of Object.keys(objectOf(defaultTest.options) ?? {}))
    if (!["provider", "transform"].includes(name))
      lost.push({ where: `defaultTest.options.${name}`, reason: "it has no counterpart" })
  for (const [name, list] of [
    ["prompt", prompts],
    ["provider", providers],
    ["test", tests],
  ] as const)
    if (list.length === 0)
      throw new UsageError(`no ${name} of the config can be converted`, {
        where: lost.find(({ where }) => where.startsWith(`${name}s`))?.where ?? file,
        ...hintOf(lost.find(({ where }) => where.startsWith(`${name}s`))?.reason),
      })
  return { description: textOf(config.description) ?? null, prompts, providers, tests, grader, notConverted: lost }
}

/** The first provider that grades; the others that are not the same are said. */
function graderOf(graders: readonly PlacedProvider[], lost: NotConverted[]): ReadProvider | null {
  const [first] = graders
  if (!first) return null
  for (const { value, where } of graders)
    if (!isDeepStrictEqual(value, first.value) && !lost.some((notConverted) => notConverted.where === where))
      lost.push({ where, reason: "one model judges all: another is named before; the assertion is kept without it" })
  return readProvider(first.value, first.where, lost)
}

function hintOf(hint: string | undefined): { readonly hint?: string } {
  return hint === undefined ? {} : { hint }
}

async function readPrompts(
  value: JsonValue | undefined,
  folder: string,
  lost: NotConverted[],
): Promise<readonly ReadPrompt[]> {
  const prompts: ReadPrompt[] = []
  for (const [i, entry] of many(value).entries()) {
    const where = `prompts[${i}]`
    const own = objectOf(entry)
    const text = textOf(entry) ?? textOf(own?.raw) ?? textOf(own?.id)
    const label = textOf(own?.label)
    if (text === undefined) lost.push({ where, reason: "it is no text" })
    else
      try {
        prompts.push(...(await promptsOf(text, folder, where)).map((turns) => ({ label: label ?? "", turns })))
      } catch (error) {
        lost.push({ where, reason: messageOf(error) })
      }
  }
  return prompts.map(({ label, turns }, i) => ({ label: label || `prompt-${i + 1}`, turns }))
}

type Turns = ReadPrompt["turns"]

/** A prompt, or those of a file: texts with `---` between them, or a list of chat messages. */
async function promptsOf(text: string, folder: string, where: string): Promise<readonly Turns[]> {
  const name = fileNamed(text) ?? (/^[\w./-]+\.(?:txt|md|json|j2)$/.test(text) ? text : null)
  if (name === null) return [turnsOf(text)]
  if (!/\.(?:txt|md|j2|json|ya?ml)$/.test(name))
    throw new UsageError("prompts that are code have no counterpart", { where: name })
  const content = await textIn(folder, name, where)
  if (/\.(?:txt|md|j2)$/.test(name))
    return content
      .split(/^---\s*$/m)
      .filter((part) => part.trim() !== "")
      .map((part) => turnsOf(part.trim()))
  return [turnsOf(JSON.stringify(await yamlValue(content, name)))]
}

/** A text that is a list of chat messages in JSON, or the words of the user. */
function turnsOf(text: string): Turns {
  if (/^\s*\[/.test(text))
    try {
      const list = many(JSON.parse(text) as JsonValue).map((turn) => ({
        role: textOf(objectOf(turn)?.role) ?? "",
        content: textOf(objectOf(turn)?.content) ?? "",
      }))
      if (list.length > 0 && list.every(({ role }) => ["system", "user", "assistant"].includes(role))) return list
    } catch {
      // Words that begin with a bracket.
    }
  return [{ role: "user", content: text }]
}

async function readTests(
  value: JsonValue | undefined,
  defaultTest: JsonObject,
  folder: string,
  lost: NotConverted[],
  graders: PlacedProvider[],
): Promise<readonly ReadTest[]> {
  const tests: ReadTest[] = []
  for (const { test, where } of await rawTests(value, folder, lost))
    for (const vars of await combinations(
      { ...objectOf(defaultTest.vars), ...objectOf(test.vars) },
      folder,
      where,
      lost,
    )) {
      if (tests.length >= maxTests)
        throw new UsageError(`the config has more than ${maxTests} tests`, {
          where,
          hint: "lists of variables multiply",
        })
      tests.push(await testOf(test, defaultTest, vars, where, `test-${tests.length + 1}`, folder, lost, graders))
    }
  return tests
}

async function testOf(
  test: JsonObject,
  defaultTest: JsonObject,
  vars: JsonObject,
  where: string,
  id: string,
  folder: string,
  allLost: NotConverted[],
  graders: PlacedProvider[],
): Promise<ReadTest> {
  const lost: NotConverted[] = []
  const options = objectOf(test.options)
  const transform = options?.transform ?? objectOf(defaultTest.options)?.transform
  const assert: ReadCheck[] = []
  for (const [path, list] of [
    ["defaultTest.assert", defaultTest.assert],
    [`${where}.assert`, test.assert],
  ] as const)
    for (const flatAssertion of flatAssertions(many(list), path)) {
      const check = await readCheck(flatAssertion.value, flatAssertion.where, {
        vars,
        folder,
        transform,
        lost,
        graders,
      })
      if (check) assert.push(check)
    }
  for (const name of Object.keys(test))
    if (!["vars", "assert", "description", "threshold", "options"].includes(name))
      lost.push({ where: `${where}.${name}`, reason: "it has no counterpart" })
  for (const name of Object.keys(options ?? {}))
    if (name !== "transform") lost.push({ where: `${where}.options.${name}`, reason: "it has no counterpart" })
  const threshold = test.threshold ?? defaultTest.threshold
  const description = textOf(test.description)
  for (const notConverted of lost) {
    // What all tests have is lost once, and what variables multiply, too.
    const named =
      description === undefined || notConverted.where.startsWith("defaultTest")
        ? notConverted
        : { ...notConverted, description }
    if (!allLost.some(({ where, reason }) => where === named.where && reason === named.reason)) allLost.push(named)
  }
  return {
    id,
    vars,
    assert,
    ...(typeof threshold === "number" && { threshold }),
    ...(description !== undefined && { description }),
  }
}

async function rawTests(value: JsonValue | undefined, folder: string, lost: NotConverted[]) {
  const tests: { readonly test: JsonObject; readonly where: string }[] = []
  for (const [i, entry] of many(value).entries()) {
    const where = `tests[${i}]`
    const name = fileNamed(entry) ?? (typeof entry === "string" ? entry : null)
    const own = objectOf(entry)
    if (own) tests.push({ test: own, where })
    else if (name !== null)
      try {
        const path = await pathIn(folder, name, where)
        if (/\.ya?ml$/.test(name)) {
          const list = many(await yamlValue(await textIn(folder, name, where), name))
          for (const [j, test] of list.entries()) tests.push({ test: objectOf(test) ?? {}, where: `${name}[${j}]` })
        } else
          for await (const read of readRows(path, { baseDirectory: folder }))
            tests.push({
              test: /\.[ct]sv$/.test(name) ? testOfRow(read.row) : (objectOf(read.row) ?? {}),
              where: `${name}#${tests.length + 1}`,
            })
      } catch (error) {
        lost.push({ where, reason: messageOf(error) })
      }
    else lost.push({ where, reason: "it is no test" })
  }
  return tests
}

/** A row of CSV: a variable a column; columns of two underscores say what is expected. */
function testOfRow(row: JsonObject): JsonObject {
  const vars = Object.entries(row).filter(([name]) => !name.startsWith("__"))
  const expected = Object.entries(row).filter(([name]) => /^__expected\d*$/.test(name))
  const metric = textOf(row.__metric)
  const assert = expected
    .flatMap(([, cell]): JsonObject[] => {
      const check = checkOfCell(textOf(cell) ?? "")
      return check ? [check] : []
    })
    .map((check) => ({ ...check, ...(metric ? { metric } : {}) }))
  const threshold = Number(row.__threshold)
  const others = Object.keys(row).filter((name) => /^__(?!expected\d*$|description$|threshold$|metric$)/.test(name))
  return {
    vars: Object.fromEntries(vars),
    assert,
    ...(textOf(row.__description) ? { description: row.__description ?? null } : {}),
    ...(row.__threshold !== undefined && row.__threshold !== "" && Number.isFinite(threshold) && { threshold }),
    ...Object.fromEntries(others.map((name) => [name, row[name] ?? null])),
  }
}

/** A variable that is a list stands for a test with each of its values. */
async function combinations(
  vars: JsonObject,
  folder: string,
  where: string,
  lost: NotConverted[],
): Promise<readonly JsonObject[]> {
  let all: JsonObject[] = [{}]
  for (const [name, value] of Object.entries(vars)) {
    const list: JsonValue[] = []
    for (const item of Array.isArray(value) ? (value as readonly JsonValue[]) : [value])
      try {
        const file = fileNamed(item)
        if (file !== null && !/\.(?:txt|md|json|ya?ml)$/.test(file))
          throw new UsageError("variables that are code have no counterpart", { where: file })
        list.push(file === null ? item : (await textIn(folder, file, `${where}.vars.${name}`)).trim())
      } catch (error) {
        lost.push({ where: `${where}.vars.${name}`, reason: messageOf(error) })
      }
    if (list.length === 0) return []
    if (all.length * list.length > maxTests)
      throw new UsageError(`the variables make more than ${maxTests} tests`, { where: `${where}.vars.${name}` })
    all = list.flatMap((item) => all.map((others) => ({ ...others, [name]: item })))
  }
  return all
}
