import { ApiError } from "../api-error.ts"
import type { ChatBody } from "../request-body.ts"

/**
 * Refuses options of a chat template that the template reads, since none are given to it: the prompt would be another one than was asked for. One
 * that it never mentions changes nothing, whatever its value.
 *
 * @param template the model's own; none for a model that has none
 * @throws ApiError 400 that names the option
 */
export function refuseTemplateOptions(
  template: string | undefined,
  { reasoning_effort, chat_template_kwargs }: Pick<ChatBody, "reasoning_effort" | "chat_template_kwargs">,
): void {
  const reads = (name: string) => name !== "" && template?.includes(name)
  const option = Object.keys(chat_template_kwargs ?? {}).find(reads)
  if (option !== undefined) throw refusal("chat_template_kwargs", option)
  if (reasoning_effort != null && reads("reasoning_effort")) throw refusal("reasoning_effort", "reasoning_effort")
}

function refusal(param: string, option: string): ApiError {
  const message = `${param}: the model's chat template reads ${option.slice(0, 80)}, which cannot be set here`
  return new ApiError(400, message, { param, code: "invalid_value" })
}
