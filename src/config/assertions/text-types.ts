import { contains } from "../../../metrics/match/contains.ts"
import { exactMatch } from "../../../metrics/match/exact-match.ts"
import { jsonMatch } from "../../../metrics/match/json-match.ts"
import { regexMatch } from "../../../metrics/match/regex-match.ts"
import { bleu } from "../../../metrics/overlap/bleu.ts"
import { editDistance } from "../../../metrics/overlap/edit-distance.ts"
import { meteor } from "../../../metrics/overlap/meteor.ts"
import { rouge } from "../../../metrics/overlap/rouge.ts"
import { refusal } from "../../../metrics/safety/refusal.ts"
import { splitWords } from "../../../metrics/text/python-text.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { isObject } from "../../core/json-members.ts"
import { unscored } from "../../core/metric/metric.ts"
import { type Assertion, type AssertionType, asks, textsOf } from "./assertion.ts"

const isOne = (value: number) => value === 1
const atLeast =
  (defaultValue: number, scale = 1) =>
  (value: number, { threshold = defaultValue }: Assertion) =>
    value >= threshold * scale

const containing = (match: "any" | "all", caseSensitive: boolean): AssertionType => ({
  needs: "value",
  holds: asks(() => contains({ match, caseSensitive }), isOne),
})

const jsonOf = ({ value }: Assertion) =>
  jsonMatch(isObject(value ?? null) ? { schema: value as JsonObject } : { check: "valid" })

/** Types that are checked by an answer's text, time and price alone. */
export const textTypes: Readonly<Record<string, AssertionType>> = {
  equals: {
    needs: "value",
    holds: asks<unknown>(
      ({ value }) => (typeof value === "object" ? jsonMatch({ check: "equal" }) : exactMatch({ normalize: "none" })),
      isOne,
    ),
  },
  contains: containing("any", true),
  icontains: containing("any", false),
  "contains-all": containing("all", true),
  "contains-any": containing("any", true),
  "icontains-all": containing("all", false),
  "icontains-any": containing("any", false),
  "starts-with": {
    needs: "value",
    holds: ({ assertion, generation }) => generation.text.startsWith(textsOf(assertion)[0] ?? ""),
  },
  regex: { needs: "value", holds: asks(({ value }) => regexMatch({ pattern: new RegExp(String(value)) }), isOne) },
  "is-json": { needs: "nothing", holds: asks(jsonOf, isOne) },
  "contains-json": { needs: "nothing", holds: asks(jsonOf, (_, _assertion, { lenient }) => lenient === 1) },
  "is-refusal": { needs: "nothing", holds: asks(() => refusal(), isOne) },
  "rouge-n": { needs: "value", holds: asks(() => rouge({ type: "rouge1" }), atLeast(0.75)) },
  // BLEU of evalkit is 0 to 100.
  bleu: { needs: "value", holds: asks(() => bleu(), atLeast(0.5, 100)) },
  meteor: { needs: "value", holds: asks(() => meteor(), atLeast(0.5)) },
  levenshtein: {
    needs: "value",
    holds: asks(
      () => editDistance({ unicode: "none" }),
      (value, { threshold = 5 }) => value <= threshold,
    ),
  },
  "word-count": {
    needs: "value",
    holds({ assertion: { value = null }, generation }) {
      const count = splitWords(generation.text).length
      const { min = 0, max = Number.POSITIVE_INFINITY } = isObject(value) ? value : { min: value, max: value }
      return count >= Number(min) && count <= Number(max)
    },
  },
  "finish-reason": {
    needs: "value",
    holds: ({ assertion, generation }) => generation.finishReason === textsOf(assertion)[0],
  },
  latency: {
    needs: "threshold",
    holds: ({ assertion: { threshold = 0 }, generation: { source, log } }) =>
      source === "replayed" || log.events.length === 0
        ? unscored("no_value", "the answer was not timed")
        : log.endMs - log.sendMs <= threshold,
  },
  cost: {
    needs: "threshold",
    holds: ({ assertion: { threshold = 0 }, generation: { cost } }) =>
      cost.status === "known" ? cost.usd <= threshold : unscored("no_value", "what the answer cost is not known"),
  },
  javascript: {
    needs: "value",
    async holds({ assertion, output, call }) {
      const result = (await call(assertion.code, output)) as JsonValue
      const { pass, score = result } = isObject(result) ? result : {}
      const verdict = pass ?? score
      if (typeof verdict === "boolean") return verdict
      if (typeof verdict !== "number") return unscored("no_value", "the function gives no verdict")
      return assertion.threshold === undefined ? verdict > 0 : verdict >= assertion.threshold
    },
  },
}
