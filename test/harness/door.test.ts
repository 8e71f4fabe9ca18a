import { expect, test } from "vitest";
import { knock, openDoor } from "./door.ts";

test("nothing is started before somebody knocks, and then once for all", async () => {
  const log: string[] = [];
  const door = await openDoor(async () => {
    log.push("started");
    return { told: { url: "here" }, remove: async () => void log.push("removed") };
  });
  expect(log).toEqual([]);
  expect(await Promise.all([knock(door.port), knock(door.port)])).toEqual([{ url: "here" }, { url: "here" }]);
  await door.close();
  expect(log).toEqual(["started", "removed"]);
});

test("a door at which nobody knocked has nothing to remove", async () => {
  const log: string[] = [];
  const door = await openDoor(async () => {
    log.push("started");
    return { told: null, remove: async () => undefined };
  });
  await door.close();
  expect(log).toEqual([]);
});

test("what could not be started is told to everybody who knocks, and closing is no trouble", async () => {
  const door = await openDoor(async () => await Promise.reject(new Error("no room")));
  for (let time = 0; time < 2; time++) await expect(knock(door.port)).rejects.toThrow("no room");
  await door.close();
});
