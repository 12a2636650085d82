import { UsageError } from "../../core/errors.ts"
import type { ConfigNode, Offset } from "./config-node.ts"
import type { Schema } from "./config-schema.ts"
import { type Making, type Plan, type Planner, planFault } from "./plan.ts"
import { meant, planMap } from "./plan-map.ts"
import { expected, factories, got } from "./words.ts"

/** A value that a factory makes: its name, or its name with what it is given. */
export function planMade(node: ConfigNode, schema: Schema, path: string, planner: Planner): Plan {
  const called = callOf(node)
  if (!called) return planFault(node.at, `${path}: expected ${expected(schema, planner)}, got ${got(node)}`)
  const { name, at, argument } = called
  if (schema["x-made"]?.code.includes(name))
    return planFault(
      at,
      `${path}: ${name} takes a function, which only TypeScript can say; write eval.config.ts for it`,
    )
  const forms = schema.anyOf ?? []
  const call = forms.map(({ properties }) => properties?.[name]).find((entry) => entry !== undefined)
  const isBare = forms.some(({ enum: bare }) => bare?.includes(name))
  if (!call && !isBare)
    return planFault(at, `${path}: there is no ${schema["x-made"]?.kind} "${name}"${meant(name, factories(schema))}`)
  if (argument === null || argument.kind === "null") {
    if (isBare) return { faults: [], make: (making) => made(name, [], at, making) }
    return planFault(at, `${path}: ${name} needs ${needs(call as Schema, planner)}; write for example ${name}: { … }`)
  }
  if (!call) return planFault(argument.at, `${path}: ${name} takes nothing; write its name alone`)
  return planCall(name, argument, planner.resolve(call), `${path}.${name}`, at, planner)
}

/** `openai`, or `{ openai: … }`. */
function callOf(
  node: ConfigNode,
): { readonly name: string; readonly at: Offset; readonly argument: ConfigNode | null } | null {
  if (node.kind === "text") return { name: node.value, at: node.at, argument: null }
  if (node.kind !== "map" || node.entries.size !== 1) return null
  const [[name, { keyAt, value }]] = [...node.entries] as [[string, { keyAt: Offset; value: ConfigNode }]]
  return { name, at: keyAt, argument: value }
}

/** A map names the parameters and the options; anything else is the first parameter alone. */
function planCall(
  name: string,
  configNode: ConfigNode,
  call: Schema,
  path: string,
  at: Offset,
  planner: Planner,
): Plan {
  const forms = (call.anyOf ?? [call]).map((form) => planner.resolve(form))
  const plans = forms.map((form) => {
    const shape = form["x-call"]
    if (!shape) {
      const alone = planner.plan(configNode, form, path)
      return {
        isLikely: configNode.kind !== "map",
        faults: alone.faults,
        make: (making: Making) => made(name, [alone.make(making)], at, making),
      }
    }
    if (configNode.kind !== "map")
      return { isLikely: false, ...planFault(configNode.at, `${path}: expected its options, got ${got(configNode)}`) }
    const { faults, make } = planMap(configNode, form, path, planner)
    return {
      isLikely: true,
      faults,
      make: (making: Making) => made(name, argumentsOf(shape, make(making)), at, making),
    }
  })
  const [first] = plans.filter(({ isLikely }) => isLikely).toSorted((a, b) => a.faults.length - b.faults.length)
  return first ?? (plans[0] as Plan)
}

function argumentsOf({ parameters, hasOptions }: NonNullable<Schema["x-call"]>, fields: unknown): readonly unknown[] {
  const values = new Map(Object.entries(fields as object))
  const first = parameters.map((name) => values.get(name))
  const options = Object.fromEntries([...values].filter(([name]) => !parameters.includes(name)))
  return hasOptions && Object.keys(options).length > 0 ? [...first, options] : first
}

function needs(call: Schema, planner: Planner): string {
  const forms = (planner.resolve(call).anyOf ?? [planner.resolve(call)]).map((form) => planner.resolve(form))
  return forms.find(({ required }) => required)?.required?.join(", ") ?? "its options"
}

/** Calls the factory, or takes the value; what it throws names the position of its name. */
function made(name: string, args: readonly unknown[], at: Offset, { publicValue, locate }: Making): unknown {
  const value = publicValue(name)
  if (typeof value !== "function") return value
  try {
    return (value as (...all: readonly unknown[]) => unknown)(...args)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(error.what, {
      code: error.code,
      where: error.where === undefined ? locate(at) : `${locate(at)}: ${error.where}`,
      ...(error.hint !== undefined && { hint: error.hint }),
      cause: error,
    })
  }
}
