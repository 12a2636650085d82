import type { JsonObject, JsonValue } from "../../core/json.ts"
import { asList, asMembers, type Members, parseJson } from "../../core/json-members.ts"
import { readBoundedText, requestInTime } from "../../platform/request-in-time.ts"
import { bound } from "../../text/redact.ts"
import { redactSecrets } from "../../text/secrets.ts"

const timeoutMs = 3000
const maxBytes = 1_000_000
const maxModels = 8

/** What a server states about itself and what stays the same as long as it serves the same model. */
const modelFields = ["id", "root", "parent", "owned_by", "max_model_len", "quantization"]
const metaFields = ["architecture", "size", "n_params", "n_vocab", "n_ctx_train", "n_embd"]
const propsFields = ["model_path", "model_alias", "build_info", "total_slots"]

/**
 * What a server that was just started says it serves: its list of models, and llama.cpp's `/props`. Kept in the run's record, so
 * that an answer of another model can be told later. Null where it says nothing.
 */
export async function readServedIdentity(baseUrl: string, signal: AbortSignal): Promise<JsonObject | null> {
  const [list, props] = await Promise.all([
    readObject(`${baseUrl.replace(/\/+$/, "")}/models`, signal),
    readObject(new URL("/props", baseUrl).href, signal),
  ])
  const models = asList(list?.data)
    .slice(0, maxModels)
    .flatMap((row) => {
      const model = asMembers(row)
      return model ? [{ ...pick(model, modelFields), ...pick(asMembers(model.meta) ?? {}, metaFields) }] : []
    })
  const facts = {
    ...(models.length > 0 ? { models } : {}),
    ...(props ? { props: pick(props, propsFields) } : {}),
  }
  return Object.keys(facts).length === 0 ? null : facts
}

function pick(members: Members, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name): [string, JsonValue][] => {
      const value = members[name]
      if (typeof value === "string") return [[name, bound(redactSecrets(value), 300)]]
      return typeof value === "number" && Number.isFinite(value) ? [[name, value]] : []
    }),
  )
}

async function readObject(url: string, signal: AbortSignal): Promise<Members | null> {
  try {
    const request = { redirect: "error", headers: { connection: "close" }, signal, timeoutMs } as const
    return await requestInTime(url, request, async (response) => {
      const parsed = parseJson((await readBoundedText(response, maxBytes)) ?? "")
      return response.ok && "value" in parsed ? asMembers(parsed.value) : null
    })
  } catch {
    return null
  }
}
