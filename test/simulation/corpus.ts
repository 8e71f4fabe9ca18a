/**
 * Seeds that find something again when its remedy is taken away, and what it was. They are run before all others. A change
 * of what is drawn makes another life of each seed: look for new ones then.
 */
export const corpus: readonly { readonly seed: number; readonly story: string }[] = [
  {
    seed: 16,
    story:
      "Somebody dismissed the bot's review, and the next one had the same key: it was planned again and never sent.",
  },
  {
    seed: 542,
    story: "A token that had expired once ended every later plan at its first action: the next head never got a gate.",
  },
  {
    seed: 110_000_169,
    story:
      "A review that was never submitted carried notes: after the loss of the database they proved that it was published.",
  },
];
