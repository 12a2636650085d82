import { messageOf } from "../../core/errors.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { Sample } from "../../core/sample.ts"
import type { Variant } from "../../core/variant.ts"
import { plainText } from "../../words/text.ts"
import { hasToolSources, withOfferedTools } from "../run/offered-tools.ts"
import type { DoctorCheck } from "./check.ts"

/** Tools that a line names. */
const maxNamed = 20

/**
 * Starts what the tools of each variant come from, and lists them.
 * @returns the evaluation with these tools, so that what is tried next is what a run asks
 */
export async function checkToolSources(
  evaluation: Evaluation,
  sample: Sample | null,
  signal: AbortSignal,
  report: (check: DoctorCheck) => void,
): Promise<Evaluation> {
  const variants: Variant[] = []
  for (const variant of evaluation.variants) {
    const { name: own, episode } = variant
    if (!hasToolSources(variant)) {
      variants.push(variant)
      continue
    }
    const name = `variant ${own}, ${episode?.sources?.map(({ label }) => plainText(label)).join(", ")}`
    try {
      const startedMs = performance.now()
      const listed = await withOfferedTools(variant, sample ?? noSample, signal)
      const tools = (listed.episode?.tools ?? []).filter((tool) => !episode?.tools.includes(tool))
      const named = tools.slice(0, maxNamed).map((tool) => `${tool.name} (${effectWords[tool.effects]})`)
      const rest = tools.length > maxNamed ? ` and ${tools.length - maxNamed} more` : ""
      const ms = (performance.now() - startedMs).toFixed(0)
      report({
        name,
        status: tools.length === 0 ? "warning" : "ok",
        message:
          tools.length === 0
            ? "it offers no tool"
            : `started in ${ms} ms; tools: ${plainText(named.join(", "))}${rest}`,
      })
      variants.push(listed)
    } catch (error) {
      report({ name, status: "failed", message: plainText(messageOf(error)) })
      variants.push(variant)
    }
  }
  return { ...evaluation, variants }
}

const effectWords = { none: "reads", state: "changes the episode's state", outside: "called once" } as const

/** What sources are started for where the config has no data set. */
const noSample: Sample = {
  id: "doctor",
  input: "",
  references: [],
  context: [],
  choices: [],
  expectedTools: [],
  metadata: {},
}
