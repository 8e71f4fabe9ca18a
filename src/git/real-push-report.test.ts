import { expect, it } from "vitest";
import { readPushReport } from "#git/real-push.ts";

const ref = "refs/heads/main";

it.each([
  ["done", ` \tabc:${ref}\tabc..def\n`],
  ["done", `=\tabc:${ref}\t[up to date]\n`],
  ["done", `*\tabc:${ref}\t[new branch]\n`],
  ["rejected", `!\tabc:${ref}\t[rejected] (stale info)\n`],
  ["rejected", `!\tabc:${ref}\t[remote rejected] (pre-receive hook declined)\n`],
  ["none", `!\tabc:${ref}\t[remote failure] (remote failed to report status)\n`],
  ["none", ` \tabc:${ref}2\tabc..def\n`],
  ["none", "To somewhere\nDone\n"],
  ["none", ""],
])("a push counts as %s if git reports %j", (report, line) => {
  expect(readPushReport(line === "" ? "" : `To somewhere\n${line}Done\n`, ref)).toBe(report);
});
