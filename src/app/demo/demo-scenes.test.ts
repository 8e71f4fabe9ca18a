import { expect, it } from "vitest";
import type { DemoEvent } from "#app/demo/demo-event.ts";
import { groupIntoScenes } from "#app/demo/demo-scenes.ts";

const told: readonly DemoEvent[] = [
  { kind: "scene", number: 1, at: "a", title: "one", watch: "" },
  { kind: "happened", at: "a", by: "ada", what: "pushed", lines: [] },
  { kind: "looked", at: "b", saw: ["it"], decided: [], did: ["this"] },
  { kind: "scene", number: 2, at: "c", title: "two", watch: "" },
  { kind: "wrote", at: "c", what: "a comment", lines: ["words"] },
];

it("gathers what is told under its scene, by kind", () => {
  expect(groupIntoScenes(told)).toEqual([
    {
      number: 1,
      at: "a",
      title: "one",
      happened: [{ at: "a", by: "ada", what: "pushed", lines: [] }],
      looks: [{ at: "b", saw: ["it"], decided: [], did: ["this"] }],
      wrote: [],
    },
    {
      number: 2,
      at: "c",
      title: "two",
      happened: [],
      looks: [],
      wrote: [{ at: "c", what: "a comment", lines: ["words"] }],
    },
  ]);
});
