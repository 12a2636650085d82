import * as judges from "evalkit/judges"
import { type Preset, presets } from "evalkit/providers"

/** What a page says besides its doc comment, read from the thing itself: a rubric's verdicts and words, a service's address. */
export function entryDetails(): ReadonlyMap<string, string> {
  const rubrics = Object.entries(judges.rubrics).flatMap(([name, entry]) =>
    isRubric(entry) ? [[`rubrics.${name}`, rubricDetails(entry)] as const] : [],
  )
  const services = Object.entries(presets).map(([name, preset]) => [name, presetDetails(name, preset)] as const)
  return new Map([...rubrics, ...services])
}

/** A rubric that is made from options has its verdicts in what it returns. */
function isRubric(value: unknown): value is judges.Rubric {
  return typeof value === "object" && value !== null && "choices" in value
}

function rubricDetails({
  choices,
  instructions,
  fields,
  optionalFields,
  note,
  template,
  version,
}: judges.Rubric): string {
  const scores = choices.map(({ score }) => score)
  const shown = [...fields, ...optionalFields.map((field) => `${field} where there is one`)].join(", ")
  return [
    "| verdict | score | when |",
    "| --- | --- | --- |",
    ...choices.map(({ label, score, meaning }) => `| ${label} | ${score} | ${meaning || "as it says"} |`),
    "",
    `Range ${Math.min(...scores)} to ${Math.max(...scores)}, higher is better. The judge is shown: ${shown}. Version ${version}.`,
    "",
    ...(template === null ? [`The judge is told: ${instructions}`, ""] : []),
    note ??
      "Misleads as its judge does: another model, or the same one in another version, grades otherwise. Compare figures of one judge, and validate it on answers that people labelled (`evalkit judge validate`).",
  ].join("\n")
}

function presetDetails(name: string, { baseUrl, apiKeyVariable, documentation, features, hasBatches }: Preset): string {
  const key =
    apiKeyVariable === null
      ? "none is sent unless `apiKeyVariable` names one"
      : `\`${apiKeyVariable}\` of the environment`
  return [
    "| what it knows | |",
    "| --- | --- |",
    `| address | \`${baseUrl}\` |`,
    `| key | ${key} |`,
    `| token probabilities | ${features?.logprobs === false ? "none: metrics that need them are unscored" : "where the model gives them"} |`,
    ...(hasBatches
      ? ["| batches | `batch` in the config uses the service\u2019s own, mostly at half the price |"]
      : []),
    `| documentation | <${documentation}> |`,
    "",
    "```ts",
    `${name}({ model: "…" })`,
    "```",
    "",
    "What an option gives replaces what it knows; all other defaults are those of `openai`. A service changes without notice: ask `evalkit doctor` before a run.",
  ].join("\n")
}
