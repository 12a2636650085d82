import type { JsonObject, JsonValue } from "../../../core/json.ts"
import type { NewFile } from "../files.ts"
import { checks, judgedTypes } from "./checks.ts"
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
    { path: "tests.jsonl", content: read.tests.map((test) => `${JSON.stringify(rowOf(test, functions))}\n`).join("") },
  ]
}

/** Variables and assertions stand in members of their own: a variable may be called like a field of a sample. */
function rowOf({ id, vars, assert, threshold, description }: ReadTest, functions: FunctionNames): JsonObject {
  const nameOf = (code: ReadCode): string => functions.get(JSON.stringify(code)) ?? ""
  const checksOf = assert.map(({ code, transforms, ...check }) => ({
    ...check,
    ...(code && { code: nameOf(code) }),
    ...(transforms && { transforms: transforms.map(nameOf) }),
  }))
  const input = Object.entries(vars).map(([name, value]) => `${name}: ${textOf(value)}`)
  return {
    ...{ id, input: input.join("\n") || "(no variables)", vars, assert: checksOf },
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
const functions: Record<string, (output: any, context: any) => any> = {
${entries.join("\n")}
}
const contextOf = (sample: Sample) => ({ vars: sample.metadata.vars, test: sample.metadata })
`
}

function configFile(read: ReadPromptfoo, from: string, functions: FunctionNames, up: string): string {
  const { prompts, providers, tests, grader, description } = read
  const types = [...checks.keys()].filter((type) => tests.some(({ assert }) => assert.some((one) => one.type === type)))
  const names = [...new Set(tests.flatMap(({ assert }) => assert.map(({ metric }) => metric)))].filter(
    (name) => name !== "pass",
  )
  const isJudged = types.some((type) => judgedTypes.has(type))
  const judge = grader ?? { label: "", factory: "openai", options: { model: "gpt-4.1-mini" }, parameters: {} }
  const variables = [...new Set(tests.flatMap(({ vars }) => Object.keys(vars)))]
  const hasTransforms = tests.some(({ assert }) => assert.some(({ transforms }) => transforms))
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
    ...[
      "custom",
      "dataset",
      "defineConfig",
      "prompt",
      "unscored",
      "variant",
      ...["type Generation", "type Metric", "type MetricTools", "type Sample", "type Unscored"],
      ...providers.map(({ factory }) => factory),
    ],
    ...types.flatMap((type) => checks.get(type)?.imports ?? []),
    ...(isJudged ? [judge.factory] : []),
  ])
  return `import { ${[...imports].sort(byName).join(", ")} } from "evalkit"

// Made from ${comment(from)} by "evalkit init --from". Each named assertion, or each type of them, is a metric: the share of tests that hold.
// "pass" is the share of tests of which all hold (or whose weighted share reaches the test's threshold).
${notConverted(read)}
const prompts = [
${prompts.map((prompt) => `  ${promptText(prompt, variables)},`).join("\n")}
]
${isJudged ? `\n// The model that judges${grader ? "" : ": promptfoo's own default has no counterpart, so choose"}.\nconst grader = ${providerText(judge)}\n` : ""}
/** What a test asserts, as tests.jsonl holds it. */
interface Check {
  metric: string
  type: string
  not?: boolean
  value?: unknown
  threshold?: number
  weight?: number${functions.size > 0 ? "\n  code?: string\n  transforms?: readonly string[]" : ""}
}

/** Whether an assertion holds, or why that is not known. */
type Found = boolean | Unscored

/** Asks a metric of evalkit's. */
async function measured<Row>(metric: Metric<Row>, sample: Sample, generation: Generation, tools: MetricTools, holds: (value: number) => boolean): Promise<Found> {
  const found = await metric.measure(sample, generation, tools)
  if (found.status === "unscored") return found
  const value = metric.value(found.row)
  return value === null ? unscored("no_value", "the metric has no figure for it") : holds(value)
}
${types.includes("levenshtein") ? levenshtein : ""}${functionsText(functions, up)}
const checks: Record<string, (text: string, check: Check, sample: Sample, generation: Generation, tools: MetricTools, output: unknown) => Found | Promise<Found>> = {
${types.map((type) => `  ${JSON.stringify(type)}: ${takesOutput(type) ? "async " : ""}(text, check, sample, generation, tools${takesOutput(type) ? ", output" : ""}) => {\n${indented(checks.get(type)?.code ?? "")}\n  },`).join("\n")}
}

${isJudged ? graded(read) : ""}
/** A test's assertions of one name. */
function checksOf(sample: Sample, name: string): readonly Check[] {
  return (sample.metadata.assert as unknown as Check[]).filter((check) => check.metric === name)
}

/** The weighted share of a test's assertions of one name that hold. */
function assertion(name: string) {
  return custom({
    name,
    direction: "higher",
    unit: "share",${isJudged ? `\n    ...(gradedNames.includes(name) && { asks: [grader], asksAbout: (sample: Sample) => checksOf(sample, name).filter(isGraded).map(() => grader) }),` : ""}${types.includes("perplexity") ? "\n    needs: { logprobs: true }," : ""}
    async measure(sample, generation, tools) {
      const own = checksOf(sample, name)
      if (own.length === 0) return unscored("no_value", "the test asserts nothing of it")
      let sum = 0
      let weights = 0
      for (const check of own) {
${hasTransforms ? transforming : "        const found = await checks[check.type]?.(generation.text, check, sample, generation, tools, generation.text)"}
        if (typeof found !== "boolean") return found ?? unscored("no_value", "there is no such assertion")
        const weight = check.weight ?? 1
        sum += found === !check.not ? weight : 0
        weights += weight
      }
      // Assertions of no weight are for information.
      return weights === 0 ? 1 : sum / weights
    },
  })
}

const names = ${JSON.stringify(names)}

const pass = custom({
  name: "pass",
  direction: "higher",
  unit: "share",
  dependsOn: names,
  measure(sample, _generation, tools) {
    const own = sample.metadata.assert as unknown as Check[]
    let sum = 0
    let weights = 0
    for (const name of new Set(own.map((check) => check.metric))) {
      const weight = own.filter((check) => check.metric === name).reduce((total, check) => total + (check.weight ?? 1), 0)
      const value = tools.valueOf(name)
      if (value === null || value === undefined) return unscored("no_value", \`\${name} is not known\`)
      sum += weight * value
      weights += weight
    }
    const share = weights === 0 ? 1 : sum / weights
    return Number(share >= ((sample.metadata.threshold as number | undefined) ?? 1))
  },
})

export default defineConfig({
  name: ${JSON.stringify(description ?? "from promptfoo")},
  dataset: dataset("tests.jsonl"),
  variants: [
${variants.map((one) => `    ${one},`).join("\n")}
  ],
  metrics: [pass, ...names.map(assertion)],
  primary: "pass",
})
`
}

/** Which assertions the grader is asked about: budgets and dry runs count them. */
function graded({ tests }: ReadPromptfoo): string {
  const checks = tests.flatMap(({ assert }) => assert.filter(({ type }) => judgedTypes.has(type)))
  const names = [...new Set(checks.map(({ metric }) => metric))]
  return `
/** Assertions that the grader is asked about. */
const gradedNames: readonly string[] = ${JSON.stringify(names)}
const isGraded = ({ type }: Check) => ${JSON.stringify([...judgedTypes])}.includes(type)
`
}

function takesOutput(type: string): boolean {
  return type === "javascript"
}

const transforming = `        let output: unknown = generation.text
        for (const name of check.transforms ?? []) output = await functions[name]?.(output, contextOf(sample))
        const text = typeof output === "string" ? output : (JSON.stringify(output) ?? "")
        const found = await checks[check.type]?.(text, check, sample, { ...generation, text }, tools, output)`

/** The order of names of an import, whether types or values. */
function byName(a: string, b: string): number {
  return a.replace(/^type /, "").localeCompare(b.replace(/^type /, ""), "en")
}

function variantText(provider: ReadProvider, name: string, place: number): string {
  const parameters =
    Object.keys(provider.parameters).length > 0 ? `, parameters: ${JSON.stringify(provider.parameters)}` : ""
  return `variant({ name: ${JSON.stringify(name)}, provider: ${providerText(provider)}, prompt: prompts[${place}]${parameters} })`
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

/** Variables of a template by the place that they have in the data set. */
function templateOf(text: string, variables: readonly string[]): string {
  return text.replace(/\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g, (tag) =>
    tag.replace(/(?<![\w.'"])[A-Za-z_]\w*/g, (name) => (variables.includes(name) ? `vars.${name}` : name)),
  )
}

function notConverted({ notConverted: lost }: ReadPromptfoo): string {
  if (lost.length === 0) return ""
  const lines = lost.slice(0, maxListed).map((one) => `// - ${comment(placeOf(one))}: ${comment(one.reason)}`)
  const more = lost.length > maxListed ? [`// - … and ${lost.length - maxListed} more`] : []
  return `//\n// Not converted:\n${[...lines, ...more].join("\n")}\n`
}

/** Somebody else's words within a line of comment. */
function comment(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").slice(0, 300)
}

function indented(code: string): string {
  return code
    .split("\n")
    .map((line) => `    ${line}`)
    .join("\n")
}

const levenshtein = `
function levenshtein(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + Number(a[i - 1] !== b[j - 1])))
    row = next
  }
  return row[b.length]!
}
`
