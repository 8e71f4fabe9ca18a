/** What the server says no to: the status and the words on the wire. Thrown inside, answered outside. */
export class EndpointRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "Refusal";
    this.status = status;
  }
}

/** It is not there, or the caller may not know that it is. */
export function notFound(): EndpointRefusal {
  return new EndpointRefusal(404, "Not Found");
}
