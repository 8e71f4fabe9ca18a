import { createHash } from "node:crypto";
import type { Repository } from "#forges/sandbox/world.ts";
import { repositoryUrl } from "#github-like/rest/repository-body.ts";
import type { Sight } from "#github-like/sight.ts";

/** Larger files are told without their content. */
const contentBytesMax = 1024 * 1024;

export function contentBody(
  sight: Sight,
  { ref }: Repository,
  { path, content }: { readonly path: string; readonly content: Buffer },
): object {
  const at = repositoryUrl(sight, ref.name);
  const sha = createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
  const isTold = content.length <= contentBytesMax;
  const place = path.split("/").map(encodeURIComponent).join("/");
  const self = `${at}/contents/${place}`;
  const git = `${at}/git/blobs/${sha}`;
  const html = `${sight.url}/${ref.name}/blob/main/${place}`;
  return {
    type: "file",
    encoding: isTold ? "base64" : "none",
    size: content.length,
    name: path.split("/").at(-1),
    path,
    content: isTold ? inLines(content.toString("base64")) : "",
    sha,
    url: self,
    git_url: git,
    html_url: html,
    download_url: `${sight.url}/raw/${ref.name}/${place}`,
    _links: { self, git, html },
  };
}

/** GitHub breaks base64 into lines of 60. */
function inLines(text: string): string {
  return text.replace(/.{60}/g, "$&\n");
}
