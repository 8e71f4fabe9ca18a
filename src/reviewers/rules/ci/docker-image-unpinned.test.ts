import { describe, expect, it } from "vitest";
import { dockerImageUnpinned } from "#reviewers/rules/ci/docker-image-unpinned.ts";
import { newFile, placesOf } from "#testing/rules-makers.ts";

describe("docker-image-unpinned", () => {
  it.each([
    ["Dockerfile", "FROM node:latest"],
    ["Dockerfile", "FROM node"],
    ["docker/Dockerfile.prod", "from --platform=linux/amd64 localhost:5000/base AS build"],
    ["app.dockerfile", "FROM ghcr.io/org/image:latest"],
  ])("finds an unpinned image in %s: %s", async (path, line) => {
    expect(await placesOf(dockerImageUnpinned, [newFile(path, line)])).toEqual(["1"]);
  });

  it.each([
    ["Dockerfile", ["FROM node:22"]],
    ["Dockerfile", ["FROM scratch"]],
    ["Dockerfile", ["FROM node:22 AS build", "FROM build"]],
    ["Dockerfile", ["FROM ${BASE}"]],
    ["Dockerfile", [`FROM node@sha256:${"a".repeat(64)}`]],
    ["Dockerfile", ["# FROM node"]],
    ["a.sql", ["FROM node"]],
  ])("lets %s with %j pass", async (path, lines) => {
    expect(await placesOf(dockerImageUnpinned, [newFile(path, ...lines)])).toEqual([]);
  });
});
