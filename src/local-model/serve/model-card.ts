import { fileTypeName } from "../gguf/file-type.ts"
import { ApiError } from "./api-error.ts"
import type { LoadedModel } from "./load-model.ts"

/** The model as `GET /v1/models` lists it; `meta` is in the words of llama.cpp's server. */
export function modelCard(loaded: LoadedModel) {
  const { model, contextSize } = loaded
  return {
    id: loaded.name,
    object: "model",
    created: 0,
    owned_by: "evalkit",
    meta: {
      architecture: model.architecture,
      size: model.size,
      ftype: fileTypeName(model.fileInfo.metadata.general.file_type),
      n_ctx: contextSize,
      n_ctx_train: model.trainContextSize,
      n_vocab: model.fileInfo.metadata.tokenizer.ggml.tokens.length,
    },
  }
}

/** By its name, with or without the ending of its file. */
export function isServed({ name }: LoadedModel, asked: string): boolean {
  return asked === name || asked === `${name}.gguf`
}

/** What a request is told that names another model than the one that is served. */
export function unknownModel(name: string): ApiError {
  const message = `the model ${JSON.stringify(name.slice(0, 200))} does not exist here: GET /v1/models names what is served`
  return new ApiError(404, message, { param: "model", code: "model_not_found" })
}
