import { episode } from "../../../src/config/episode.ts"
import { simulatedUser } from "../../../src/config/simulated-user.ts"
import type { EpisodeDesign, Tool, ToolEffects } from "../../../src/core/episode/design.ts"
import type { ToolSource } from "../../../src/core/episode/tool-source.ts"
import { contentHash, type JsonObject } from "../../../src/core/json.ts"
import type { ChatMessage } from "../../../src/core/message.ts"
import { createRandom, type Random } from "../../../src/core/random.ts"
import { tool } from "../../../src/providers/tools/tool.ts"
import type { EpisodePlan } from "./plan.ts"
import { answerOf, maxTokens, type Script, type SimulatedService } from "./service.ts"

/** Tools that episodes call, and what was called. */
export interface SimulatedTools {
  /** How often each call took effect, by variant, sample, repeat, place in the episode, and tool. */
  readonly calls: ReadonlyMap<string, number>
  /** How the variants go through episodes. */
  readonly design: EpisodeDesign
  /** The fields of a sample that is a conversation. */
  conversation(id: string): JsonObject
}

/** Turns that a conversation has: 2 to 5. */
export function turnsOf(sample: string): number {
  return 2 + createRandom(`turns/${sample}`).integer(4)
}

/** What a model calls in its answer to a turn, by its number within the turn; empty where it answers. */
export function callsOf(sample: string, step: string): readonly (keyof typeof effectsOf)[] {
  const [turn, answer] = step.split("/").map(Number) as [number, number]
  const random = createRandom(`calls/${sample}/${turn}`)
  if (answer >= random.integer(3)) return []
  const own = createRandom(`calls/${sample}/${step}`)
  const names = Object.keys(effectsOf) as (keyof typeof effectsOf)[]
  return Array.from({ length: 1 + own.integer(3) }, () => names[own.integer(names.length)]!)
}

const effectsOf = { look: "none", note: "state", book: "outside" } as const satisfies Record<string, ToolEffects>
const userTurn = (sample: string, turn: number): string => `ask ${sample} turn ${turn}`
const stop = "###STOP###"
const asWords = ({ content }: ChatMessage): string => String(content)

/** What the models of episodes say: each turn has its answer, after some calls of tools. */
export const episodeScript: Script = (model, request, sampleId) => {
  const { messages } = request
  if (model === "judge") return { question: asWords(messages.at(-1)!), text: asWords(messages.at(-1)!) }
  const question = `${model} ${contentHash(request as unknown as JsonObject)}`
  if (model === "summary") return { question, text: "it was asked, and answered" }
  if (model === "user") {
    const sample = /talk of (s\d+)/.exec(asWords(messages[0]!))![1]!
    const turn = messages.filter(({ role }) => role === "assistant").length
    return { question, text: turn < turnsOf(sample) ? userTurn(sample, turn) : stop }
  }
  const last = messages.findLastIndex(({ role }) => role === "user")
  const turn = Number(/ turn (\d+)$/.exec(asWords(messages[last]!))![1])
  const step = `${turn}/${messages.slice(last).filter(({ role }) => role === "assistant").length}`
  const calls = callsOf(sampleId!, step)
  const toolCalls = calls.map((name, index) => ({
    name,
    arguments: { who: model, at: `${step}/${index}` },
    id: `${index}`,
  }))
  const isEnd = calls.length === 0 && turn + 1 === turnsOf(sampleId!)
  const text = isEnd ? answerOf(model, sampleId!) : `${calls.length === 0 ? "so far" : "a moment"}: ${step}`
  return { question: sampleId!, step, text, toolCalls }
}

/** Tools that take their time, fail and hang, and a user. */
export function createTools(
  plan: EpisodePlan,
  { random, service }: { readonly random: Random; readonly service: SimulatedService },
): SimulatedTools {
  const calls = new Map<string, number>()
  const own = (name: keyof typeof effectsOf, ending: () => string | null = () => null, breaks = () => {}): Tool =>
    tool<JsonObject, { notes: string[] }>({
      name,
      parameters: { type: "object", properties: { who: { type: "string" }, at: { type: "string" } } },
      effects: effectsOf[name],
      timeoutMs: 2_000,
      async run({ who, at }, { state, sample, seed }) {
        const key = `${who} ${sample.id} ${seed.split("/")[3]} ${at} ${name}`
        const end = ending()
        if (end !== null) throw new Error(end)
        const draw = random.next()
        const isFailing = !service.isCalm() && draw < plan.failing
        if (!isFailing || draw < plan.failing / 2) calls.set(key, 1 + (calls.get(key) ?? 0))
        await new Promise((resolve) => setTimeout(resolve, isFailing && draw < plan.failing / 4 ? 60_000 : 300 * draw))
        if (isFailing) {
          breaks()
          throw new Error("the tool failed")
        }
        if (name === "note") state.notes.push(String(at))
        return { done: at as string }
      },
    })
  const server: ToolSource = {
    ...{ label: "simulated tools", each: plan.server ?? "variant", identity: { simulated: true } },
    async open() {
      await new Promise((resolve) => setTimeout(resolve, 50))
      let end: string | null = null
      const book = own(
        "book",
        () => end,
        () => {
          end ??= "the server of tools broke"
        },
      )
      return {
        ...{ tools: [book], offer: ["book"], ending: () => end },
        change: async () => null,
        async close() {
          end ??= "closed"
        },
      }
    },
  }
  const { user, last } = plan
  return {
    calls,
    design: episode({
      tools: [own("look"), own("note"), plan.server ? server : own("book")],
      state: () => ({ notes: [] }),
      history:
        last === null
          ? "full"
          : {
              last,
              ...(plan.isSummed && { summary: { provider: service.provider("summary"), parameters: { maxTokens } } }),
            },
      ...(user !== "none" && {
        user: simulatedUser({
          provider: service.provider("user"),
          goal: "talk of {{goal}}",
          parameters: { maxTokens },
        }),
      }),
    }),
    conversation(id) {
      const turns = Array.from({ length: turnsOf(id) }, (_, turn) => userTurn(id, turn))
      return { goal: id, ...(user !== "begins" && { turns: user === "none" ? turns : turns.slice(0, 1) }) }
    },
  }
}
