import type { InitChoices, Service } from "./choices.ts"
import { maxTokensOf, providerOptions } from "./provider-options.ts"

/**
 * A first config in YAML.
 *
 * @param schema where the schema lies, from the config's folder: editors complete and check by it
 */
export function yamlConfig(choices: InitChoices, service: Service, schema: string): string {
  const variants = ([0, 1] as const).map((index) => {
    const name = (["baseline", "candidate"] as const)[index]
    return `  - name: ${name}
    provider: { ${service.factory}: ${provider(choices[name], index, service)} }
    prompt: *ask
    parameters: *parameters`
  })
  const key = service.keyVariable ? ` The key is read from ${service.keyVariable}.` : ""
  return `# yaml-language-server: $schema=${schema}
# Every value is made by a factory of evalkit: its name, or its name with its options.

# JSON, JSONL, CSV, TSV or Parquet, a path beside this file or a URL.
dataset: questions.jsonl

# The first is the baseline: what is in use today.${key}
# Both get the same prompt; {{input}} is the sample's question.
variants:
${(variants[0] as string)
  .replace(
    "*ask",
    `&ask
      prompt:
        template: "{{input}}"
        system: Answer with the bare fact, one word or number, no sentence.`,
  )
  .replace("*parameters", `&parameters { temperature: 0, maxTokens: ${maxTokensOf(choices, service)} }`)}
${variants[1]}

# The first metric decides, unless \`primary\` says otherwise.
metrics: [contains, exactMatch, tokenF1]

# How much worse the candidate may be and still count as "not worse": 5 points.
margin: 0.05

# Stop before more than this is spent.
budget: 200 requests, 10min

# Exit code 3 when the candidate is worse by more than this, on evidence; 4 while the samples are too few to tell.
# Ten are: put your own questions in.
gate:
  - { figure: contains, notWorseThanBaselineBy: 0.05, variants: [candidate] }
`
}

/** What a provider is given, in YAML: a text in JSON's quotes is YAML, too. */
function provider(model: string, index: 0 | 1, service: Service): string {
  if (service.factory === "local") return JSON.stringify(model)
  const members = providerOptions(model, index, service).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return `{ ${members.join(", ")} }`
}
