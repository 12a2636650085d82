import type { JsonObject, JsonValue } from "../core/json.ts"
import type { ChatMessage } from "../core/message.ts"
import { checkOptions, type OptionKinds } from "../core/options.ts"
import type { Prompt } from "../core/variant.ts"
import { compileTemplate, type Template } from "./template.ts"
import { templateFields } from "./template-fields.ts"

/** A solved example that is shown before the question. @public */
export interface FewShotExample {
  /** What the user asks: rendered through the same template as the samples. */
  readonly input: string
  /** What the assistant answers, sent as it is. */
  readonly output: string
  /** Other fields that the template uses. */
  readonly [field: string]: JsonValue
}

/** Options of {@link prompt}. @public */
export interface PromptOptions {
  /** System message, itself a template. Default: none. */
  readonly system?: string
  /** Examples as user/assistant turns before the question. Default: none. */
  readonly fewShot?: readonly FewShotExample[]
}

const promptOptions: OptionKinds<PromptOptions> = { system: "text", fewShot: "list" }

/**
 * A prompt template: `{{field}}` is replaced by the sample's field, as it is (what a field holds is never evaluated).
 *
 * Fields: `input`, `reference` (the first), `references`, `context`, `choices`, `id`, `group`, `cluster`, `label`,
 * `messages` (of a chat sample), `metadata`, and every other column of the row by its own name. Lists are written with
 * line feeds between them, objects as JSON. The language is Liquid: `{% for passage in context %}` and filters work;
 * files cannot be included.
 *
 * @param template the user message, or a whole conversation whose contents are templates.
 * @throws UsageError when a template cannot be parsed, and at rendering when a sample lacks a field that it uses: the
 * message names field, template and sample.
 * @example
 * prompt("Translate into German: {{input}}", { system: "You translate." }).render(sample)
 * // [{ role: "system", content: "You translate." }, { role: "user", content: "Translate into German: Hello" }]
 * @public
 */
export function prompt(template: string | readonly ChatMessage[], options: PromptOptions = {}): Prompt {
  checkOptions("prompt", options, promptOptions)
  const turns: readonly ChatMessage[] = [
    ...(options.system === undefined ? [] : [{ role: "system", content: options.system } as const]),
    ...(typeof template === "string" ? [{ role: "user", content: template } as const] : template),
  ]
  const fewShot = options.fewShot ?? []
  const compiled = turns.map((turn) => ({ turn, template: compileTemplate(turn.content) }))
  const leading = compiled.findIndex(({ turn }) => turn.role !== "system")
  const head = compiled.slice(0, leading < 0 ? compiled.length : leading)
  const body = compiled.slice(head.length)
  const question = body.findLast(({ turn }) => turn.role === "user")?.template
  return {
    identity: {
      kind: "template",
      turns: turns.map(turnIdentity),
      fewShot,
    },
    render(sample) {
      const fields = templateFields(sample)
      const say = ({ turn, template: content }: { turn: ChatMessage; template: Template }): ChatMessage => ({
        ...turn,
        content: content(fields, sample.id),
      })
      return [
        ...head.map(say),
        ...fewShot.flatMap((example) => exampleTurns(example, question, sample.id)),
        ...body.map(say),
      ]
    },
  }
}

/**
 * The prompt of a variant that names none: the sample's own chat messages as they are, or its text as a user message.
 *
 * @throws UsageError at rendering when a sample has no input.
 * @public
 */
export const defaultPrompt: Prompt = {
  identity: { kind: "input" },
  render(sample) {
    if (sample.input !== null && typeof sample.input !== "string") return sample.input
    return [{ role: "user", content: inputTemplate(templateFields(sample), sample.id) }]
  },
}

const inputTemplate: Template = (fields, sampleId) => {
  const input = fields.input
  return typeof input === "string" ? input : compileTemplate("{{input}}")(fields, sampleId)
}

function exampleTurns(example: FewShotExample, question: Template | undefined, sampleId: string): ChatMessage[] {
  const fields: JsonObject = { ...example, reference: example.output }
  const content = question === undefined ? example.input : question(fields, `few-shot example for ${sampleId}`)
  return [
    { role: "user", content },
    { role: "assistant", content: example.output },
  ]
}

function turnIdentity(turn: ChatMessage): JsonObject {
  return {
    role: turn.role,
    content: turn.content,
    ...(turn.toolCalls === undefined
      ? {}
      : { toolCalls: turn.toolCalls.map((call) => ({ name: call.name, arguments: call.arguments })) }),
    ...(turn.toolCallId === undefined ? {} : { toolCallId: turn.toolCallId }),
  }
}

/** Whether a value can be used as a prompt. */
export function isPrompt(value: unknown): value is Prompt {
  return (
    typeof value === "object" &&
    value !== null &&
    "render" in value &&
    typeof value.render === "function" &&
    "identity" in value
  )
}
