import { figure, part, type Term, word } from "./term.ts"

/** Safety and bias. */
export const safetyTerms: readonly Term[] = [
  part(
    "section-moderation",
    "What a moderation endpoint flags",
    "Answers that a moderation service objects to, and under which of its categories.",
    {
      also: ["what a moderation endpoint flags*"],
    },
  ),
  figure(
    "flagged",
    "flagged",
    "Answers that are objected to. 0 to 100 %, lower is better; what counts as objectionable is the lens\u2019s own view.",
  ),
  word("category", "category", "A kind of question or of harm, as the data set or the service names it."),
  part(
    "section-refusals",
    "Refusals of safe prompts, answers to unsafe ones",
    "The two ways of being wrong with a refusal, side by side: one is easily made small at the price of the other.",
    {
      also: ["refusals of safe prompts*"],
    },
  ),
  word(
    "kind-of-prompt",
    "kind of prompt",
    "The kind that the data set gives a prompt; \u201call\u201d is all of them together.",
  ),
  figure(
    "over-refusal",
    "safe prompts refused",
    "Of the safe prompts those that were refused. 0 to 100 %, lower is better.",
  ),
  figure(
    "unsafe-answered",
    "unsafe prompts answered",
    "Of the unsafe prompts those that were not refused. 0 to 100 %, lower is better.",
  ),
  part(
    "section-toxicity",
    "Toxicity under several lenses",
    "What each lens flags, and where one stands alone: those answers are worth reading.",
    { also: ["toxicity under *"] },
  ),
  figure(
    "lens-agrees",
    "agrees with the others",
    "Answers on which the lens says what most of the others say. 0 to 100 %. Agreement is no proof of being right.",
  ),
  figure("flags-alone", "flags alone", "Answers that this lens flags and no other."),
  figure("passes-alone", "lets pass alone", "Answers that all other lenses flag and this one does not."),
  figure(
    "could-not-look",
    "could not look",
    "Answers that the lens could not judge: a service that failed, a language that it does not read.",
  ),
  part(
    "section-extraction",
    "What can be extracted of known texts",
    "Whether the model goes on with a known text word by word: a sign that it was learned by heart.",
    {
      also: ["what can be extracted of known texts*"],
    },
  ),
  figure("verbatim", "verbatim", "Answers that go on exactly as the true text did. 0 to 100 %, lower is better.", {
    note: "One changed word hides a memory: read the nearly verbatim share beside it.",
  }),
  figure(
    "nearly-verbatim",
    "nearly verbatim",
    "Answers whose edit similarity to the true text reaches the stated limit. 0 to 100 %.",
    { also: ["nearly verbatim *"] },
  ),
  figure(
    "edit-similarity",
    "edit similarity",
    "1 − edit distance in words / length, averaged over the answers. 100 % is the same text.",
  ),
  figure(
    "ngram-overlap",
    "overlap of n-grams",
    "Of the true text\u2019s runs of n words those that the answer has. 0 to 100 %.",
    { also: ["overlap of *-grams"] },
  ),
  figure("longest-run", "longest run, words", "The longest run of words of the true text in any answer, in order."),
  part(
    "section-bbq",
    "Bias in questions (BBQ)",
    "Questions about people whose right answer is known or cannot be known: do wrong answers follow stereotypes?",
    {
      also: ["bias in *"],
    },
  ),
  figure("accuracy", "accuracy", "Answers that are right. 0 to 100 %."),
  figure(
    "bias-score",
    "bias score",
    "−1 to 1: 1 where answers always follow the stereotype, 0 where they follow it as often as they go against it, below 0 where they go against it.",
    { note: "Below 0 is a bias, too." },
  ),
  part(
    "section-exchange",
    "What exchanging names and groups changes",
    "The same prompts with another name or group: nothing should change.",
  ),
  word("exchanged", "exchanged", "What was exchanged in the prompt, such as a gender or an origin."),
  word(
    "exchange-direction",
    "difference (of an exchange)",
    "Which group\u2019s answers the others are subtracted from.",
    { also: ["difference"], place: "bias" },
  ),
  figure(
    "exchange-score",
    "score (of an exchange)",
    "Difference of the score between the two groups. 0 is even, either sign is a difference.",
    { also: ["score"], place: "bias" },
  ),
  figure(
    "exchange-sentiment",
    "sentiment",
    "Difference in how friendly the answers are, by a list of words. 0 is even.",
  ),
  figure("exchange-refusal", "refusal", "Difference in how often answers are refusals. 0 is even."),
  figure("exchange-length", "length", "Difference in the length of the answers, in characters. 0 is even."),
  figure(
    "score-changed",
    "score changed",
    "Pairs whose score changes with the exchange, either way. 0 to 100 %, lower is better.",
  ),
  figure(
    "stereotype-likelier",
    "stereotype likelier",
    "Of pairs of texts those of which the model finds the stereotype likelier. 50 % is even.",
    {},
  ),
  part(
    "section-stereotypes",
    "Stereotypes that the model prefers",
    "Pairs of texts, one with a stereotype and one against it: which does the model find likelier?",
    {
      also: ["which of two texts*", "stereotypes*"],
    },
  ),
  part(
    "section-wino",
    "Whom a pronoun means",
    "Pairs of sentences that differ in whether the pronoun fits a stereotype of a profession.",
    { also: ["whom a pronoun means*"] },
  ),
  figure(
    "right-with-stereotype",
    "right with the stereotype",
    "Pronouns that are read rightly where they fit the stereotype; the other column where they do not. 0 to 100 %.",
    {
      also: ["right against it"],
    },
  ),
]
