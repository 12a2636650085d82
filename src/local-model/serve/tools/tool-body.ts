import { z } from "zod"
import { jsonSchema } from "../fields/json-schema.ts"

/** As OpenAI limits them; in a grammar they need no escape. */
const functionName = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, "letters, digits, _ and -, 64 at most")

/** Functions of one request, at most. */
const maxTools = 128

/** One function that the model may call. */
const functionTool = z.object({
  name: functionName,
  description: z.string().nullish(),
  parameters: jsonSchema.nullish(),
})

/** Of a chat request: what may be called, whether it must be, and whether several calls may stand in one answer. */
export const toolFields = {
  tools: z
    .array(z.object({ type: z.literal("function", "functions are served, no other tools"), function: functionTool }))
    .max(maxTools)
    .nullish(),
  tool_choice: z
    .union(
      [
        z.enum(["none", "auto", "required"]),
        z.object({ type: z.literal("function"), function: z.object({ name: functionName }) }),
      ],
      'expected "none", "auto", "required" or a function by its name',
    )
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
}

/** A call that an earlier answer made, in a request's messages. */
export const calledTool = z.object({
  id: z.string().min(1),
  type: z.literal("function").nullish(),
  function: z.object({ name: functionName, arguments: z.string() }),
})

/** A function that a request offers. */
export type FunctionTool = z.infer<typeof functionTool>

/** The fields of a request that say what may be called. */
export interface ToolFields {
  readonly tools?: readonly { readonly function: FunctionTool }[] | null | undefined
  readonly tool_choice?:
    | "none"
    | "auto"
    | "required"
    | { readonly function: { readonly name: string } }
    | null
    | undefined
  readonly parallel_tool_calls?: boolean | null | undefined
}

/** What an answer may call, and how. */
export interface ToolChoice {
  /** Functions that may be called: all, or the one that was chosen. */
  readonly callable: readonly FunctionTool[]
  /** Whether an answer without a call is no answer. */
  readonly isRequired: boolean
  /** Calls of one answer, at most. */
  readonly most: number
}

/** Calls of one answer, at most: a small model may repeat one for ever. */
const maxCalls = 16

/** What an answer may call; null where it may call nothing. */
export function toolChoiceOf({
  tools,
  tool_choice: choice,
  parallel_tool_calls: parallel,
}: ToolFields): ToolChoice | null {
  if (!tools?.length || choice === "none") return null
  const all = tools.map((tool) => tool.function)
  const name = nameOf(choice)
  if (name !== null) return { callable: all.filter((tool) => tool.name === name), isRequired: true, most: 1 }
  return { callable: all, isRequired: choice === "required", most: parallel === false ? 1 : maxCalls }
}

/** The function that a choice names; null where it names none. */
function nameOf(choice: ToolFields["tool_choice"]): string | null {
  return typeof choice === "object" && choice !== null ? choice.function.name : null
}

/** What is wrong with the tools of a request, with the field; null when nothing is. */
export function toolFault({
  tools,
  tool_choice: choice,
}: ToolFields): { readonly path: string; readonly message: string } | null {
  const names = (tools ?? []).map((tool) => tool.function.name)
  if (new Set(names).size < names.length) return { path: "tools", message: "two functions have one name" }
  const name = nameOf(choice)
  if (name !== null && !names.includes(name))
    return { path: "tool_choice", message: `no function ${name} is among the tools` }
  if (choice === "required" && names.length === 0)
    return { path: "tool_choice", message: "required, and there are no tools" }
  return null
}
