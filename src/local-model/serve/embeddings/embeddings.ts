import { z } from "zod"
import { ApiError } from "../api-error.ts"
import { checkCharacters, checkLength, type Served } from "../completion-work.ts"
import { parse } from "../request-body.ts"

/** Texts of one request, at most: as OpenAI limits them. */
const maxInputs = 2048

const tokenList = z.array(z.int().min(0)).min(1)

const embeddingsSchema = z.object({
  model: z.string().nullish(),
  input: z.union(
    [
      z.string().min(1),
      z.array(z.string().min(1)).min(1).max(maxInputs),
      tokenList,
      z.array(tokenList).min(1).max(maxInputs),
    ],
    `expected a text that is not empty, a list of tokens, or a list of at most ${maxInputs} of either`,
  ),
  encoding_format: z.enum(["float", "base64"]).nullish(),
  dimensions: z.int().min(1).nullish(),
})

/** The body of `POST /v1/embeddings`, checked. */
export type EmbeddingsBody = z.infer<typeof embeddingsSchema>

/** Checks a request for embeddings; throws 400 that names the field. */
export function parseEmbeddingsBody(body: unknown): EmbeddingsBody {
  return parse(embeddingsSchema, body)
}

/** Answers `POST /v1/embeddings`: a vector of length 1 for each text, in their order. */
export async function* embeddings({ loaded, signal }: Served, body: EmbeddingsBody): AsyncGenerator<unknown> {
  const { embedder } = loaded
  const size = loaded.model.embeddingVectorSize
  if (body.dimensions != null && body.dimensions !== size)
    throw new ApiError(400, `dimensions: this model's vectors have ${size}, which cannot be shortened`, {
      param: "dimensions",
      code: "invalid_value",
    })
  for (const input of inputsOf(body)) if (typeof input === "string") checkCharacters(loaded, input.length, "input")
  const inputs = await Promise.all(inputsOf(body).map((input) => embedder.tokensOf(input)))
  for (const tokens of inputs) checkLength(loaded, tokens, 1, "input")
  const data: unknown[] = []
  for (const [index, tokens] of inputs.entries()) {
    if (signal.aborted) return
    const started = performance.now()
    const vector = await embedder.embed(tokens)
    loaded.counts.read(tokens.length, performance.now() - started)
    data.push({
      object: "embedding",
      index,
      embedding: body.encoding_format === "base64" ? base64(vector) : Array.from(vector),
    })
  }
  const tokens = inputs.reduce((sum, { length }) => sum + length, 0)
  yield { object: "list", data, model: loaded.name, usage: { prompt_tokens: tokens, total_tokens: tokens } }
}

function inputsOf({ input }: EmbeddingsBody): readonly (string | readonly number[])[] {
  if (typeof input === "string") return [input]
  return input.every((item) => typeof item === "number") ? [input as number[]] : (input as (string | number[])[])
}

/** As OpenAI sends it: 32-bit floating point numbers, the lowest byte first. */
function base64(vector: Float64Array): string {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [i, value] of vector.entries()) bytes.writeFloatLE(value, i * 4)
  return bytes.toString("base64")
}
