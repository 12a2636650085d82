import type { Price } from "../core/cost.ts"
import { UsageError } from "../core/errors.ts"
import { type Answer, type Attempt, attemptOf } from "../core/generation.ts"
import { canonicalJson } from "../core/json.ts"
import { checkOptions } from "../core/options.ts"
import { isFailure } from "../core/outcome.ts"
import type { ModelRequest, OpenContext, Provider, ProviderSession, RequestOptions } from "../core/provider.ts"
import { costOfGeneration } from "../cost/cost-of-usage.ts"
import { listPrice } from "../cost/price-book.ts"

/** Options of {@link fallback}. @public */
export interface FallbackOptions {
  /** For reports. Default: the members' labels. */
  readonly label?: string
  /** Which answers of a member the next one is asked after. Default: every failure (a refusal by the model is an answer). */
  readonly when?: (answer: Answer) => boolean
}

/**
 * Several providers as one variant: the first is asked, and where it fails the next, as a router in production does. Quality, latency
 * and cost are those of all together: an answer's time begins with the first request, and what the failed ones took and cost is
 * counted as failed attempts. Each answer keeps who gave it (`answeredBy`); the report counts them. The total time limit holds for
 * the whole call and is shared out: a member gets its part of what is left.
 *
 * @param providers at least two, in the order in which they are asked; servers that run alone on this machine are none of them
 * @example fallback([openai({ model: "gpt-4.1" }), anthropic({ model: "claude-haiku-4-5" })])
 * @throws UsageError for fewer than two providers, and for those that must run alone
 * @public
 */
export function fallback(providers: readonly Provider[], options: FallbackOptions = {}): Provider {
  checkOptions("fallback", options)
  if (!Array.isArray(providers) || providers.length < 2)
    throw new UsageError("a fallback needs at least two providers", { where: "fallback([...])" })
  const alone = providers.find(({ exclusive }) => exclusive)
  if (alone) throw new UsageError("a server that must run alone cannot be part of a fallback", { where: alone.label })
  const price = commonPrice(providers)
  const limits = providers.flatMap(({ concurrency }) => concurrency ?? [])
  return {
    kind: "fallback",
    model: providers.map(({ model }) => model).join(" → "),
    label: options.label ?? providers.map(({ label }) => label).join(" → "),
    endpoint: providers.map(({ endpoint }) => endpoint).join(" → "),
    identity: {
      kind: "fallback",
      members: providers.map(({ identity }) => identity),
      when: options.when ? "own" : null,
    },
    privateIdentity: () => providers.map((member) => member.privateIdentity?.() ?? null),
    traits: { service: null, members: providers },
    price,
    ...(limits.length > 0 && { concurrency: Math.min(...limits) }),
    open: (context) => openMembers(providers, options.when ?? (({ outcome }) => isFailure(outcome)), price, context),
  }
}

/** The price of all where it is one; else null, and each answer states what it cost. */
function commonPrice(providers: readonly Provider[]): Price | null {
  const [first = null, ...rest] = providers.map((provider) => listPrice(provider))
  return rest.every((price) => canonicalJson({ price }) === canonicalJson({ price: first })) ? first : null
}

interface Member {
  readonly provider: Provider
  readonly session: ProviderSession
}

async function openMembers(
  providers: readonly Provider[],
  isAskedOn: (answer: Answer) => boolean,
  common: Price | null,
  context: OpenContext,
): Promise<ProviderSession> {
  const members: Member[] = []
  const close = async (): Promise<void> => void (await Promise.all(members.map(({ session }) => session.close())))
  try {
    for (const provider of providers) members.push({ provider, session: await provider.open(context) })
  } catch (error) {
    await close()
    throw error
  }
  return {
    request: (request, options) => ask(members, isAskedOn, common === null, request, options),
    resources: () => (members[0] as Member).session.resources(),
    notes: (parameters) =>
      members.flatMap(({ provider, session }) => session.notes(parameters).map((note) => `${provider.label}: ${note}`)),
    close,
  }
}

async function ask(
  members: readonly Member[],
  isAskedOn: (answer: Answer) => boolean,
  statesCost: boolean,
  request: ModelRequest,
  options: RequestOptions,
): Promise<Answer> {
  const { clock, timeouts } = options
  const endMs = clock.now() + timeouts.totalMs
  const failed: Attempt[] = []
  const refused: Attempt[] = []
  let firstSendMs: number | null = null
  for (const [i, { provider, session }] of members.entries()) {
    const totalMs = Math.max(1, (endMs - clock.now()) / (members.length - i))
    const reply = await session.request(request, { ...options, timeouts: { ...timeouts, totalMs } })
    firstSendMs ??= reply.log.sendMs
    const { lost = [], ...answer } = statesCost ? withCost(reply, provider) : reply
    failed.push(...lost)
    refused.push(...(reply.refused ?? []))
    const isLast = i === members.length - 1
    if (isLast || answer.outcome === "cancelled" || !isAskedOn(answer))
      return {
        ...answer,
        answeredBy: provider.label,
        // The pair's time begins with the first request.
        log: { ...answer.log, sendMs: firstSendMs },
        ...(failed.length > 0 && { lost: failed }),
        ...(refused.length > 0 && { refused }),
      }
    failed.push(attemptOf(answer))
  }
  throw new Error("a fallback without members")
}

/** An answer that states what it cost by the list price of who gave it; as it is where that is unknown. */
function withCost(answer: Answer, provider: Provider): Answer {
  if (answer.usage.chargedUsd !== undefined) return answer
  const cost = costOfGeneration({ ...answer, retries: [], refused: [] }, listPrice(provider))
  return cost.status === "known" ? { ...answer, usage: { ...answer.usage, chargedUsd: cost.usd } } : answer
}
