import type { EpisodeDesign, OpenSample, Tool } from "../../core/episode/design.ts"
import type { ToolSession, ToolSource } from "../../core/episode/tool-source.ts"
import { EvalkitError, UsageError } from "../../core/errors.ts"
import { canonicalJson, type JsonObject } from "../../core/json.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { Sample } from "../../core/sample.ts"
import type { Variant } from "../../core/variant.ts"
import { episodeWords } from "../../words/run/episode.ts"
import { openSample } from "./open-sample.ts"

/** What an episode's tools that come from sources are, and their end. */
export interface EpisodeTools {
  readonly tools: readonly Tool[]
  /** Closes what was started for this episode alone. */
  end(): Promise<void>
}

/** The sources of tools that a run has started. */
export interface ToolServers {
  /**
   * @throws EvalkitError `tools_changed` where a source offers something else than when the run began, and whatever keeps it from
   * being started again
   */
  forEpisode(variant: Variant, episode: { readonly state: unknown; readonly sample: OpenSample }): Promise<EpisodeTools>
  closeAll(): Promise<void>
}

/**
 * Starts what the variants' tools come from, and adds what it offers to the variants: to their requests and to their fingerprints.
 * @throws EvalkitError where a source cannot be started, or offers different things to two variants; everything is closed then
 */
export async function startToolServers<Part extends Pick<Evaluation, "variants">>(
  evaluation: Part,
  first: () => Sample | undefined,
  signal: AbortSignal,
): Promise<{ readonly evaluation: Part; readonly servers: ToolServers }> {
  const kept = new Map<string, Kept[]>()
  const closeAll = async (): Promise<void> => {
    const open = [...kept.values()].flat().map(({ session }) => session)
    kept.clear()
    await Promise.all(open.map(async (session) => (await session.catch(() => null))?.close()))
  }
  try {
    const variants: Variant[] = []
    const offers = new Map<ToolSource, { readonly offer: string; readonly variant: string }>()
    for (const variant of evaluation.variants) {
      const { episode } = variant
      if (!episode?.sources?.length) {
        variants.push(variant)
        continue
      }
      const shown = first()
      if (!shown) throw new Error("there is no sample to start a source of tools for")
      const sample = openSample(shown)
      const state = await episode.state?.(sample)
      const sessions: ToolSession[] = []
      for (const source of episode.sources) {
        const session = await source.open({ signal, state, sample })
        const offer = canonicalJson(session.offer)
        keep(kept, variant, { source, session: Promise.resolve(session), offer })
        const existing = offers.get(source) ?? { offer, variant: variant.name }
        offers.set(source, existing)
        if (existing.offer !== offer)
          throw new UsageError("a source of tools offers different tools to two variants", {
            code: "tools_changed",
            where: `${source.label}, variants ${existing.variant} and ${variant.name}`,
            hint: "what is compared then is two sets of tools; give each variant its own, or find out why they differ",
          })
        sessions.push(session)
        // It has shown what it offers; each episode starts one of its own.
        if (source.each === "episode") await session.close()
      }
      variants.push(withTools(variant, episode, sessions))
    }
    return { evaluation: { ...evaluation, variants }, servers: { forEpisode, closeAll } }
  } catch (error) {
    await closeAll()
    throw error
  }

  async function forEpisode(
    variant: Variant,
    { state, sample }: { readonly state: unknown; readonly sample: OpenSample },
  ): Promise<EpisodeTools> {
    const own: ToolSession[] = []
    const end = async (): Promise<void> => {
      await Promise.all(own.splice(0).map((session) => session.close()))
    }
    try {
      const tools: Tool[] = []
      for (const server of kept.get(variant.name) ?? []) {
        const { source, offer } = server
        const open = async (): Promise<ToolSession> =>
          asBefore(await source.open({ signal, state, sample }), offer, source)
        let session: ToolSession
        if (source.each === "episode") {
          session = await open()
          own.push(session)
        } else {
          session = await server.session
          const change = session.ending() === null ? await session.change(signal) : null
          if (change !== null) throw changed(source, change)
          if (session.ending() !== null) {
            // Episodes beside this one wait for the same new start.
            server.session = server.restart ??= open().finally(() => {
              server.restart = undefined
            })
            session = await server.session
          }
        }
        tools.push(...session.tools)
      }
      return { tools, end }
    } catch (error) {
      await end()
      throw error
    }
  }
}

/** A source as one variant uses it. */
interface Kept {
  readonly source: ToolSource
  readonly offer: string
  session: Promise<ToolSession>
  restart?: Promise<ToolSession> | undefined
}

function keep(kept: Map<string, Kept[]>, { name }: Variant, server: Kept): void {
  kept.set(name, [...(kept.get(name) ?? []), server])
}

async function asBefore(session: ToolSession, offer: string, source: ToolSource): Promise<ToolSession> {
  if (canonicalJson(session.offer) === offer) return session
  await session.close()
  throw changed(source, episodeWords.toolsDiffer)
}

function changed({ label }: ToolSource, what: string): EvalkitError {
  return new EvalkitError(`the tools changed while the run was under way: ${what}`, {
    code: "tools_changed",
    where: label,
  })
}

/** A variant with what its sources offer. */
function withTools(variant: Variant, episode: EpisodeDesign, sessions: readonly ToolSession[]): Variant {
  const tools = [...episode.tools, ...sessions.flatMap((session) => session.tools)]
  tools.forEach(({ name }, index) => {
    if (tools.findIndex((other) => other.name === name) < index)
      throw new UsageError(`two tools have the name ${JSON.stringify(name)}`, {
        where: `variant ${variant.name}`,
        hint: 'set one source apart: mcpTools({ …, prefix: "files_" })',
      })
  })
  const identity = {
    ...(episode.identity as JsonObject),
    offered: sessions.map(({ offer, tools: own }) => ({ offer, tools: own.map((tool) => tool.identity) })),
  }
  return {
    ...variant,
    episode: { ...episode, tools, identity },
    tools: tools.map(({ name, description, parameters }) => ({
      name,
      ...(description !== undefined && { description }),
      parameters,
    })),
  }
}
