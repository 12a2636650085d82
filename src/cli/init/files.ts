import type { InitChoices, Service } from "./choices.ts"
import { maxTokensOf, providerOptions } from "./provider-options.ts"
import { yamlConfig } from "./yaml-config.ts"

/** A file that `evalkit init` writes, relative to the folder. */
export interface NewFile {
  readonly path: string
  readonly content: string
}

/**
 * The config of a new evaluation, and its data set.
 *
 * @param schema where the schema of configs lies, seen from the folder, for a config in YAML; null for one in TypeScript
 */
export function newFiles(
  choices: InitChoices,
  service: Service,
  schema: string | null,
): readonly [config: NewFile, questions: NewFile] {
  const config =
    schema === null
      ? { path: "eval.config.ts", content: configFile(choices, service) }
      : { path: "eval.config.yaml", content: yamlConfig(choices, service, schema) }
  const rows = questions.map((row) => `${JSON.stringify(row)}\n`).join("")
  return [config, { path: "questions.jsonl", content: rows }]
}

function configFile(choices: InitChoices, service: Service): string {
  const { factory, keyVariable } = service
  const variants = ([0, 1] as const).map((index) => {
    const name = (["baseline", "candidate"] as const)[index]
    return `    variant({ name: "${name}", provider: ${provider(choices[name], index, service)}, prompt: ask, parameters }),`
  })
  const imports = ["contains", "dataset", "defineConfig", "exactMatch", factory, "prompt", "tokenF1", "variant"].sort()
  return `import { ${imports.join(", ")} } from "evalkit"

// Both variants get the same prompt; {{input}} is the sample's question.
const ask = prompt("{{input}}", { system: "Answer with the bare fact: one word or number, no sentence." })
const parameters = { temperature: 0, maxTokens: ${maxTokensOf(choices, service)} }

export default defineConfig({
  // JSON, JSONL, CSV, TSV or Parquet, a path beside this file or a URL.
  dataset: dataset("questions.jsonl"),

  // The first is the baseline: what is in use today.${keyVariable ? ` The key is read from ${keyVariable}.` : ""}
  variants: [
${variants.join("\n")}
  ],

  // The first metric decides, unless \`primary\` says otherwise.
  metrics: [contains(), exactMatch(), tokenF1()],

  // How much worse the candidate may be and still count as "not worse": 5 points.
  margin: 0.05,

  // Stop before more than this is spent.
  budget: "200 requests, 10min",

  // Exit code 3 when the candidate is worse by more than this, on evidence; 4 while the samples are too few to tell.
  // Ten are: put your own questions in.
  gate: [{ figure: "contains", notWorseThanBaselineBy: 0.05, variants: ["candidate"] }],
})
`
}

/** The provider of one variant, as TypeScript. */
function provider(model: string, index: 0 | 1, service: Service): string {
  const { factory } = service
  if (factory === "local") return `local(new URL(${JSON.stringify(model)}, import.meta.url))`
  const members = providerOptions(model, index, service).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return `${factory}({ ${members.join(", ")} })`
}

const questions = [
  { id: "capital-france", input: "What is the capital of France?", reference: "Paris" },
  { id: "capital-japan", input: "What is the capital of Japan?", reference: "Tokyo" },
  { id: "sum", input: "What is 17 + 25?", reference: "42" },
  { id: "product", input: "What is 12 times 12?", reference: "144" },
  { id: "planet", input: "Which planet is closest to the Sun?", reference: "Mercury" },
  { id: "symbol", input: "What is the chemical symbol of gold?", reference: "Au" },
  { id: "author", input: "Who wrote the play Hamlet?", reference: ["Shakespeare", "William Shakespeare"] },
  { id: "days", input: "How many days does a leap year have?", reference: "366" },
  { id: "opposite", input: "What is the opposite of north?", reference: "south" },
  { id: "translate", input: 'What is the German word for "water"?', reference: "Wasser" },
] as const
