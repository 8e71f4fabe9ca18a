import { EndpointRefusal } from "#forges/sandbox/refusal.ts";

/** Not there, or nothing that whoever asks may know of. Gitea says which kind of thing it looked for in vain. */
export class NotFound extends EndpointRefusal {
  readonly what: string | null;

  constructor(what: string | null = null) {
    super(404, "not found");
    this.what = what;
  }
}

/** A refusal that has no body at all. */
export class Bare extends EndpointRefusal {
  constructor(status: number) {
    super(status, "");
  }
}
