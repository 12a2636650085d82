import type { OpenAI } from "openai"
import type { ReadEvents } from "../../capture/read-answer.ts"
import type { EventReader } from "../../capture/threads/worker-messages.ts"
import type { JsonObject } from "../../core/json.ts"
import type { ModelRequest } from "../../core/provider.ts"
import { ownModule } from "../../platform/own-module.ts"
import type { OpenaiOptions } from "./options.ts"
import { createBody } from "./request-body.ts"
import { readResponses } from "./responses/read.ts"
import { writeResponses } from "./responses/write.ts"

/** One of the interfaces by which OpenAI's services answer: where it is, and how it is written and read. */
export interface OpenaiInterface {
  /** Below the base URL. */
  readonly resource: string
  write(request: ModelRequest, options: OpenaiOptions): JsonObject
  /** Absent: as chat completions. */
  readonly read?: ReadEvents
  /** Where capture threads find the same function. */
  readonly reader?: EventReader
  /** Parameters that it has no place for, by their usual names. */
  readonly unsupported: readonly string[]
  /** Asks by the package; what it makes of the events is dropped. */
  ask(client: OpenAI, body: JsonObject, options: object): Promise<AsyncIterable<unknown>>
}

const chat: OpenaiInterface = {
  resource: "/chat/completions",
  write: createBody,
  unsupported: [],
  ask: async (client, body, options) =>
    (await client.chat.completions.create(body as never, options)) as unknown as AsyncIterable<unknown>,
}

const responses: OpenaiInterface = {
  resource: "/responses",
  write: writeResponses,
  read: readResponses,
  reader: { url: ownModule(import.meta.url, "./responses/read").url.href, name: "readResponses" },
  unsupported: ["seed", "stop"],
  ask: async (client, body, options) =>
    (await client.responses.create(body as never, options)) as unknown as AsyncIterable<unknown>,
}

/** The interface that the options name. */
export function interfaceOf({ api = "chat" }: Pick<OpenaiOptions, "api">): OpenaiInterface {
  return api === "responses" ? responses : chat
}
