/** Version of the lexical metrics: changes when a score of any of them would change. */
const version = "evalkit-0.1.0"

/**
 * A metric's signature as sacreBLEU writes it: the name, then `key:value` facts, then the version.
 *
 * @example signature("bleu", { case: "mixed", tok: "13a" }) // "bleu|case:mixed|tok:13a|version:evalkit-0.1.0"
 */
export function signature(name: string, facts: Readonly<Record<string, string | number | boolean>>): string {
  const parts = Object.entries(facts).map(
    ([key, fact]) => `${key}:${fact === true ? "yes" : fact === false ? "no" : fact}`,
  )
  return [name, ...parts, `version:${version}`].join("|")
}
