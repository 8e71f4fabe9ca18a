/** Seeds that once found something, and what it was. They are run before all others. */
export const corpus: readonly { readonly seed: number; readonly story: string }[] = [
  {
    seed: 11,
    story:
      "A push came between the reaction on a merge command and its words: it was obeyed and void, and got both answers.",
  },
  {
    seed: 16,
    story:
      "Somebody dismissed the bot's review, and the next one had the same key: it was planned again and never sent.",
  },
  {
    seed: 173,
    story:
      "A worker whose clock was behind put a job off until a time that had passed for the queue, and took it at once, for ever.",
  },
];
