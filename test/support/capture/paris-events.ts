/** Events of a chat completion that says where Paris is, as services stream them. */
export const piece = (content: string, rest: object = {}) => ({
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
  ...rest,
})
export const stop = { object: "chat.completion.chunk", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }
export const usage = (prompt: number, completion: number, more: object = {}) => ({
  choices: [],
  usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion, ...more },
})
export const words = ["Paris", " is", " the", " capital", "."]
export const text = words.join("")
export const pieces = words.map((word) => piece(word))
