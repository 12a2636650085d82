import type { LoadedModel } from "./load-model.ts"
import type { SequencePool } from "./sequences/sequence-pool.ts"

/**
 * Answers `GET /props` in the words of llama.cpp's server: what a run keeps of a server that it started. `model_path` is the file's name, for its
 * folder is nobody's business.
 */
export function props({ file }: LoadedModel, pool: SequencePool) {
  return { total_slots: pool.size, model_path: file, build_info: "evalkit" }
}
