import type { GgufFile } from "./gguf-file.ts"

/**
 * What a run notes of a file that states no chat template, as that of a base model does; null of one that states its own. Turns are then written in
 * the form that is usual for the architecture, which such a model may never have seen.
 */
export function templateNote({ metadata }: GgufFile): string | null {
  if (metadata.get("tokenizer.chat_template")?.value) return null
  const architecture = String(metadata.get("general.architecture")?.value ?? "unknown").slice(0, 40)
  return `no chat template in the file: its turns are written in a form guessed from the architecture (${architecture}); a base model answers no questions, it continues texts`
}
