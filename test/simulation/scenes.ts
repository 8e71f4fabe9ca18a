import { type Chance, chanceOf } from "./chance.ts";

/** These bring a life to an effect that chance alone meets in fewer than one of a hundred. */
const aimedScenes = ["session", "sleeper", "request", "reviewers down"] as const;

export const secretsScene = "roles with different secrets";

/** What people rarely do by chance and bots are known to get wrong. `scene-plays.ts` has what happens in each. */
const drawnScenes = [
  "conversation",
  "conversation",
  "sentences",
  "reviews switched off",
  "reviews switched off",
  "code owners",
  "signs against fixing",
  "short time-out",
  "budget",
  "one-shot runs",
] as const;

/**
 * With the share of lives that play them. They came later than the others, and are drawn from a stream of their own, so that
 * seeds went on meaning the same. A life of two jobs that share an account takes ten times as long as another.
 */
const laterScenes = [
  { scene: secretsScene, rate: 0.01 },
  { scene: "suggestions", rate: 0.05 },
] as const;

/** Played by name alone: one such life takes as long as many others. */
const longScenes = ["questions"] as const;

export type Scene =
  | (typeof aimedScenes | typeof drawnScenes | typeof longScenes)[number]
  | (typeof laterScenes)[number]["scene"];

const allScenes: readonly Scene[] = [
  ...new Set([...aimedScenes, ...drawnScenes, ...laterScenes.map(({ scene }) => scene), ...longScenes]),
];

/** Throws for what is no scene, with those that there are. */
export function readScene(name: string): Scene {
  const scene = allScenes.find((one) => one === name);
  if (scene === undefined) throw new Error(`there is no scene "${name}". There is: ${allScenes.join(", ")}`);
  return scene;
}

const drawnRate = 0.45;

/** Drawn beside the streams of chance that the rest of a life is made of, so that lives without a scene stay as they are. */
export function sceneOf(seed: number, target: { readonly crossing: string } | null): Scene | null {
  const chance: Chance = chanceOf(seed ^ 0x2545f491);
  const drawn = laterScene(seed) ?? (chance.isTrue(drawnRate) ? chance.pick(drawnScenes) : null);
  if (target === null) return drawn;
  if (/ session_re(?:ply|port) | review_request |forge\.requestReviews |queue\.\w+ session /.test(target.crossing))
    return "session";
  if (/ escalation_edit /.test(target.crossing)) return "reviewers down";
  if (/ completion /.test(target.crossing)) return "request";
  if (/ hint /.test(target.crossing)) return "sentences";
  if (/forge\.(?:claim|release)Pull /.test(target.crossing)) return "one-shot runs";
  return / blanked /.test(target.crossing) ? "sleeper" : drawn;
}

function laterScene(seed: number): Scene | null {
  const chance = chanceOf(seed ^ 0x6c8e9cf5);
  return laterScenes.find(({ rate }) => chance.isTrue(rate))?.scene ?? null;
}
