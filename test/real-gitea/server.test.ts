import { beforeEach, expect, inject, test } from "vitest";
import * as z from "zod";
import { giteaApi } from "./gitea-api.ts";
import { giteaCommand } from "./gitea-builds.ts";
import { findServer } from "./gitea-told.ts";

const version = inject("giteaVersion") ?? "";

beforeEach(({ skip }) => {
  skip(inject("giteaDoors")[version] === undefined, `Gitea ${version} is not built here: ${giteaCommand}`);
});

test("the server that was built is the one that answers, and its admin is let in", async () => {
  const told = await findServer(version);
  const api = giteaApi({ url: told.url, authorization: `token ${told.adminToken}` });
  expect(z.object({ version: z.string() }).parse(await api.get("/version"))).toEqual({ version });
  expect(await api.get("/user")).toMatchObject({ login: "overseer", is_admin: true });
});
