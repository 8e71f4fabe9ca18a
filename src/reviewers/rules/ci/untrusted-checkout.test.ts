import { describe, expect, it } from "vitest";
import { untrustedCheckout } from "#reviewers/rules/ci/untrusted-checkout.ts";
import { changedFile, newFile, placesOf } from "#testing/rules-makers.ts";

const path = ".github/workflows/ci.yml";
const headRef = "          ref: ${{ github.event.pull_request.head.sha }}";

describe("untrusted-checkout", () => {
  it.each([
    ["on: pull_request_target", headRef],
    ["on: [push, pull_request_target]", "          ref: ${{ github.head_ref }}"],
    ["  pull_request_target:", "          ref: refs/pull/${{ github.event.number }}/merge"],
    ["  workflow_run:", "          ref: ${{ github.event.workflow_run.head_sha }}"],
  ])("finds %s with %s", async (trigger, ref) => {
    expect(await placesOf(untrustedCheckout, [newFile(path, trigger, "jobs:", ref)])).toEqual(["3"]);
  });

  it("finds the trigger that makes an old checkout dangerous", async () => {
    const file = changedFile(path, "-on: pull_request", "+on: pull_request_target", " jobs:", ` ${headRef}`);
    expect(await placesOf(untrustedCheckout, [file])).toEqual(["1"]);
  });

  it("finds the new checkout under an old trigger", async () => {
    const file = changedFile(path, " on: pull_request_target", " jobs:", `+${headRef}`);
    expect(await placesOf(untrustedCheckout, [file])).toEqual(["3"]);
  });

  it.each([
    ["the trigger alone", ["on: pull_request_target", "jobs:", "      - uses: actions/checkout@v4"]],
    ["the checkout alone", ["on: pull_request", "jobs:", headRef]],
    ["a trigger in a comment", ["# on: pull_request_target", "jobs:", headRef]],
    ["a checkout of the base", ["on: pull_request_target", "          ref: ${{ github.event.pull_request.base.sha }}"]],
  ])("lets %s pass", async (_name, lines) => {
    expect(await placesOf(untrustedCheckout, [newFile(path, ...lines)])).toEqual([]);
  });

  it("says nothing about a checkout that was there before", async () => {
    const file = changedFile(path, " on: pull_request_target", ` ${headRef}`, "+# A word.");
    expect(await placesOf(untrustedCheckout, [file])).toEqual([]);
  });
});
