// Run by cascade.ts. The job: the capitals of 40 states, ten of each of four continents, whose capital is one word of English.
import { auroc, contains, defineConfig, expectedCalibrationError, prompt, variant } from "evalkit"
import { machinePrice, model } from "./models.ts"

const capitals = `Austria Vienna, Belgium Brussels, Denmark Copenhagen, Finland Helsinki, Greece Athens, Hungary Budapest, Ireland Dublin,
  Poland Warsaw, Portugal Lisbon, Sweden Stockholm, China Beijing, India Delhi, Indonesia Jakarta, Iran Tehran, Iraq Baghdad, Japan Tokyo,
  Mongolia Ulaanbaatar, Nepal Kathmandu, Thailand Bangkok, Vietnam Hanoi, Algeria Algiers, Angola Luanda, Egypt Cairo, Ethiopia Addis,
  Ghana Accra, Kenya Nairobi, Libya Tripoli, Morocco Rabat, Senegal Dakar, Zambia Lusaka, Bolivia Sucre, Canada Ottawa, Chile Santiago,
  Colombia Bogotá, Cuba Havana, Ecuador Quito, Jamaica Kingston, Peru Lima, Uruguay Montevideo, Venezuela Caracas`
const continents = ["Europe", "Asia", "Africa", "America"]
const ask = "What is the capital of {{input}}?"
const fewShot = ["Italy Rome", "Russia Moscow", "Cameroon Yaoundé"].map((pair) => {
  const [input = "", output = ""] = pair.split(" ")
  return { input, output }
})

const answerer = (name: "smollm2" | "gemma3") =>
  variant({
    name,
    provider: model(name),
    price: machinePrice,
    prompt: prompt(ask, { system: "Answer with the name of a city.", fewShot }),
    parameters: { temperature: 0, maxTokens: 8, stop: ["\n"], topLogprobs: 1 },
  })

export default defineConfig({
  name: "cascade-study",
  dataset: capitals.split(/,\s+/).map((pair, i) => {
    const [input = "", capital = ""] = pair.split(" ")
    return { id: input, input, references: [capital], continent: continents[Math.floor(i / 10)] ?? "" }
  }),
  variants: [answerer("gemma3"), answerer("smollm2")],
  metrics: [contains(), expectedCalibrationError({ correct: "contains" }), auroc({ correct: "contains" })],
  slices: ["continent"],
  baseline: "gemma3",
  margin: 0.05,
  axes: ["quality", "costUsd", "e2eMs"],
  seed: 1,
  concurrency: 1,
})
