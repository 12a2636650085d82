import { assertionTypes } from "../../../config/assertions/assertions.ts"
import type { JsonObject, JsonValue } from "../../../core/json.ts"
import type { NewFile } from "../files.ts"
import { codeText, type ReadCode } from "./code.ts"
import { placeOf, type ReadPrompt, type ReadPromptfoo, type ReadProvider, type ReadTest } from "./types.ts"

/** What of the config is listed in the new one; the terminal says the number of the others. */
const maxListed = 200

/** The files of a promptfoo config in evalkit's terms: a config, and the tests as a data set. */
/** @param up the way from the new files to the folder of the old ones, with `/` at its end */
export function promptfooFiles(read: ReadPromptfoo, from: string, up: string): readonly NewFile[] {
  const functions = functionNames(read)
  return [
    { path: "eval.config.ts", content: configFile(read, from, functions, up) },
    { path: "tests.jsonl", content: rows(read, functions) },
  ]
}

function rows({ tests, prompts }: ReadPromptfoo, functions: FunctionNames): string {
  const tags = prompts.flatMap(({ turns }) => turns.flatMap(({ content }) => content.match(templateTag) ?? []))
  const asked = new Set(tags.join(" ").match(/[A-Za-z_]\w*/g))
  return tests.map((test) => `${JSON.stringify(rowOf(test, functions, asked))}\n`).join("")
}

/** Variables and assertions stand in members of their own: a variable may be called like a field of a sample. */
function rowOf(
  { id, vars, assert, threshold, description }: ReadTest,
  functions: FunctionNames,
  asked: ReadonlySet<string>,
): JsonObject {
  const nameOf = (code: ReadCode): string => functions.get(JSON.stringify(code)) ?? ""
  const checksOf = assert.map(({ code, transforms, ...check }) => ({
    ...check,
    ...(code && { code: nameOf(code) }),
    ...(transforms && { transforms: transforms.map(nameOf) }),
  }))
  const { context, query } = vars
  const own = Object.entries(vars).filter(([name]) => asked.has(name))
  const shown = own.length > 0 ? own : Object.entries(vars)
  const lines = shown.map(([name, value]) => (shown.length === 1 ? textOf(value) : `${name}: ${textOf(value)}`))
  const question = context !== undefined && query !== undefined ? textOf(query) : lines.join("\n")
  return {
    id,
    input: question || "(no variables)",
    vars,
    assert: checksOf,
    // promptfoo's names of what a judge of retrieval is shown.
    ...(context !== undefined && { context: [textOf(context)] }),
    ...(threshold !== undefined && { threshold }),
    ...(description !== undefined && { description }),
  }
}

function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value)
}

/** Names of the functions of code by its JSON: code that many tests share is written once. */
type FunctionNames = ReadonlyMap<string, string>

function functionNames({ tests }: ReadPromptfoo): FunctionNames {
  const all = tests.flatMap(({ assert }) =>
    assert.flatMap(({ code, transforms = [] }) => [...(code ? [code] : []), ...transforms]),
  )
  return new Map([...new Set(all.map((code) => JSON.stringify(code)))].map((code, i) => [code, `code-${i + 1}`]))
}

function functionsText(functions: FunctionNames, up: string): string {
  if (functions.size === 0) return ""
  const entries = [...functions].map(
    ([code, name]) => `  ${JSON.stringify(name)}: ${codeText(JSON.parse(code) as ReadCode, up)},`,
  )
  return `
/** JavaScript of the assertions and transforms, as it was. */
const functions = {
${entries.join("\n")}
}
`
}

function configFile(read: ReadPromptfoo, from: string, functions: FunctionNames, up: string): string {
  const { prompts, providers, tests, grader, description } = read
  const typesOf = metricTypes(tests)
  const isJudged = Object.values(typesOf).some((types) => types.some((type) => assertionTypes.get(type)?.calls))
  const judge = grader ?? { label: "", factory: "openai", options: { model: "gpt-4.1-mini" }, parameters: {} }
  const variables = [...new Set(tests.flatMap(({ vars }) => Object.keys(vars)))]
  const taken = new Set<string>()
  const variants = prompts.flatMap((prompt, i) =>
    providers.map((provider) =>
      variantText(
        provider,
        uniqueName(prompts.length > 1 ? `${provider.label} ${prompt.label}` : provider.label, taken),
        i,
      ),
    ),
  )
  const imports = new Set([
    ...["assertions", "dataset", "defineConfig", "prompt", "variant"],
    ...providers.map(({ factory }) => factory),
    ...(isJudged ? [judge.factory] : []),
  ])
  const metrics = Object.entries(typesOf).map(
    ([name, types]) => `      ${JSON.stringify(name)}: ${JSON.stringify(types)},`,
  )
  return `import { ${[...imports].sort((a, b) => a.localeCompare(b, "en")).join(", ")} } from "evalkit"

// Made from ${comment(from)} by "evalkit init --from". Each named assertion, or each type of them, is a metric: the share of tests that hold.
// "pass" is the share of tests of which all hold (or whose weighted share reaches the test's threshold).
${notConverted(read)}
const prompts = [
${prompts.map((prompt) => `  ${promptText(prompt, variables)},`).join("\n")}
]
${isJudged ? `\n// The model that judges${grader ? "" : ": promptfoo's own default has no counterpart, so choose"}.\nconst grader = ${providerText(judge)}\n` : ""}${functionsText(functions, up)}
export default defineConfig({
  name: ${JSON.stringify(description ?? "from promptfoo")},
  dataset: dataset("tests.jsonl"),
  variants: [
${variants.map((variant) => `    ${variant},`).join("\n")}
  ],
  // What each test asserts stands in its row of tests.jsonl.
  metrics: assertions({
    metrics: {
${metrics.join("\n")}
    },${isJudged ? "\n    grader," : ""}${functions.size > 0 ? "\n    functions," : ""}
  }),
  primary: "pass",
})
`
}

/** The types of the assertions of each metric. */
function metricTypes(tests: readonly ReadTest[]): Readonly<Record<string, readonly string[]>> {
  const types = new Map<string, Set<string>>()
  for (const { metric, type } of tests.flatMap(({ assert }) => assert))
    types.set(metric, (types.get(metric) ?? new Set()).add(type))
  return Object.fromEntries([...types].map(([name, own]) => [name, [...own]]))
}

function variantText(provider: ReadProvider, name: string, index: number): string {
  const parameters =
    Object.keys(provider.parameters).length > 0 ? `, parameters: ${JSON.stringify(provider.parameters)}` : ""
  return `variant({ name: ${JSON.stringify(name)}, provider: ${providerText(provider)}, prompt: prompts[${index}]${parameters} })`
}

/** A name of letters, digits, `.`, `_` and `-`, as no other variant has it. */
function uniqueName(words: string, taken: Set<string>): string {
  const plain =
    words
      .replace(/[^A-Za-z0-9._-]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 80) || "variant"
  let name = plain
  for (let i = 2; taken.has(name); i++) name = `${plain}-${i}`
  taken.add(name)
  return name
}

function providerText({ factory, options }: ReadProvider): string {
  const members = Object.entries(options).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return `${factory}({ ${members.join(", ")} })`
}

function promptText({ turns }: ReadPrompt, variables: readonly string[]): string {
  const own = turns.map(({ role, content }) => ({ role, content: templateOf(content, variables) }))
  const [only] = own
  return own.length === 1 && only?.role === "user"
    ? `prompt(${JSON.stringify(only.content)})`
    : `prompt(${JSON.stringify(own)})`
}

const templateTag = /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g

/** Variables of a template by the place that they have in the data set. */
function templateOf(text: string, variables: readonly string[]): string {
  return text.replace(templateTag, (tag) =>
    tag.replace(/(?<![\w.'"])[A-Za-z_]\w*/g, (name) => (variables.includes(name) ? `vars.${name}` : name)),
  )
}

function notConverted({ notConverted: lost }: ReadPromptfoo): string {
  if (lost.length === 0) return ""
  const lines = lost.slice(0, maxListed).map((entry) => `// - ${comment(placeOf(entry))}: ${comment(entry.reason)}`)
  const more = lost.length > maxListed ? [`// - … and ${lost.length - maxListed} more`] : []
  return `//\n// Not converted:\n${[...lines, ...more].join("\n")}\n`
}

/** Somebody else's words within a line of comment. */
function comment(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").slice(0, 300)
}
