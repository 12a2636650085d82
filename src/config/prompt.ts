import type { JsonObject, JsonValue } from "../core/json.ts"
import { inputMedia, messageOfParts } from "../core/media/message-parts.ts"
import type { ContentPart, MediaPart, TextPart } from "../core/media/part.ts"
import type { ChatMessage } from "../core/message.ts"
import { checkOptions } from "../core/options.ts"
import type { Prompt } from "../core/variant.ts"
import { type PromptTurn, partIdentity, type ReadPart, type ReadTurn, readTurn, sampleMedia } from "./prompt-parts.ts"
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

/**
 * A prompt template: `{{field}}` is replaced by the sample's field, as it is (what a field holds is never evaluated).
 *
 * Fields: `input`, `reference` (the first), `references`, `context`, `choices`, `id`, `group`, `cluster`, `label`,
 * `messages` (of a chat sample), `metadata`, and every other column of the row by its own name. Lists are written with
 * line feeds between them, objects as JSON. The language is Liquid: `{% for passage in context %}` and filters work;
 * files cannot be included.
 *
 * Pictures and recordings of the sample's input stand before the words of the last user turn, or where a part `{ type: "media" }` of a
 * turn says; a turn may hold pictures of its own: `content: [{ type: "image", image: "logo.png" }, { type: "text", text: "{{input}}" }]`.
 *
 * @param template the user message, or a whole conversation whose contents are templates.
 * @throws UsageError when a template cannot be parsed, and at rendering when a sample lacks a field that it uses: the
 * message names field, template and sample.
 * @example
 * prompt("Translate into German: {{input}}", { system: "You translate." }).render(sample)
 * // [{ role: "system", content: "You translate." }, { role: "user", content: "Translate into German: Hello" }]
 * @public
 */
export function prompt(template: string | readonly PromptTurn[], options: PromptOptions = {}): Prompt {
  checkOptions("prompt", options)
  const turns: readonly PromptTurn[] = [
    ...(options.system === undefined ? [] : [{ role: "system", content: options.system } as const]),
    ...(typeof template === "string" ? [{ role: "user", content: template } as const] : template),
  ]
  const fewShot = options.fewShot ?? []
  const read = turns.map(readTurn)
  const compiled = read.map((turn) => ({ turn, template: compileTemplate(turn.content), parts: compileParts(turn) }))
  const leading = compiled.findIndex(({ turn }) => turn.role !== "system")
  const head = compiled.slice(0, leading < 0 ? compiled.length : leading)
  const body = compiled.slice(head.length)
  const asked = body.findLast(({ turn }) => turn.role === "user")
  const question = asked?.template
  const isPlaced = compiled.some(({ parts }) => parts?.some(({ type }) => type === "media"))
  return {
    identity: {
      kind: "template",
      turns: read.map(turnIdentity),
      fewShot,
    },
    render(sample) {
      const fields = templateFields(sample)
      const own = inputMedia(sample.input)
      const say = (compiledTurn: CompiledTurn): ChatMessage => {
        const { parts: _parts, ...turn } = compiledTurn.turn
        const shown =
          compiledTurn.parts ??
          (compiledTurn === asked && own.length > 0 && !isPlaced ? [sampleMedia, compiledTurn] : null)
        if (!shown) return { ...turn, content: compiledTurn.template(fields, sample.id) }
        return {
          ...turn,
          ...messageOfParts(
            turn.role,
            shown.flatMap((part) => renderPart(part, own, fields, sample.id)),
          ),
        }
      }
      return [
        ...head.map(say),
        ...fewShot.flatMap((example) => exampleTurns(example, question, sample.id)),
        ...body.map(say),
      ]
    },
  }
}

/** A turn with its template, and with those of its parts where it has some. */
interface CompiledTurn {
  readonly turn: ReadTurn
  readonly template: Template
  readonly parts: readonly CompiledPart[] | null
}

type CompiledPart = { readonly type: "text"; readonly template: Template } | Exclude<ReadPart, TextPart>

function compileParts({ parts }: ReadTurn): readonly CompiledPart[] | null {
  if (!parts) return null
  return parts.map((part) => (part.type === "text" ? { type: "text", template: compileTemplate(part.text) } : part))
}

function renderPart(
  part: CompiledPart | CompiledTurn,
  own: readonly MediaPart[],
  fields: JsonObject,
  sampleId: string,
): readonly ContentPart[] {
  if ("template" in part) return [{ type: "text", text: part.template(fields, sampleId) }]
  return part.type === "media" ? own : [part]
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
    if (typeof sample.input === "string") return [{ role: "user", content: sample.input }]
    if (sample.input !== null) return sample.input
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

function turnIdentity(turn: ReadTurn): JsonObject {
  return {
    role: turn.role,
    content: turn.content,
    ...(turn.parts && { parts: turn.parts.map(partIdentity) }),
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
