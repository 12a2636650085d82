import { ApiError } from "../api-error.ts"
import type { LoadedModel } from "../load-model.ts"
import type { SequencePool } from "../sequences/sequence-pool.ts"
import { defaults } from "./completion-body.ts"

/**
 * Answers `GET /props` in the words of llama.cpp's server: what `/completion` does where a request says nothing, the chat template, and how many
 * requests are served at once. `model_path` is the file's name, for its folder is nobody's business.
 */
export function props({ file, model, contextSize }: LoadedModel, pool: SequencePool) {
  const { bosString, eosString } = model.tokens
  return {
    default_generation_settings: { n_ctx: contextSize, speculative: false, params: defaults },
    total_slots: pool.slots().length,
    model_path: file,
    chat_template: model.fileInfo.metadata.tokenizer?.chat_template ?? "",
    bos_token: bosString ?? "",
    eos_token: eosString ?? "",
    modalities: { vision: false, audio: false },
    build_info: "evalkit",
    is_sleeping: false,
  }
}

/**
 * Answers `GET /slots`: which of the places is at work. What it works on is not told.
 *
 * @throws ApiError 503 with `?fail_on_no_slot=1` when none is free
 */
export function slots({ contextSize }: LoadedModel, pool: SequencePool, query: URLSearchParams) {
  const all = pool.slots()
  if (query.get("fail_on_no_slot") === "1" && all.every(({ isBusy }) => isBusy))
    throw new ApiError(503, "no slot is free", { code: "no_slot", retryAfterSeconds: 1 })
  return all.map(({ id, isBusy }) => ({ id, n_ctx: contextSize, speculative: false, is_processing: isBusy }))
}
