import { createReadStream, type ReadStream } from "node:fs";
import { join } from "node:path";

const folder = "/var/lib/shop/attachments";

/** Serves GET /attachments?name=… */
export function openAttachment(query: URLSearchParams): ReadStream {
  const name = query.get("name") ?? "";
  return createReadStream(join(folder, name));
}
