import { createHmac, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as z from "zod";

/** A delivery as it goes over the wire, headers and all. Its id can be written anew in place: it is not signed. */
export interface SignedRequest {
  readonly bytes: Buffer;
  readonly idAt: number;
}

export interface RequestPlan {
  readonly secret: string;
  readonly path: string;
  readonly count: number;
}

/** How many pulls the deliveries are about, all together. */
const pullsMax = 1000;

/**
 * Deliveries that GitHub has really sent about pulls, in their own sizes, one kind after the other. Only the numbers of
 * the pulls are others, so that they are about many. All of them are such that Drover has something to write down.
 */
export function makeRequests({ secret, path, count }: RequestPlan): readonly SignedRequest[] {
  const deliveries = readDeliveries();
  return Array.from({ length: count }, (_, index) => {
    const delivery = deliveries[index % deliveries.length];
    if (delivery === undefined) throw new Error("there are no examples");
    return signed(withNumber(delivery, 1 + (index % pullsMax)), { secret, path });
  });
}

export interface Delivery {
  readonly event: string;
  readonly content: Readonly<Record<string, unknown>>;
}

const Examples = z.array(z.object({ name: z.string(), examples: z.array(z.looseObject({})) }));
const checked = z.object({ pull_requests: z.array(z.looseObject({})).min(1) });
const Checked = z.union([z.object({ check_run: checked }), z.object({ check_suite: checked })]);

function readDeliveries(): readonly Delivery[] {
  const file = createRequire(import.meta.url).resolve("@octokit/webhooks-examples");
  return Examples.parse(JSON.parse(readFileSync(file, "utf8"))).flatMap(({ name: event, examples }) => {
    if (event.startsWith("pull_request") || event === "issue_comment") {
      return examples.map((content) => ({ event, content }));
    }
    // Of the others those that name a pull.
    return examples.filter((content) => Checked.safeParse(content).success).map((content) => ({ event, content }));
  });
}

const Issue = z.object({ issue: z.looseObject({ url: z.string() }) });
const Pull = z.object({ pull_request: z.looseObject({}) });

/** None of the comments among the examples is on a pull; on GitHub they differ from these by one field. */
function withNumber({ event, content }: Delivery, number: number): Delivery {
  const pull = Pull.safeParse(content);
  if (pull.success) return { event, content: { ...content, pull_request: { ...pull.data.pull_request, number } } };
  const commented = Issue.safeParse(content);
  if (!commented.success) return { event, content };
  const url = commented.data.issue.url.replace("/issues/", "/pulls/");
  return { event, content: { ...content, issue: { ...commented.data.issue, number, pull_request: { url } } } };
}

function signed({ event, content }: Delivery, to: Pick<RequestPlan, "secret" | "path">): SignedRequest {
  const body = Buffer.from(JSON.stringify(content));
  const id = randomUUID();
  const sign = (algorithm: string): string => createHmac(algorithm, to.secret).update(body).digest("hex");
  const head = [
    `POST ${to.path} HTTP/1.1`,
    "Host: 127.0.0.1",
    "User-Agent: GitHub-Hookshot/044aadd",
    `Content-Length: ${body.length}`,
    "Accept: */*",
    "Content-Type: application/json",
    `X-GitHub-Delivery: ${id}`,
    `X-GitHub-Event: ${event}`,
    "X-GitHub-Hook-ID: 292430182",
    "X-GitHub-Hook-Installation-Target-ID: 79929171",
    "X-GitHub-Hook-Installation-Target-Type: repository",
    `X-Hub-Signature: sha1=${sign("sha1")}`,
    `X-Hub-Signature-256: sha256=${sign("sha256")}`,
    "",
    "",
  ].join("\r\n");
  return { bytes: Buffer.concat([Buffer.from(head), body]), idAt: head.indexOf(id) };
}
