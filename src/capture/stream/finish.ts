import { asMembers, asText } from "../../core/json-members.ts"
import { isFinish } from "../../core/run/finish-reason.ts"

/**
 * The finish reason after an event: the later one, but for a word that says nothing (`"null"`, as DashScope writes it in each chunk) behind one that does. SGLang's
 * is an object with a `type`; a number or a truth value is a word that is not known.
 *
 * @example laterFinish("stop", "null") // "stop"
 */
export function laterFinish(before: string | null, value: unknown): string | null {
  const word = typeof value === "number" || typeof value === "boolean" ? String(value) : asText(value)
  const reason = word || asText(asMembers(value)?.type)
  if (reason === "") return before
  return isFinish(before) && !isFinish(reason) ? before : reason
}
