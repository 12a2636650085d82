import type { ChatWrapper } from "node-llama-cpp"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { chatPrompt } from "../../../../src/local-model/serve/chat-prompt.ts"
import { type GenerateOptions, generate } from "../../../../src/local-model/serve/generate.ts"
import { type LoadedModel, loadModel } from "../../../../src/local-model/serve/load-model.ts"
import { callTools, toolGrammars } from "../../../../src/local-model/serve/tools/call-tools.ts"
import type { ToolChoice } from "../../../../src/local-model/serve/tools/tool-body.ts"
import { prompts, tinyModel } from "../shared-server.ts"

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let loaded: LoadedModel
beforeAll(async () => {
  loaded = await loadModel({ modelPath: tinyModel, threads: 1, parallel: 1, gpu: false })
})
afterAll(() => loaded?.dispose())

const functions = [
  { name: "look", parameters: { type: "object", properties: { at: { enum: ["here"] } } } },
  { name: "wait" },
]

/** The small model never learned to call: here a word that it writes anyway begins a call. */
async function answer(prefixOf: (words: readonly string[]) => string, choice: Partial<ToolChoice> = {}) {
  const sequence = loaded.context.getSequence()
  try {
    const { tokens, stopTokens, stopTexts } = chatPrompt(loaded, [{ role: "user", content: prompts[0] as string }])
    const options: GenerateOptions = {
      tokens,
      maxTokens: 60,
      temperature: 0,
      topP: 1,
      seed: 1,
      alternatives: null,
      stopTokens,
      stopTexts,
      grammar: null,
      signal: new AbortController().signal,
    }
    let plain = ""
    for await (const { text } of generate(loaded, sequence, options)) plain += text
    const words = plain.split(" ")
    const settings = {
      ...loaded.chatWrapper.settings,
      functions: {
        ...loaded.chatWrapper.settings.functions,
        call: { optionalPrefixSpace: false, prefix: prefixOf(words), paramsPrefix: "(", suffix: ")" },
      },
    }
    const model = { ...loaded, chatWrapper: { settings } as unknown as ChatWrapper }
    const serving = { loaded: model, sequence, signal: options.signal, id: "", created: 0 }
    const all: ToolChoice = { callable: functions, isRequired: false, most: 2, ...choice }
    const pieces = callTools(serving, options, all, await toolGrammars(model, all.callable))
    let text = ""
    const calls: { name?: string | undefined; arguments: string }[] = []
    let next = await pieces.next()
    for (; !next.done; next = await pieces.next()) {
      const { call } = next.value
      text += next.value.text
      if (call?.name !== undefined) calls.push({ name: call.name, arguments: "" })
      const last = calls.at(-1)
      if (call && last) last.arguments += call.arguments
    }
    return { words, plain, text, calls, ending: next.value }
  } finally {
    sequence.dispose()
  }
}

it("writes freely until the model begins a call in its template's form, then holds name and arguments to what is offered", async () => {
  const { words, text, calls, ending } = await answer((all) => all[2] as string)
  expect(text).toBe(`${words.slice(0, 2).join(" ")} `)
  expect(ending.finishReason).toBe("tool_calls")
  expect(ending.completionTokens).toBeGreaterThan(0)
  expect(calls.length).toBeGreaterThan(0)
  for (const { name, arguments: args } of calls) {
    expect(["look", "wait"]).toContain(name)
    expect(JSON.parse(args)).toEqual(name === "wait" ? {} : { at: "here" })
  }
})

it("gives the whole answer where the model begins no call", async () => {
  const { plain, text, calls, ending } = await answer(() => "<call>")
  expect([text, calls, ending.finishReason]).toEqual([plain, [], "stop"])
})

it("makes one call where it is required and only one may be made", async () => {
  const { text, calls } = await answer(() => "<call>", { isRequired: true, most: 1, callable: [functions[1]!] })
  expect([text, calls]).toEqual(["", [{ name: "wait", arguments: "{}" }]])
})
