import { columnWords } from "../column-words.ts"
import { figure, part, type Term } from "./term.ts"

/** Dollars, sizes and energy. */
export const costTerms: readonly Term[] = [
  figure(
    "cost",
    "cost",
    "US dollars by the price that stands in \u201cMethod\u201d, each class of tokens at its own rate. A class without a rate makes it unknown, never 0.",
    {
      note: "In a table of slices it is the change against the baseline in per cent.",
      also: [
        "costusd",
        "$",
        "cost per query",
        "cost per answer",
        "per query",
        "$ per answer",
        "other cost",
        "cost before",
        "cost now",
      ],
    },
  ),
  figure("cost-per-1k", "cost of 1,000 requests", columnWords.perThousandUsd, {
    note: "A class of tokens without a rate makes it unknown, never 0.",
    also: ["$ per 1k", "perthousandusd", "1,000 requests", "per 1,000", "$ per 1,000"],
  }),
  figure(
    "cost-per-correct",
    "cost per correct answer",
    "All dollars, those of wrong and failed answers too, divided by the answers that are right.",
    {
      note: "A cheap model that is often wrong cannot hide here.",
      also: ["percorrectusd", "per correct answer", "1,000 correct answers"],
    },
  ),
  figure(
    "this-run",
    "this run",
    "US dollars of all answers of this run, failed and retried attempts included, judges not.",
    {
      place: "bill",
    },
  ),
  figure(
    "spent-on-failures",
    "spent on failures",
    "US dollars of answers that failed and of attempts that were made again: money without an answer. It is included in the cost of the run.",
  ),
  figure(
    "judges-cost",
    "judges (separate)",
    "US dollars of judging the answers. In no other amount: judging is the price of the evaluation, not of the variant.",
    { also: ["judges"], place: "bill" },
  ),
  figure(
    "monthly-cost",
    "Monthly cost",
    "US dollars a month at the number of requests that you set: requests × cost of one, or whole units of hardware, busy or not.",
    {
      note: "It assumes that requests of a month look like those of this run.",
      also: ["a month", "dollars a month", "* queries a month", "monthly"],
    },
  ),
  figure("requests-a-month", "requests a month", "Your own traffic: type it in the field above the table of costs."),
  figure(
    "price",
    "price",
    "Where the price was read, and when. Prices change: look at the date before you plan with it.",
  ),
  figure(
    "bill-prompt",
    "prompt",
    "Tokens of the questions at their rate, less those that have a column of their own.",
    {
      also: [
        "prompt, cached",
        "audio of the prompt",
        "images of the prompt",
        "films of the prompt",
        "* of the prompt, cached",
      ],
      place: "bill",
      note: "Cached are prompt tokens that the service\u2019s cache served, at their own, lower rate.",
    },
  ),
  figure("bill-answer", "answer", "Tokens of the answers at their rate, thinking included.", {
    also: ["audio of the answer", "images of the answer"],
    place: "bill",
  }),
  figure(
    "bill-reasoning",
    "of which reasoning",
    "Tokens that a model writes before its answer, seen or not. They are part of the answer\u2019s tokens and price, not beside them.",
  ),
  figure("bill-retried", "retried attempts", "US dollars of attempts that failed and were made again."),
  figure(
    "bill-hardware",
    "hardware",
    "Time of hardware that is paid by the hour, shared among the answers by their tokens.",
    { place: "bill" },
  ),
  figure(
    "bill-others",
    "other charges",
    "Billed at a rate of its own, beside the tokens of text: writes to the prompt cache, a fee per request, a search, a least charge.",
    {
      also: [
        ...["cache writes, 5 min", "cache writes, 1 h", "cache writes", "as charged", "fee per request"],
        ...["up to the least charge", "web search"],
      ],
      place: "bill",
    },
  ),
  part(
    "section-cost",
    "Cost",
    "What the run cost and on what, what an answer and a correct answer cost, and the monthly bill at your own traffic. US dollars.",
    {
      place: "section",
    },
  ),
  part(
    "cost-by-component",
    "Cost of this run by component",
    "What the bill of each variant is made of: dollars, their share of the total, and the tokens behind them.",
  ),
  figure("availability", "availability", "Share of the planned calls that ended in an answer that can be used."),
  figure("failed", "failed", columnWords.failed, {
    note: "A failed answer is a loss in every comparison.",
    also: ["failures"],
  }),
  figure("size", "model size", columnWords.modelBytes, {
    also: ["modelbytes", "size", "size of the file", "model file"],
    note: "Where a name is all that is known of a model, its size is unknown.",
  }),
  figure("memory", "memory", columnWords.memoryBytes, { also: ["memorybytes", "memory, peak"] }),
  figure("energy", "energy per answer", columnWords.joulesPerAnswer, {
    also: ["joulesperanswer", "j per answer", "energy"],
  }),
  figure("energy-per-correct", "energy per correct answer", columnWords.joulesPerCorrect, {
    also: ["joulespercorrect", "j per correct"],
  }),
  figure("electricity", "electricity per 1k", columnWords.electricityUsdPerThousand, {
    also: ["electricityusdperthousand"],
  }),
  figure("emissions", "g CO2e per 1k", columnWords.gramsCo2PerThousand, { also: ["gramsco2perthousand"] }),
]
