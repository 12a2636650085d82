import { fileURLToPath } from "node:url"
import OpenAI from "openai"
import { type RunningServer, type ServeOptions, startServer } from "../../../src/local-model/serve/start-server.ts"

/** The smallest shipped model: 0.77M parameters. */
export const tinyModel = fileURLToPath(new URL("../../../models/tiny/tiny-s-f16.gguf", import.meta.url))

/** A server over the smallest model in this process, with the unmodified SDK as its client. */
export async function openTestServer(
  options: Partial<ServeOptions> = {},
): Promise<{ server: RunningServer; client: OpenAI; url: string }> {
  const server = await startServer({
    modelPath: tinyModel,
    name: "tiny",
    host: "127.0.0.1",
    port: 0,
    threads: 1,
    parallel: 2,
    queue: 8,
    gpu: false,
    ...options,
  })
  const client = new OpenAI({ baseURL: server.baseUrl, apiKey: "none", maxRetries: 0 })
  return { server, client, url: server.baseUrl }
}

/** A prompt that the model knows, and more of its kind. */
export const prompts = [
  "Translate into German: The aunt draws a green apple.",
  "German please: The big man draws a beautiful lamp.",
  "German please: The uncle needs a big table tomorrow.",
  "What is 12 + 30?",
]
