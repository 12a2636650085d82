import type { GenerationParameters, ProviderSession } from "../../core/provider.ts"
import { redactSecrets } from "../../text/secrets.ts"
import { createAnswerNotes } from "../client/answer-notes.ts"
import { captureIterator } from "../client/capture-iterator.ts"
import { timingNote } from "../client/timing-note.ts"
import { remoteResources } from "../unknown-resources.ts"
import { callOptions } from "./prompt.ts"
import { createAiSdkReader } from "./read-stream.ts"
import type { AiSdkModel } from "./types.ts"

/** A session over a model of the AI SDK, which opens and closes what it needs by itself. */
export function openAiSdkSession(model: AiSdkModel): ProviderSession {
  const warnings = new Set<string>()
  const answerNotes = createAnswerNotes()
  return {
    async request(request, options) {
      const reader = createAiSdkReader()
      const answer = await captureIterator(
        {
          open: async (signal) =>
            (await model.doStream(callOptions(request, signal) as never)).stream as AsyncIterable<unknown>,
          read: reader.read,
          finish: reader.finish,
          library: "ai-sdk",
        },
        options,
      )
      for (const warning of reader.warnings()) if (warnings.size < 20) warnings.add(warning)
      answerNotes.add(answer)
      return answer
    },
    transport: () => "the AI SDK's own",
    resources: () => Promise.resolve(remoteResources),
    notes: (parameters) => [
      timingNote("the AI SDK"),
      ...[...warnings, ...answerNotes.list()].map(redactSecrets),
      ...unsent(parameters ?? {}),
    ],
    close: () => Promise.resolve(),
  }
}

/** What a call of the AI SDK has no place for: each package has an option of its own for it. */
function unsent({ effort, topLogprobs }: GenerationParameters): readonly string[] {
  return [
    ...(effort === undefined ? [] : ["effort: not sent; give it as the package's own option in parameters.extra"]),
    ...(topLogprobs === undefined ? [] : ["logprobs: not asked for; the AI SDK has no common form for them"]),
  ]
}
