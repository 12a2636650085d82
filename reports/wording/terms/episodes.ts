import { figure, part, type Term, word } from "./term.ts"

/** Conversations and agents. */
export const episodeTerms: readonly Term[] = [
  part(
    "section-episodes",
    "Episodes: conversations and agents",
    "What an answer of several steps took: time of the model and of the tools, steps, tokens, dollars per solved task.",
  ),
  word(
    "episode",
    "episode",
    "One answer of several steps: turns of a conversation, calls of tools, and what they gave back.",
    {
      also: ["episodes"],
    },
  ),
  figure(
    "solved",
    "solved",
    "Episodes whose task is done, by the metric that says so; a task that is done in part is not. 0 to 100 %.",
  ),
  figure(
    "per-solved-task",
    "per solved task",
    "US dollars of all episodes over the solved ones: episodes that fail are paid for, too.",
  ),
  figure(
    "episode-p95",
    "time, p95",
    "95 of 100 episodes were faster. It is the time of the model and of the tools; what the client waited between steps is left out.",
  ),
  figure("model-time", "of the model, mean", "Milliseconds of an episode that were the model\u2019s."),
  figure("tool-time", "of the tools, mean", "Milliseconds of an episode that were the tools\u2019."),
  figure("model-answers", "answers, mean", "How often the model was asked in an episode."),
  figure("tool-calls", "calls of tools, mean", "Calls of tools in an episode, those that failed included."),
  figure(
    "prompt-together",
    "prompt tokens together, mean",
    "Prompt tokens of all requests of an episode: what was said before is sent again with each, and is paid for again.",
  ),
  figure("prompt-cached", "of them cached, mean", "Those of them that the service\u2019s prompt cache served."),
  figure(
    "prompt-growth",
    "last prompt over first, mean",
    "Tokens of the last prompt over those of the first: how much a conversation grows.",
  ),
  part(
    "section-turns",
    "Turns of the conversations",
    "Each turn by itself: prompts grow from turn to turn, and the first word comes later.",
  ),
  word("turn", "turn", "One message of the user and what the model answers to it."),
  figure(
    "first-token-median",
    "first token, median",
    "Median time to the first token of the turn\u2019s answer. Milliseconds.",
  ),
  figure("whole-turn", "whole turn, median", "Median time until the turn is answered. Milliseconds."),
  figure("prompt-tokens", "prompt tokens", "Tokens that were sent to the model with a request. Mean.", {
    also: ["prompt tokens, mean", "prompt tokens, hits", "prompt tokens, misses"],
  }),
  part(
    "section-success-by-answers",
    "Success by the number of answers",
    "Episodes by how many answers of the model they took. Hard tasks take more: the rows compare tasks, not what more answers would bring.",
  ),
  part(
    "section-tries",
    "Cost against success in k tries",
    "What trying a task several times brings, and what it costs.",
  ),
  word("k", "k", "How many tries a task gets."),
  figure(
    "pass-at-k",
    "pass@k",
    "Tasks that are solved in at least one of k tries, estimated from all tries of each task. 0 to 100 %.",
    {
      note: "It helps only who can tell which try was right.",
    },
  ),
  figure("pass-hat-k", "pass^k", "Tasks that are solved in all of k tries: what a user can rely on. 0 to 100 %."),
  figure("k-tries", "k tries", "US dollars of k tries: k times the cost of one."),
  part(
    "section-users",
    "Simulated users",
    "What a score varies with: the tasks, the simulated users, or the variant\u2019s own chance.",
    {
      also: ["simulated users: what * varies with"],
    },
  ),
  word("variance-of", "of", "What the row is about: the scores of a variant, or the difference of two."),
  figure("between-tasks", "between tasks", "Variance of the score between tasks: some are harder."),
  figure("users-draw", "the user\u2019s draw", "Variance between the simulated users of one task.", {
    also: ["the user's draw"],
  }),
  figure("own-noise", "own noise", "Variance that is left with one task and one user: the variant\u2019s own chance."),
  figure(
    "user-and-noise",
    "user and noise together",
    "Variance within one task; where each try met another user the two cannot be told apart.",
  ),
  figure("users-share", "the user\u2019s share", "The user\u2019s part of the whole variance. 0 to 100 %.", {
    also: ["the user's share"],
  }),
  word("tasks", "tasks", "Samples of the data set that an episode was made of."),
]
