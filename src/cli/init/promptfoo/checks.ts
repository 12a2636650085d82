/** How an assertion of promptfoo is checked in the new config: a function of TypeScript, and what it needs. */
export interface CheckCode {
  readonly needs: "value" | "threshold" | "nothing"
  /** The body of `(text, check, sample, generation, tools, output) => …`: true or false, or why neither is known. */
  readonly code: string
  /** Names of evalkit that the code uses. */
  readonly imports?: readonly string[]
}

const values = "const values = [check.value].flat().map(String)"
const lower = "const low = text.toLowerCase()"
const json = (imported: string) =>
  `return measured(jsonMatch(${imported}), sample, generation, tools, (value) => value === 1)`

/** Assertion types of promptfoo that evalkit checks alike. */
export const checks: ReadonlyMap<string, CheckCode> = new Map<string, CheckCode>([
  [
    "equals",
    {
      needs: "value",
      code: 'if (typeof check.value !== "object") return text.trim() === String(check.value).trim()\nreturn measured(jsonMatch({ check: "equal" }), { ...sample, references: [JSON.stringify(check.value)] }, generation, tools, (value) => value === 1)',
      imports: ["jsonMatch"],
    },
  ],
  ["contains", { needs: "value", code: "return text.includes(String(check.value))" }],
  ["icontains", { needs: "value", code: `${lower}\nreturn low.includes(String(check.value).toLowerCase())` }],
  ["contains-all", { needs: "value", code: `${values}\nreturn values.every((one) => text.includes(one))` }],
  ["contains-any", { needs: "value", code: `${values}\nreturn values.some((one) => text.includes(one))` }],
  [
    "icontains-all",
    { needs: "value", code: `${values}\n${lower}\nreturn values.every((one) => low.includes(one.toLowerCase()))` },
  ],
  [
    "icontains-any",
    { needs: "value", code: `${values}\n${lower}\nreturn values.some((one) => low.includes(one.toLowerCase()))` },
  ],
  ["starts-with", { needs: "value", code: "return text.startsWith(String(check.value))" }],
  [
    "regex",
    {
      needs: "value",
      code: "return measured(regexMatch({ pattern: new RegExp(String(check.value)) }), sample, generation, tools, (value) => value === 1)",
      imports: ["regexMatch"],
    },
  ],
  [
    "is-json",
    {
      needs: "nothing",
      code: json(
        'typeof check.value === "object" && check.value !== null ? { schema: check.value } : { check: "valid" }',
      ),
      imports: ["jsonMatch"],
    },
  ],
  [
    "similar",
    {
      needs: "value",
      code: "const references = [check.value].flat().map(String)\nreturn measured(embeddingSimilarity(), { ...sample, references }, generation, tools, (value) => value >= (check.threshold ?? 0.75))",
      imports: ["embeddingSimilarity"],
    },
  ],
  [
    "rouge-n",
    {
      needs: "value",
      code: 'const references = [check.value].flat().map(String)\nreturn measured(rouge({ type: "rouge1" }), { ...sample, references }, generation, tools, (value) => value >= (check.threshold ?? 0.75))',
      imports: ["rouge"],
    },
  ],
  [
    "bleu",
    {
      needs: "value",
      code: "const references = [check.value].flat().map(String)\n// BLEU of evalkit is 0 to 100.\nreturn measured(bleu(), { ...sample, references }, generation, tools, (value) => value >= 100 * (check.threshold ?? 0.5))",
      imports: ["bleu"],
    },
  ],
  [
    "levenshtein",
    {
      needs: "value",
      code: "return levenshtein(text, String(check.value)) <= (check.threshold ?? 5)",
    },
  ],
  [
    "latency",
    {
      needs: "threshold",
      code: 'if (generation.source === "replayed" || generation.log.events.length === 0) return unscored("no_value", "the answer was not timed")\nreturn generation.log.endMs - generation.log.sendMs <= (check.threshold ?? 0)',
    },
  ],
  [
    "cost",
    {
      needs: "threshold",
      code: 'if (generation.cost.status !== "known") return unscored("no_value", "what the answer cost is not known")\nreturn generation.cost.usd <= (check.threshold ?? 0)',
    },
  ],
  [
    "perplexity",
    {
      needs: "threshold",
      code: "return measured(answerPerplexity(), sample, generation, tools, (value) => value <= (check.threshold ?? 0))",
      imports: ["answerPerplexity"],
    },
  ],
  [
    "javascript",
    {
      needs: "value",
      code: 'const found = await functions[check.code ?? ""]?.(output, contextOf(sample))\nif (typeof found === "boolean") return found\nconst score = typeof found === "number" ? found : found?.score\nif (typeof found?.pass === "boolean") return found.pass\nif (typeof score !== "number") return unscored("no_value", "the function gives no verdict")\nreturn check.threshold === undefined ? score > 0 : score >= check.threshold',
    },
  ],
  [
    "answer-relevance",
    {
      needs: "nothing",
      code: "return measured(judged.answerRelevancy({ provider: grader }), sample, generation, tools, (value) => value >= (check.threshold ?? 0))",
      imports: ["judged"],
    },
  ],
  [
    "meteor",
    {
      needs: "value",
      code: "const references = [check.value].flat().map(String)\nreturn measured(meteor(), { ...sample, references }, generation, tools, (value) => value >= (check.threshold ?? 0.5))",
      imports: ["meteor"],
    },
  ],
  ["finish-reason", { needs: "value", code: "return generation.finishReason === String(check.value)" }],
  [
    "llm-rubric",
    {
      needs: "value",
      code: 'const own = defineRubric({ name: "llm-rubric", instructions: String(check.value), choices: { yes: 1, no: 0 } })\nreturn measured(rubric({ provider: grader, rubric: own }), sample, generation, tools, (value) => value >= (check.threshold ?? 0.5))',
      imports: ["defineRubric", "rubric"],
    },
  ],
  [
    "factuality",
    {
      needs: "value",
      code: "const references = [check.value].flat().map(String)\nreturn measured(rubric({ provider: grader, rubric: rubrics.factuality }), { ...sample, references }, generation, tools, (value) => value >= (check.threshold ?? 0.5))",
      imports: ["rubric", "rubrics"],
    },
  ],
])

/** Types whose judge is a model. */
export const judgedTypes: ReadonlySet<string> = new Set(["llm-rubric", "factuality", "answer-relevance"])
