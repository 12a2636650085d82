import { randomUUID } from "node:crypto"
import type { LlamaGrammar, Token } from "node-llama-cpp"
import { messageOf } from "../../../core/errors.ts"
import { ApiError } from "../api-error.ts"
import { endOfValue, type Serving } from "../completion-work.ts"
import { type Ending, type GenerateOptions, generate, type Piece } from "../generate.ts"
import { callForm } from "./call-form.ts"
import type { FunctionTool, ToolChoice } from "./tool-body.ts"

/** Grammars of the functions that may be called. */
export interface ToolGrammars {
  /** Of the name, where there is a choice. */
  readonly name: LlamaGrammar | null
  /** Of the arguments, by the function's name; none for a function without parameters. */
  readonly args: ReadonlyMap<string, LlamaGrammar>
}

/** The grammars of a request's functions. Throws 400 that names the function whose schema cannot be made into one. */
export async function toolGrammars(
  { llama }: Serving["loaded"],
  callable: readonly FunctionTool[],
): Promise<ToolGrammars> {
  const args = new Map<string, LlamaGrammar>()
  for (const { name, parameters } of callable) {
    if (!parameters) continue
    try {
      args.set(name, await llama.createGrammarForJsonSchema(parameters as unknown as { type: "object" }))
    } catch (error) {
      throw new ApiError(400, `the parameters of ${name} cannot be served: ${messageOf(error)}`, { param: "tools" })
    }
  }
  const names = callable.map(({ name }) => `"${name}"`).join(" | ")
  return { name: callable.length > 1 ? await llama.createGrammar({ grammar: `root ::= ${names}` }) : null, args }
}

/**
 * An answer that may call functions. The model writes freely until it begins a call in its template's form (it begins with one where a call
 * is required); name and arguments are then held to grammars, so that they are always a function that is offered and JSON of its schema. Where
 * a format is asked for, what is no call follows it.
 */
export async function* callTools(
  { loaded, sequence }: Serving,
  options: GenerateOptions,
  choice: ToolChoice,
  grammars: ToolGrammars,
): AsyncGenerator<Piece, Ending> {
  const form = callForm(loaded)
  const endings: Ending[] = []
  const read = [...options.tokens]
  const write = (text: string) => read.push(...loaded.model.tokenize(text))
  const next = (more: Partial<GenerateOptions>) => {
    return generate(loaded, sequence, {
      ...options,
      tokens: [...read],
      maxTokens: room(options, endings),
      // The sequence holds what was read and written so far.
      reusePrefix: endings.length > 0,
      ...more,
    })
  }
  const grammatical = {
    minTokens: 0,
    alternatives: null,
    stopTokens: new Set<Token>(),
  }
  const end = (finishReason: Ending["finishReason"]): Ending => ({ ...together(endings), finishReason })
  for (let index = 0; index < choice.most; index++) {
    if (!choice.isRequired || index > 0) {
      // Behind a call, another one follows at once or none does; an answer that is held to a format begins with a call or has none.
      const onlyLooks = index > 0 || options.grammar !== null
      const most = onlyLooks ? { maxTokens: Math.min(form.beginTokens + 2, room(options, endings)) } : {}
      const part = next({
        ...most,
        grammar: null,
        stopTokens: new Set([...options.stopTokens, ...form.beginToken]),
        stopTexts: [...options.stopTexts, ...form.beginTexts],
      })
      let text = ""
      let piece = await part.next()
      for (; !piece.done; piece = await part.next()) {
        text += piece.value.text
        if (!onlyLooks) yield piece.value
      }
      const ending = piece.value
      const begins = form.begins(ending)
      if (!onlyLooks || begins) endings.push(ending)
      if (!begins && index === 0 && onlyLooks) return yield* next({})
      if (!begins) return end(index > 0 ? "tool_calls" : ending.finishReason)
      if (!onlyLooks) write(text)
    }
    read.push(...(index > 0 ? form.between : []), ...form.prefix)
    const name = yield* chosenName()
    if (name === null) return end("length")
    write(name)
    read.push(...form.paramsPrefix)
    const id = `call_${randomUUID().replaceAll("-", "").slice(0, 24)}`
    yield { text: "", logprobs: [], call: { index, id, name, arguments: "" } }
    const written = yield* writtenArguments(name, index, id)
    if (written === null) return end("length")
    write(written)
    read.push(...form.suffix)
  }
  return end("tool_calls")

  async function* chosenName(): AsyncGenerator<Piece, string | null> {
    const only = choice.callable[0]?.name ?? null
    if (!grammars.name) return only
    const part = next({ ...grammatical, grammar: grammars.name, stopTexts: [] })
    let name = ""
    let piece = await part.next()
    for (; !piece.done; piece = await part.next()) name += piece.value.text
    endings.push(piece.value)
    return choice.callable.some((tool) => tool.name === name) ? name : null
  }

  async function* writtenArguments(name: string, index: number, id: string): AsyncGenerator<Piece, string | null> {
    const grammar = grammars.args.get(name)
    if (!grammar) {
      yield { text: "", logprobs: [], call: { index, id, arguments: "{}" } }
      return "{}"
    }
    const part = next({ ...grammatical, grammar, stopTexts: [endOfValue] })
    let written = ""
    let piece = await part.next()
    for (; !piece.done; piece = await part.next()) {
      written += piece.value.text
      yield { text: "", logprobs: [], call: { index, id, arguments: piece.value.text } }
    }
    endings.push(piece.value)
    return piece.value.finishReason === "length" ? null : written
  }
}

/** The parts of one answer as one ending: what was generated and how long it took adds up. */
function together(endings: readonly Ending[]): Omit<Ending, "finishReason"> {
  const sum = (name: "completionTokens" | "promptMs" | "predictedMs") =>
    endings.reduce((total, ending) => total + ending[name], 0)
  return {
    completionTokens: sum("completionTokens"),
    cachedPromptTokens: endings[0]?.cachedPromptTokens ?? 0,
    promptMs: sum("promptMs"),
    predictedMs: sum("predictedMs"),
  }
}

function room(options: GenerateOptions, endings: readonly Ending[]): number {
  return options.maxTokens - together(endings).completionTokens
}
