// Makes a trace as the collector of an application with OpenTelemetry writes it: 250 requests to a shop's assistant, four spans each
// (the request, the search, the reranking, the call of the model), 1,000 in all. Seeded: the same file every time.
//
//   npx jiti examples/production-traces/make-traces.ts traces.jsonl
import { writeFileSync } from "node:fs"
import { pathToFileURL } from "node:url"

const lamps = ["Aurora", "Borealis", "Cirrus", "Dusk", "Ember", "Fern", "Glow", "Halo", "Iris", "Juno"]
const wants = [
  { asks: (lamp: string) => `What does the ${lamp} lamp cost?`, says: (lamp: Lamp) => `It costs ${lamp.price} euros.` },
  { asks: (lamp: string) => `How heavy is the ${lamp}?`, says: (lamp: Lamp) => `It weighs ${lamp.grams} grams.` },
  {
    asks: (lamp: string) => `When would a ${lamp} arrive?`,
    says: (lamp: Lamp) => `It arrives within ${lamp.days} days.`,
  },
]

interface Lamp {
  readonly name: string
  readonly price: number
  readonly grams: number
  readonly days: number
}

/** A line for each request: an ExportTraceServiceRequest of its four spans. */
export function traceLines(requests = 250, seed = 7): readonly string[] {
  const random = seeded(seed)
  const between = (low: number, high: number) => low + Math.floor(random() * (high - low))
  const stock = lamps.map(
    (name): Lamp => ({ name, price: between(20, 400), grams: between(300, 9000), days: between(2, 30) }),
  )
  const passage = ({ name, price, grams, days }: Lamp) =>
    `The ${name} lamp costs ${price} euros, weighs ${grams} grams and is delivered within ${days} days.`
  let nowMs = Date.UTC(2026, 9, 1)
  return Array.from({ length: requests }, (_, i) => {
    const lamp = stock[between(0, stock.length)] as Lamp
    const other = stock[between(0, stock.length)] as Lamp
    const want = wants[between(0, wants.length)] as (typeof wants)[number]
    const traceId = hex(random, 32)
    const ids = [hex(random, 16), hex(random, 16), hex(random, 16), hex(random, 16)] as const
    nowMs += between(200, 90_000)
    const searchMs = between(8, 60)
    const rerankMs = between(5, 20)
    const ttftMs = between(180, 700)
    const answer = random() < 0.06 ? `It is ${between(1, 9999)}, I believe.` : want.says(lamp)
    const tokens = answer.split(/\s+/).length + 3
    const isFailed = random() < 0.02
    const callMs = isFailed ? between(900, 3000) : ttftMs + tokens * between(9, 20)
    const question = `Passages:\n- ${passage(lamp)}\n- ${passage(other)}\n\n${want.asks(lamp.name)} (order ${1000 + i})`
    const callFrom = nowMs + searchMs + rerankMs + 2
    const spans = [
      span([traceId, ids[0], ""], "POST /ask", [nowMs, callFrom + callMs + 1], { "http.route": "/ask" }),
      span([traceId, ids[1], ids[0]], "retrieval lamps", [nowMs + 1, nowMs + 1 + searchMs], {
        "gen_ai.operation.name": "retrieval",
        "gen_ai.retrieval.documents": JSON.stringify([other, lamp].map((product) => ({ content: passage(product) }))),
      }),
      span([traceId, ids[2], ids[0]], "rerank", [nowMs + 1 + searchMs, nowMs + 1 + searchMs + rerankMs], {
        "gen_ai.operation.name": "rerank",
        "gen_ai.retrieval.documents": JSON.stringify([lamp, other].map((product) => ({ content: passage(product) }))),
      }),
      {
        ...span([traceId, ids[3], ids[0]], "chat shop-large", [callFrom, callFrom + callMs], {
          "gen_ai.operation.name": "chat",
          "gen_ai.provider.name": "openai",
          "gen_ai.request.model": "shop-large",
          "gen_ai.usage.input_tokens": Math.round(question.length / 4),
          "gen_ai.input.messages": JSON.stringify([{ role: "user", parts: [{ type: "text", content: question }] }]),
          ...(isFailed
            ? { "error.type": "503" }
            : {
                "gen_ai.usage.output_tokens": tokens,
                "gen_ai.response.time_to_first_chunk": ttftMs / 1000,
                "gen_ai.response.finish_reasons": "stop",
                "gen_ai.output.messages": JSON.stringify([
                  { role: "assistant", parts: [{ type: "text", content: answer }], finish_reason: "stop" },
                ]),
              }),
        }),
        ...(isFailed && { status: { code: 2, message: "service unavailable" } }),
      },
    ]
    const resource = { attributes: attributesOf({ "service.name": "shop-assistant" }) }
    return JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "shop" }, spans }] }] })
  })
}

function span(
  [traceId, spanId, parentSpanId]: readonly [string, string, string],
  name: string,
  [fromMs, toMs]: readonly [number, number],
  attributes: Readonly<Record<string, string | number>>,
) {
  const times = { startTimeUnixNano: `${fromMs}000000`, endTimeUnixNano: `${toMs}000000` }
  return { traceId, spanId, parentSpanId, name, kind: 1, ...times, attributes: attributesOf(attributes) }
}

function attributesOf(values: Readonly<Record<string, string | number>>) {
  return Object.entries(values).map(([key, value]) => ({ key, value: anyValue(value) }))
}

function anyValue(value: string | number) {
  if (typeof value === "string") return { stringValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** Mulberry32: small, and the same everywhere. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function hex(random: () => number, length: number): string {
  return Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join("")
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  writeFileSync(process.argv[2] ?? "traces.jsonl", `${traceLines().join("\n")}\n`)
