/** What the server says no to: the status and the words on the wire. Thrown inside, answered outside. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "Refusal";
    this.status = status;
  }
}

/** It is not there, or whoever asks may not know that it is. */
export function notFound(): Refusal {
  return new Refusal(404, "Not Found");
}
