import { ApiError } from "../../../src/local-model/serve/api-error.ts"
import { parseChatBody, parseCompletionBody } from "../../../src/local-model/serve/request-body.ts"
import { faultOf } from "../faults.ts"
import { editJson, jsonEdits } from "../inputs.ts"
import { surface } from "../surface.ts"

const chat = {
  model: "m",
  messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
  temperature: 0.5,
  stop: ["x"],
  stream: true,
  stream_options: { include_usage: true },
  logprobs: true,
  top_logprobs: 2,
  prompt: [5, 6],
  grammar: "",
  chat_template_kwargs: { enable_thinking: false },
  response_format: { type: "json_schema", json_schema: { schema: { type: "object" } } },
}

/** What is sent to `evalkit serve`. */
export const requestBodies = surface(
  "bodies of requests to the server",
  4,
  () => jsonEdits(4).map((edits) => editJson(chat, edits)),
  (body) =>
    faultOf(() => {
      for (const parse of [parseChatBody, parseCompletionBody])
        try {
          parse(body)
        } catch (error) {
          if (!(error instanceof ApiError) || error.message.trim() === "") throw error
        }
    }),
)
